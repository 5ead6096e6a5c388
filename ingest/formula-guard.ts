/** Makes texts inert that a spreadsheet would run as formulas, in a way that reading undoes exactly (KF-25). */

/** What spreadsheets take for the start of a formula; apostrophes before it are those of an earlier guard, or the text's own. */
const dangerous = /^'*[=+\-@\t\r\n＝＋－＠]/u
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/u
/** A number is inert, and an apostrophe would make a text of it. */
const plainNumber = /^[+-]?\d+(?:[.,]\d+)*%?$/

/** Kinds of files that people open, in which texts are guarded. */
export const isForPeople = (kind: string): boolean => kind === 'delimited' || kind === 'xlsx'

export const guardFormula = (text: string): string =>
  dangerous.test(text) && !plainNumber.test(text) ? `'${text}` : text

export const unguardFormula = (text: string): string => (guarded.test(text) ? text.slice(1) : text)
