/** Says of a workbook's part that cannot be read which one it is, and how far it could be. */
import { TableError } from '../../table-error.ts'

/**
 * @param what begins the sentence, such as `The sheet "Products"`
 * @param row the last that was begun, where the part has rows
 */
export async function* namingPart<T>(
  what: string,
  read: AsyncIterable<T>,
  row: () => number = () => 0,
): AsyncGenerator<T> {
  try {
    yield* read
  } catch (cause) {
    // The disk's, not the file's.
    if (cause instanceof TableError || !(cause instanceof Error) || 'syscall' in cause) throw cause
    const place = row() > 0 ? ` in row ${row()} or behind it` : ''
    const says = `${what} of the workbook is damaged${place} (${reasonOf(cause)}); open it in a spreadsheet program, and save it again`
    const fault = new TableError('not_text', says)
    fault.cause = cause
    throw fault
  }
}

/** What inflates has codes for its errors, and words that tell nobody anything. */
const reasonOf = (cause: Error) =>
  'code' in cause && String(cause.code).startsWith('Z_') ? 'its packed bytes are not what was written' : cause.message
