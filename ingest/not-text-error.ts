/** Bytes that are no text in the file's encoding, with the place where the first of them stands. */
import { TableError } from './table-error.ts'

export interface BadByte {
  readonly encoding: string
  /** From 0, the file's mark included. */
  readonly offset: number
  /** Physical line, from 1. */
  readonly line: number
  /** The readable text of that line before the byte, as far as it is at hand. */
  readonly before: string
}

export class NotTextError extends TableError {
  readonly offset: number
  readonly line: number

  constructor({ encoding, offset, line, before }: BadByte) {
    const after = before === '' ? '' : `, after ${JSON.stringify(before)}`
    super(
      'not_text',
      `The byte at offset ${offset} (line ${line}${after}) is not valid ${encoding.toUpperCase()}; save the file as UTF-8 and send it again`,
    )
    this.offset = offset
    this.line = line
  }
}
