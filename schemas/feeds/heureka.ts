/** Heureka's feed of offers: a `SHOPITEM` each, for its Czech house in crowns and its Slovak one in euros. */
import type { RefinedProduct } from '../product.ts'
import { codePoints } from './code-points.ts'
import type { FieldValue } from './feed-field.ts'
import { fieldsOf } from './field-of.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { heurekaSlovakia, heurekaFields as source } from './platform-pages.ts'
import { profileOf } from './profile-of.ts'
import { listShape, matchShape, objectShape, textShape } from './shapes.ts'
import { properties } from './told-apart.ts'
import { tradableGtin } from './tradable-gtin.ts'

const ids = { pattern: '^[a-zA-Z0-9_-]{1,36}$', says: 'letters without accents, digits, _ and -' }
const addresses = { limit: 300 }
const imageLimit = 255
const mostCategory = 255

/** The Czech fields ask that a path begins with the house; the Slovak page shows paths without. */
function category({ categoryPath, currency }: RefinedProduct): string | null {
  const house = currency === 'CZK' && categoryPath[0]?.trim() !== 'Heureka.cz' ? ['Heureka.cz'] : []
  for (let levels = categoryPath.length; levels > 0; levels--) {
    const text = [...house, ...categoryPath.slice(0, levels)].join(' | ')
    if (codePoints(text) <= mostCategory) return text
  }
  return null
}

const categoryText: FieldValue = {
  shape: textShape(mostCategory),
  of: category,
  refusals: [
    {
      asks: `required, at most ${mostCategory} characters; levels that do not fit are left out`,
      broken: ({ product }) =>
        product.categoryPath.join('').trim() === '' || category(product) === null
          ? 'The category is missing; send its path, as in Electronics > Phones'
          : null,
    },
  ],
}

const day = /^\d{4}-\d\d-\d\d/

/** Days until it is sent, 0 for what is there, or the day. Out of stock has no value: an offer that nobody can have is none. */
function delivery({ availability, availabilityDate }: RefinedProduct): string | null {
  if (availability === 'in_stock') return '0'
  if (availability !== 'preorder' && availability !== 'backorder') return null
  return day.exec(availabilityDate ?? '')?.[0] ?? null
}

const deliveryDate: FieldValue = {
  shape: matchShape('^(?:\\d{1,3}|\\d{4}-\\d\\d-\\d\\d)$'),
  of: delivery,
  refusals: [
    {
      asks: 'required: the days until it is sent, or the day',
      mends: 'availability',
      broken: ({ product }) =>
        delivery(product) === null
          ? 'Heureka takes what is in stock, or on preorder or backorder with the date from which it ships; send one of these'
          : null,
    },
  ],
}

/** A UPC is an EAN that begins with a zero. */
function ean({ gtin }: RefinedProduct): string | null {
  const digits = tradableGtin(gtin)
  if (digits === null || digits.length === 8) return null
  if (digits.length === 14) return digits.startsWith('0') ? digits.slice(1) : null
  return digits.padStart(13, '0')
}

const parameters: FieldValue = {
  shape: listShape(objectShape({ PARAM_NAME: textShape(), VAL: textShape() }, ['PARAM_NAME', 'VAL'])),
  of: (p) => properties(p).map(([name, value]) => ({ PARAM_NAME: name, VAL: value })),
}

/**
 * `DELIVERY`, prices of carriers, is the shop's and of no product: it is not sent, and Heureka's fields call it required. What costs less for
 * now goes out as the price; there is no element for the former one.
 */
const fields = fieldsOf('Heureka', [
  { name: 'ITEM_ID', from: 'id', need: true, limit: 36, matches: ids, source },
  { name: 'PRODUCTNAME', from: 'title', need: true, limit: 200, source },
  { name: 'DESCRIPTION', from: 'description', source },
  { name: 'URL', from: 'link', need: true, ...addresses, source },
  { name: 'IMGURL', from: 'image', need: true, limit: imageLimit, source },
  { name: 'IMGURL_ALTERNATIVE', from: 'moreImages', most: 10, limit: imageLimit, source },
  { name: 'PRICE_VAT', from: 'presentAmount', need: true, source },
  { name: 'MANUFACTURER', from: 'brand', source },
  { name: 'CATEGORYTEXT', from: categoryText, need: true, source },
  { name: 'EAN', from: { shape: matchShape('^\\d{13}$'), of: ean }, source },
  { name: 'PRODUCTNO', from: 'mpn', source: heurekaSlovakia },
  { name: 'PARAM', from: parameters, source },
  { name: 'DELIVERY_DATE', from: deliveryDate, need: true, source },
  { name: 'ITEMGROUP_ID', from: 'group', limit: 36, matches: ids, source },
])

const currencies = ['CZK', 'EUR']

export const heurekaProfile = profileOf({
  platform: 'heureka',
  version: 1,
  aliases: [],
  native: 'xml',
  table: { listSeparator: ',' },
  xml: {
    head: '<?xml version="1.0" encoding="UTF-8"?>\n<SHOP>\n',
    item: 'SHOPITEM',
    tail: '</SHOP>\n',
    nested: true,
  },
  fields,
  alsoAsked: [
    {
      field: 'PRICE_VAT',
      asks: 'in crowns, or in euros for the Slovak house: the line does not name its currency',
      source,
      mends: 'currency',
      broken: ({ product: { currency } }) =>
        currency === null || currencies.includes(currency)
          ? null
          : `Heureka takes prices in CZK or EUR; this one is in ${currency}`,
    },
    offerGoesOn(source),
  ],
})
