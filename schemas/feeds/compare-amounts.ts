/** Compares two amounts of one currency as decimal text, never as floats (KF-14). */
const amount = /^\d+(?:\.\d+)?$/

/** @returns below, at or above zero as for a sort; NaN where either is no decimal number without a sign */
export function compareAmounts(a: string, b: string): number {
  if (!amount.test(a) || !amount.test(b)) return Number.NaN
  // Most prices of a product are written alike, and compare as they stand.
  if (a.length === b.length && a.indexOf('.') === b.indexOf('.')) return a === b ? 0 : a < b ? -1 : 1
  const [wholeA = '', partA = ''] = a.split('.')
  const [wholeB = '', partB = ''] = b.split('.')
  const digits = Math.max(partA.length, partB.length)
  const whole = Math.max(wholeA.length, wholeB.length)
  const left = wholeA.padStart(whole, '0') + partA.padEnd(digits, '0')
  const right = wholeB.padStart(whole, '0') + partB.padEnd(digits, '0')
  if (left === right) return 0
  return left < right ? -1 : 1
}
