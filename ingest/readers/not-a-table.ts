/** Refuses what is visibly no text table before any of it is read as one. */
import { TableError } from '../table-error.ts'

/** First bytes of files that suppliers send by mistake. */
const signatures: readonly (readonly [what: string, bytes: string])[] = [
  ['an old Excel workbook', '\xd0\xcf\x11\xe0'],
  ['gzip-compressed', '\x1f\x8b'],
  ['zstd-compressed', '\x28\xb5\x2f\xfd'],
  ['a PDF document', '%PDF-'],
]

const markup = /^\s*<[?!a-z]/i

export function refuseBinary(sample: Uint8Array, start: string): void {
  const bytes = Buffer.from(sample.subarray(0, 8)).toString('latin1')
  const found = signatures.find(([, signature]) => bytes.startsWith(signature))
  if (found)
    throw new TableError(
      'not_text',
      `The file is ${found[0]}; save the table as CSV in UTF-8, or as one JSON object a line`,
    )
  if (isBinary(start)) {
    throw new TableError('not_text', 'The file is binary or in an unmarked encoding; save the table as CSV in UTF-8')
  }
}

/** A stray NUL is a character of its cell (KF-18). One in the first line, or many, are those of UTF-16 without a mark or of no text at all. */
function isBinary(start: string): boolean {
  const first = start.indexOf('\0')
  if (first < 0) return false
  const firstLine = start.search(/[\r\n]/)
  return firstLine < 0 || first < firstLine || start.split('\0').length - 1 > start.length / 10
}

export function refuseMarkup(start: string): void {
  if (markup.test(start))
    throw new TableError('not_a_table', 'The file is XML or HTML; send the table as CSV, or as one JSON object a line')
}
