/** The digits of a whole number that a program stored as a double, however it wrote that. */

/** What a double holds of any decimal, and a spreadsheet shows. */
export const digitsShown = 15

/** Its digits before the point, and behind it. */
export const storedNumber = /^-?(\d*)(?:\.(\d*))?(?:[eE][+-]?\d+)?$/

/**
 * A whole number has neither point nor exponent: 12345.0 and 4.006381333931E12 are 12345 and 4006381333931.
 * @returns null where it is none, is written so already, or has more digits than a double is sure of
 */
export function wholeNumber(stored: string): string | null {
  const [match, whole = '', fraction = ''] = /[.eE]/.test(stored) ? (storedNumber.exec(stored) ?? []) : []
  if (match === undefined || whole + fraction === '') return null
  const value = Number(stored)
  const isShown = (whole + fraction).replace(/^0+|0+$/g, '').length <= digitsShown
  return isShown && Number.isInteger(value) && Math.abs(value) < 10 ** digitsShown ? String(value) : null
}
