/** How many decimals an amount needs, and how many its currency has (KF-14): platforms round what is finer. */

/** By ISO 4217's table of 2024-06-25; all that is money and not here has two. */
const other: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** Of all currencies: an amount that is finer is too fine whatever it is in. */
export const mostDecimals = Math.max(...Object.keys(other).map(Number))

const digits = new Map(
  Object.entries(other).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, Number(count)] as const)),
)

export const decimalsOf = (currency: string): number => digits.get(currency) ?? 2

/** Zeros at the end are no decimals that could be lost. */
export function decimalsIn(amount: string): number {
  const point = amount.indexOf('.')
  if (point < 0) return 0
  let end = amount.length
  while (amount[end - 1] === '0') end--
  return end - point - 1
}
