/** Decimal text rounded as money is, half up; what is not finer stays as it stands. */
export function roundedTo(amount: string, decimals: number): string {
  const point = amount.indexOf('.')
  const cut = point + 1 + decimals
  if (point < 0 || amount.length <= cut) return amount
  const isUp = amount.charAt(cut) >= '5'
  const units = BigInt(amount.slice(0, point) + amount.slice(point + 1, cut)) + (isUp ? 1n : 0n)
  const text = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
