/** Says of a number that it is read as nearly all others of its column are written, though some are written the other way. */
import { quote } from './quote.ts'

export const guessedNumber = (raw: string, text: string, such: string): string =>
  `${quote(raw)} is read as ${text}, as nearly all cells of its column are written, though some are written the other way; set the decimal mark of the workspace, or write ${such}`
