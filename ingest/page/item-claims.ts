/** Reads a product of schema.org, whichever way the page tells it. */
import { gtin14 } from '../../transforms/silver/gtin.ts'
import { quote } from '../../transforms/silver/quote.ts'
import { absolute } from './absolute.ts'
import type { Claims, PageNote, PageSource, TextField } from './claims.ts'
import { type Item, type ItemValue, isItem, itemsOf, type Things, textIn, valuesOf } from './item.ts'
import { readOffers, wordIn } from './offers.ts'

const gtinNames = ['gtin14', 'gtin13', 'gtin12', 'gtin8', 'gtin', 'ean', 'upc', 'isbn'] as const

/** Where a field of ours stands in a product, the best first; the offer is asked where the product says nothing. */
const places: Readonly<Partial<Record<TextField, readonly string[]>>> = {
  title: ['name'],
  description: ['description'],
  sku: ['sku'],
  mpn: ['mpn'],
  brand: ['brand', 'manufacturer'],
  category: ['category'],
  color: ['color'],
  size: ['size'],
  material: ['material'],
  pattern: ['pattern'],
  item_group_id: ['inProductGroupWithID'],
}
const ofOffers: readonly TextField[] = ['sku', 'mpn']

export function itemClaims(source: PageSource, product: Item, page: Things, base: string): Claims {
  const notes: PageNote[] = []
  const { price, original, availability, offer } = readOffers(product, page, notes)
  const texts: Partial<Record<TextField, string>> = {}
  const set = (field: TextField, value: string | null) => {
    if (value !== null && value !== '') texts[field] = value
  }
  for (const [field, names] of Object.entries(places) as [TextField, readonly string[]][]) {
    const own = named(product, page, names)
    set(field, own ?? (offer && ofOffers.includes(field) ? named(offer, page, names) : null))
  }
  set('gtin', gtinIn([product, ...(offer ? [offer] : [])], notes))
  set('availability', availability)
  set('condition', wordIn(product, 'itemCondition') ?? (offer && wordIn(offer, 'itemCondition')))
  return { source, texts, images: imagesIn(product, page, base), price, original, sale: null, notes }
}

/** A thing is told by its name, also where only its id stands here. */
function named(item: Item, page: Things, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textIn(item, name)
    const [thing] = text === null || page.byId.has(text) ? itemsOf(item, page, name) : []
    const found = thing ? textIn(thing, 'name') : text
    if (found !== null) return found
  }
  return null
}

/** @returns the first that is one; pages put other numbers in its place */
export function gtinOf(texts: readonly string[], notes: PageNote[]): string | null {
  const good = texts.find((text) => gtin14(text) !== null)
  const [bad] = texts
  if (good === undefined && bad !== undefined)
    notes.push({ code: 'bad_gtin', says: `${quote(bad)} stands where a GTIN should, and is none` })
  return good ?? null
}

function gtinIn(items: readonly Item[], notes: PageNote[]): string | null {
  const texts = items.flatMap((item) =>
    valuesOf(item, ...gtinNames).flatMap((value) => (isItem(value) ? [] : [String(value).trim()])),
  )
  return gtinOf(
    texts.filter((text) => text !== ''),
    notes,
  )
}

function imagesIn(product: Item, page: Things, base: string): readonly string[] {
  const addressesIn = (value: ItemValue): string[] => {
    if (!isItem(value)) return [String(value)]
    const [thing = value] = value.properties.size === 0 && value.id !== null ? [page.byId.get(value.id)] : [value]
    const address = textIn(thing, 'contentUrl', 'url')
    return address === null ? (thing.id === null ? [] : [thing.id]) : [address]
  }
  const found = valuesOf(product, 'image', 'images').flatMap(addressesIn)
  return [...new Set(found.flatMap((address) => (address.trim() === '' ? [] : (absolute(address, base) ?? []))))]
}
