/** Where parts of a page differ: which price holds, and what is to be reported. */
import type { Field } from '../../schemas/product.ts'
import { compareAmounts } from '../../transforms/silver/compare-amounts.ts'
import type { Claims, Money, PageField, PageSource } from './claims.ts'

export interface Conflict {
  readonly field: Field
  readonly kept: string
  readonly from: PageSource
  readonly other: string
  readonly otherFrom: PageSource
}

/** Fields that lead to a product, or that buyers are told: another value is a mistake of the page. */
const weighed = ['sku', 'gtin', 'mpn', 'brand'] as const

const inOneCurrency = (a: Money, b: Money) => a.currency === b.currency || a.currency === null || b.currency === null
const isBelow = (a: Money | null, b: Money | null): boolean =>
  a !== null && b !== null && inOneCurrency(a, b) && compareAmounts(a.amount, b.amount) < 0

export function pickPrices(
  claims: readonly Claims[],
): Partial<Record<'price' | 'sale_price' | 'original_price' | 'currency', PageField>> {
  const trusted = claims.find(({ price }) => price !== null)
  if (!trusted) return {}
  // "150, formerly" beside "150": then what another part asks below it is what is paid now.
  const reduced = claims.find(
    ({ price, original }) =>
      isBelow(price, original) && isBelow(price, trusted.price) && isSame(original, trusted.price),
  )
  const { price, original, sale, source } = reduced ?? trusted
  if (price === null) return {}
  const field = (value: string) => ({ value, source })
  return {
    price: field(price.amount),
    ...(price.currency === null ? {} : { currency: field(price.currency) }),
    ...(isBelow(price, original) ? { original_price: field(original?.amount ?? '') } : {}),
    ...(isBelow(sale, price) ? { sale_price: field(sale?.amount ?? '') } : {}),
  }
}

const isSame = (a: Money | null, b: Money | null) =>
  a !== null && b !== null && inOneCurrency(a, b) && compareAmounts(a.amount, b.amount) === 0

const shown = ({ amount, currency }: Money) => (currency === null ? amount : `${amount} ${currency}`)

export function conflictsOf(
  claims: readonly Claims[],
  fields: Readonly<Partial<Record<Field, PageField>>>,
): readonly Conflict[] {
  const found: Conflict[] = []
  const tell = (field: Field, kept: string, from: PageSource, other: string, otherFrom: PageSource) => {
    found.push({ field, kept, from, other, otherFrom })
  }
  const { price, currency } = fields
  if (price) {
    const kept: Money = { amount: String(price.value), currency: currency ? String(currency.value) : null }
    for (const { source, price: other } of claims)
      if (other && source !== price.source && !isSame(kept, other))
        tell('price', shown(kept), price.source, shown(other), source)
  }
  for (const field of weighed) {
    const kept = fields[field]
    if (!kept) continue
    for (const { source, texts } of claims) {
      const other = texts[field]
      if (other === undefined || source === kept.source || isAlike(other, String(kept.value))) continue
      tell(field, String(kept.value), kept.source, other, source)
    }
  }
  return found
}

/** A GTIN may have zeros in front or not, a brand may be shouted. */
const isAlike = (a: string, b: string) => plain(a) === plain(b)
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^0+(?=\d+$)/, '')
