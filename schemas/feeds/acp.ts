/** The Agentic Commerce Protocol's feed of products, version 2026-04-17: a JSON text a line, as its file form has them.
 *
 * A line is a product with one variant. The protocol lets a product hold all of its variants, and a file with two lines of one
 * product is not defined; feeds here are read a variant at a time and rendered once per change, so each variant goes out as a
 * product of its own id, and `variant_options` say what tells it from its siblings. That they belong together is not said.
 */

import { acpXml } from './acp-xml.ts'
import { askedPrices } from './asked-prices.ts'
import { complaintsOf } from './complaints-of.ts'
import { currencyInForce } from './currency-in-force.ts'
import type { FieldValue } from './feed-field.ts'
import { fieldsOf } from './field-of.ts'
import { fieldValues } from './field-values.ts'
import { attributesOf } from './line-of.ts'
import { minorUnits } from './money-text.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { acpFeed as source } from './platform-pages.ts'
import { profileOf, rulesOf } from './profile-of.ts'
import { schemaOf } from './schema-of.ts'
import { addressShape, gtinShape, listShape, objectShape, textShape, wordShape } from './shapes.ts'
import { toldApart } from './told-apart.ts'

const { badPrice, badCurrency, badSale } = complaintsOf('ACP')

const described: FieldValue = {
  shape: objectShape({ plain: textShape() }, ['plain']),
  of: ({ description }) => (description === null || description.trim() === '' ? null : { plain: description }),
}

const priceShape = objectShape(
  { amount: { type: 'integer', minimum: 0 }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } },
  ['amount', 'currency'],
)

function price(amount: string | null, currency: string | null) {
  const units = minorUnits(amount, currency)
  return units === null ? null : { amount: units, currency }
}

/** The protocol takes a product without a price, and none whose price is wrong. */
const activePrice: FieldValue = {
  shape: priceShape,
  of(p) {
    const { full, sale } = askedPrices(p, false)
    return price(sale ?? full, p.currency)
  },
  refusals: [
    {
      asks: 'where there is one, above zero and no finer than its currency',
      broken({ product: { price, currency } }) {
        if (price === null) return null
        if (currency !== null && badPrice(price, currency) === null && minorUnits(price, currency) === null)
          return `The price "${price}" is more than a whole number of the smallest units of ${currency} can say; send a smaller one`
        return badPrice(price, currency)
      },
    },
    {
      asks: 'with its currency, a code of ISO 4217',
      mends: 'currency',
      broken: ({ product: { price, currency } }) =>
        price === null || (currency !== null && /^[A-Z]{3}$/.test(currency)) ? null : badCurrency(price, null),
    },
    {
      asks: 'a sale price above zero and below the price',
      mends: 'sale_price',
      broken: ({ product: { price, salePrice, currency } }) => badSale(salePrice, price, currency),
    },
  ],
}

const listPrice: FieldValue = {
  shape: priceShape,
  of(p) {
    const { full, sale } = askedPrices(p, false)
    return sale === null ? null : price(full, p.currency)
  },
}

const images = fieldValues.image({ name: 'media', from: 'image', source }, 'ACP')
const moreImages = fieldValues.moreImages({ name: 'media', from: 'moreImages', source }, 'ACP')

const media: FieldValue = {
  shape: listShape(objectShape({ type: wordShape(['image']), url: addressShape(2000) }, ['type', 'url'])),
  of: (p, feed) =>
    [images.of(p, feed), moreImages.of(p, feed) ?? []]
      .flat()
      .filter((url) => url !== null)
      .map((url) => ({ type: 'image', url })),
}

/** What is on preorder or backorder can be bought now. */
const availability: FieldValue = {
  shape: objectShape(
    { available: { type: 'boolean' }, status: wordShape(['in_stock', 'out_of_stock', 'preorder', 'backorder']) },
    ['available', 'status'],
  ),
  of: ({ availability }) =>
    availability === null ? null : { available: availability !== 'out_of_stock', status: availability },
}

const link = fieldValues.link({ name: 'url', from: 'link', source }, 'ACP')
const url: FieldValue = { shape: link.shape, of: link.of }
const path = fieldValues.path({ name: 'categories', from: 'path', source }, 'ACP')

const variant = fieldsOf('ACP', [
  { name: 'id', from: 'id', need: true, source },
  { name: 'title', from: 'title', need: true, source },
  { name: 'description', from: described, source },
  { name: 'url', from: url, source },
  {
    name: 'barcodes',
    from: {
      shape: listShape(objectShape({ type: wordShape(['GTIN']), value: gtinShape }, ['type', 'value'])),
      of(p, feed) {
        const value = fieldValues.gtin({ name: 'barcodes', from: 'gtin', source }, 'ACP').of(p, feed)
        return value === null ? null : [{ type: 'GTIN', value }]
      },
    },
    source,
  },
  { name: 'price', from: activePrice, source },
  { name: 'list_price', from: listPrice, source },
  { name: 'availability', from: availability, source },
  {
    name: 'categories',
    from: {
      shape: listShape(objectShape({ value: textShape(), taxonomy: textShape() }, ['value', 'taxonomy'])),
      of: (p, feed) => [
        ...[path.of(p, feed)].flatMap((value) => (value === null ? [] : { value, taxonomy: 'merchant' })),
        ...[p.googleProductCategory].flatMap((value) =>
          value === null || value.trim() === '' ? [] : { value, taxonomy: 'google_product_category' },
        ),
      ],
    },
    source,
  },
  {
    name: 'condition',
    from: {
      shape: listShape(wordShape(['new', 'refurbished', 'used'])),
      of: ({ condition }) => (condition === null ? null : [condition]),
    },
    source,
  },
  {
    name: 'variant_options',
    from: {
      shape: listShape(objectShape({ name: textShape(), value: textShape() }, ['name', 'value'])),
      of: (p, { itemGroupId }) =>
        itemGroupId === null ? null : toldApart(p).map(([name, value]) => ({ name, value })),
    },
    source,
  },
  { name: 'media', from: media, source },
  {
    name: 'seller',
    from: {
      shape: objectShape({ name: textShape() }, ['name']),
      of: (_, { settings }) => (settings?.sellerName ? { name: settings.sellerName } : null),
    },
    source,
  },
])

const id: FieldValue = { shape: textShape(), of: (_, feed) => feed.id }
const title: FieldValue = { shape: textShape(), of: ({ title }) => title }
const variants: FieldValue = {
  shape: listShape(schemaOf(variant), 1),
  of: (_, feed) => [attributesOf(variant, feed)],
}

export const acpProfile = profileOf({
  platform: 'acp',
  version: 1,
  aliases: [],
  native: 'ndjson',
  table: { listSeparator: ',' },
  xml: acpXml,
  fields: fieldsOf('ACP', [
    { name: 'id', from: id, need: true, source },
    { name: 'title', from: title, source },
    { name: 'description', from: described, source },
    { name: 'url', from: url, source },
    { name: 'media', from: media, source },
    { name: 'variants', from: variants, need: true, source },
  ]),
  alsoAsked: [...rulesOf(variant, 'variants.'), currencyInForce(source), offerGoesOn(source)],
})
