/** Of a price asked now, a regular one and a special one, the regular one is the price: the special one is its sale, and says what is asked now. */
import type { Field } from '../../schemas/product.ts'
import type { Sample } from './column-values.ts'
import { compareAmounts } from './compare-amounts.ts'
import { parseAmount } from './number-format.ts'
import { quote } from './quote.ts'

export interface ThreePrices {
  readonly now: string
  readonly regular: string
  readonly special: string
}

/** What a regular price is called does not tell it from what a maker recommends: nearly all rows have to bear it out. */
const nearly = 0.9

const amountIn = (text: string) => parseAmount(text.trim(), '.').text
const equal = (a: string, b: string | null) => b !== null && compareAmounts(a, b) === 0

interface Borne {
  readonly rows: number
  /** In which what is asked now is the regular price or the special one. */
  readonly alike: number
  /** In which it is the special one, below the regular one. */
  readonly onSale: number
  /** In which only what is asked now stands, as for a product whose variants each have a price of their own: these would have none. */
  readonly lost: number
}

function borneOut({ now, regular, special }: ThreePrices, sample: Sample | undefined): Borne {
  let [rows, alike, onSale, lost] = [0, 0, 0, 0]
  for (const cells of sample?.beside([now, regular, special]) ?? []) {
    const [asked = null, full = null, low = null] = cells.map(amountIn)
    if (asked !== null && full === null) lost++
    if (asked === null || full === null) continue
    rows++
    const isLow = equal(asked, low)
    if (isLow || equal(asked, full)) alike++
    if (isLow && compareAmounts(asked, full) < 0) onSale++
  }
  return { rows, alike, onSale, lost }
}

/** @param named whether the name alone says that it is a regular price: then the rows only may refute it */
export function isRegularPrice(three: ThreePrices, named: boolean, sample: Sample | undefined): boolean {
  const { rows, alike, onSale, lost } = borneOut(three, sample)
  if (lost > onSale) return false
  return named ? 2 * alike >= rows : onSale > 0 && alike >= rows * nearly
}

/** The columns of a header that could be these three: by what each may mean, the better first. */
export function threePrices(
  of: (field: Field) => readonly string[],
): readonly (ThreePrices & { readonly named: boolean })[] {
  const prices = new Set(of('price'))
  const [now] = prices
  const [special] = of('sale_price')
  if (now === undefined || special === undefined) return []
  return of('original_price')
    .filter((regular) => regular !== now && regular !== special)
    .map((regular) => ({ now, regular, special, named: prices.has(regular) }))
    .sort((a, b) => Number(b.named) - Number(a.named))
}

export const whyRegular = ({ now, regular, special }: ThreePrices) =>
  `${quote(regular)} is the price without the sale of ${quote(special)}, and ${quote(now)} what is asked now, which the two tell`
