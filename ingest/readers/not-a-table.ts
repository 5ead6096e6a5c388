/** Refuses what is visibly no text table before any of it is read as one. */
import { TableError } from '../table-error.ts'
import type { FileKind } from './table.ts'

/** First bytes of files that suppliers send by mistake. */
const signatures: readonly (readonly [what: string, bytes: string])[] = [
  ['an old Excel workbook', '\xd0\xcf\x11\xe0'],
  ['a PDF document', '%PDF-'],
  ['a 7z archive', '7z\xbc\xaf\x27\x1c'],
  ['a RAR archive', 'Rar!\x1a\x07'],
  ['packed with bzip2', 'BZh9'],
  ['packed with xz', '\xfd7zXZ\0'],
  ['an image', '\x89PNG'],
  ['an image', '\xff\xd8\xff'],
]

export function refuseSignature(sample: Uint8Array): void {
  const bytes = Buffer.from(sample.subarray(0, 8)).toString('latin1')
  const found = signatures.find(([, signature]) => bytes.startsWith(signature))
  if (found)
    throw new TableError(
      'not_text',
      `The file is ${found[0]}; save the table as CSV in UTF-8, or as one JSON object a line`,
    )
}

export const unknownEncoding = () =>
  new TableError(
    'not_text',
    'The file is binary or in an encoding that is not known here; save the table as CSV in UTF-8, or say what it is with encoding=',
  )

/** @param start the file's beginning; each byte a character where its encoding is not known yet */
export function refuseBinary(start: string): void {
  if (isBinary(start) || isNoise(start)) throw unknownEncoding()
}

/** Bytes of a picture or an archive make as many control characters as any others. */
function isNoise(start: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const controls = start.match(/[\x01-\x08\x0e-\x1b\x7f]/g)?.length ?? 0
  return controls > 20 && controls > start.length / 20
}

const isDocument = /^\s*[<[{]\s*["{[\]}?!\w]/

/**
 * A stray NUL is a character of its cell (KF-18). One in the first line, or many, are those of UTF-16 without a mark or of no text at all;
 * but programs write all of a feed or a document on one line.
 */
function isBinary(start: string): boolean {
  const first = start.indexOf('\0')
  if (first < 0) return false
  const firstLine = start.search(/[\r\n]/)
  const inFirstLine = firstLine < 0 || first < firstLine
  return (inFirstLine && !isDocument.test(start)) || start.split('\0').length - 1 > start.length / 10
}

export const otherKind = (is: string, wanted: FileKind) =>
  new TableError('not_a_table', `The file is ${is} and was sent as ${wanted}; leave kind out, or send what it says`)
