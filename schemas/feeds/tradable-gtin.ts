/** Leaves a GTIN that platforms accept: not all zeros, and from no range kept for shops' inside use or for coupons. */

/** Read on the 13 digits without a GTIN-14's packaging digit; Google names 02, 04, 2, 05, 98 and 99. */
const restricted = /^(?:02|04|05|2|98|99|0+$)/
/** GTIN-8 has ranges of its own. */
const restrictedShort = /^[02]/

/** @returns the digits alone, or null */
export function tradableGtin(gtin: string | null): string | null {
  if (gtin === null) return null
  const digits = gtin.replace(/[\s-]+/g, '')
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits)) return null
  if (digits.length === 8) return restrictedShort.test(digits) ? null : digits
  return restricted.test(digits.padStart(14, '0').slice(1)) ? null : digits
}
