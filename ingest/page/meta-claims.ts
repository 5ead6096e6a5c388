/** Reads what a page's `meta` elements say of a product: OpenGraph, and the names that shops add to it. */
import { absolute } from './absolute.ts'
import type { Claims, PageNote, TextField } from './claims.ts'
import { gtinOf } from './item-claims.ts'
import { readMoney } from './page-money.ts'

/** Contents by name in lower case, in the order of the page. */
export type Metas = ReadonlyMap<string, readonly string[]>

const texts: Readonly<Partial<Record<TextField, readonly string[]>>> = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'description', 'twitter:description'],
  sku: ['product:sku', 'product:retailer_item_id', 'og:sku'],
  mpn: ['product:mfr_part_no', 'og:mpn'],
  brand: ['product:brand', 'og:brand'],
  availability: ['product:availability', 'og:availability', 'og:product:availability'],
  condition: ['product:condition', 'og:condition'],
  category: ['product:category', 'og:category'],
  color: ['product:color', 'og:color'],
  size: ['product:size'],
  material: ['product:material'],
  pattern: ['product:pattern'],
  item_group_id: ['product:item_group_id'],
}
const gtins = ['product:gtin', 'product:ean', 'product:upc', 'product:isbn', 'og:gtin', 'og:ean', 'og:upc', 'og:isbn']
const images = ['og:image:secure_url', 'og:image', 'og:image:url']
/** Each with the name of its currency. */
const prices = [
  ['product:price:amount', 'product:price:currency'],
  ['og:price:amount', 'og:price:currency'],
  ['product:price', 'product:price:currency'],
] as const
/** What it costs otherwise. */
const originals = [
  ['product:original_price:amount', 'product:original_price:currency'],
  ['product:price:standard_amount', 'product:price:currency'],
  ['og:price:standard_amount', 'og:price:currency'],
] as const
const sales = [['product:sale_price:amount', 'product:sale_price:currency']] as const

export function metaClaims(metas: Metas, base: string): Claims {
  const notes: PageNote[] = []
  const first = (names: readonly string[]) => names.flatMap((name) => metas.get(name) ?? []).find((one) => one !== '')
  const found: Partial<Record<TextField, string>> = {}
  for (const [field, names] of Object.entries(texts) as [TextField, readonly string[]][]) {
    const text = first(names)
    if (text !== undefined) found[field] = text
  }
  const gtin = gtinOf(
    gtins.flatMap((name) => metas.get(name) ?? []).filter((one) => one !== ''),
    notes,
  )
  if (gtin !== null) found.gtin = gtin
  const money = (places: readonly (readonly [string, string])[], fallback: string | null) => {
    for (const [amount, currency] of places) {
      const read = readMoney(first([amount]) ?? null, first([currency]) ?? fallback, notes)
      if (read) return read
    }
    return null
  }
  const price = money(prices, null)
  const currency = price?.currency ?? null
  const pictures = images.flatMap((name) => metas.get(name) ?? []).filter((one) => one !== '')
  return {
    source: 'opengraph',
    texts: found,
    images: [...new Set(pictures.flatMap((address) => absolute(address, base) ?? []))].slice(0, 50),
    price,
    original: money(originals, currency),
    sale: money(sales, currency),
    notes,
  }
}

/** Whether they say that the page is one of a product; some shops put their own word before it. */
export function speaksOfProduct(metas: Metas): boolean {
  const types = metas.get('og:type') ?? []
  return types.some((type) => /(?:^|:)product(?:\.item)?$/i.test(type)) || prices.some(([name]) => metas.has(name))
}
