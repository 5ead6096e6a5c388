/** The digits of a stored number that Excel shows: fifteen, where the double behind it is stored with more. */
import { digitsShown, storedNumber, wholeNumber } from '../whole-number.ts'

/** 0.1+0.2 is stored as 0.30000000000000004, and 1.1 by Excel itself as 1.1000000000000001. Other shorter ones stay as they are stored. */
export function shownNumber(stored: string): string {
  const plain = wholeNumber(stored)
  if (plain !== null) return plain
  if (stored.length <= digitsShown) return stored
  const [match, whole = '', fraction = ''] = storedNumber.exec(stored) ?? []
  if (match === undefined || (whole + fraction).replace(/^0+/, '').length <= digitsShown) return stored
  const value = Number(stored)
  // An identifier, whether it is written with an exponent or not.
  if (Math.abs(value) >= 10 ** digitsShown) return stored
  return String(Number(value.toPrecision(digitsShown)))
}
