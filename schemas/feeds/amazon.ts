/** Amazon's listings, in the shape of one message of its JSON feed.
 *
 * Our facts are thin: which attributes a listing needs Amazon says by product type, to sellers who are signed in, and it is no
 * fixed list. These are names that its own examples and sellers' questions use; nothing here was tried against Amazon. A sender puts the
 * lines into the feed's `messages`, with the header and a `messageId` that counts within that feed.
 */
import type { RefinedProduct } from '../product.ts'
import { askedPrices } from './asked-prices.ts'
import type { FeedField, FieldValue } from './feed-field.ts'
import { fieldsOf } from './field-of.ts'
import { type FieldData, fieldValues } from './field-values.ts'
import { attributesOf, isEmpty } from './line-of.ts'
import { amountText } from './money-text.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { plainXml } from './plain-xml.ts'
import { amazonListings as source } from './platform-pages.ts'
import type { FeedProduct, FeedSettings } from './profile.ts'
import { profileOf, rulesOf } from './profile-of.ts'
import { schemaOf } from './schema-of.ts'
import { addressShape, listShape, objectShape, type Shape, textShape, wordShape } from './shapes.ts'
import { tradableGtin } from './tradable-gtin.ts'

const marketplace = ({ marketplaceId }: FeedSettings = {}) =>
  marketplaceId !== undefined && { marketplace_id: marketplaceId }
const language = ({ languageTag }: FeedSettings = {}) => languageTag !== undefined && { language_tag: languageTag }

const oneOf = (properties: Readonly<Record<string, Shape>>, required: readonly string[]) =>
  listShape(objectShape({ ...properties, marketplace_id: textShape() }, required), 1)

/** A text in a language. */
function spoken(data: Omit<FieldData, 'source' | 'from'> & { from: keyof typeof fieldValues }): FieldData {
  const value = fieldValues[data.from]({ ...data, source }, 'Amazon')
  const from: FieldValue = {
    ...value,
    shape: oneOf({ value: value.shape, language_tag: textShape() }, ['value']),
    of(p, feed) {
      const text = value.of(p, feed)
      return isEmpty(text) ? null : [{ value: text, ...language(feed.settings), ...marketplace(feed.settings) }]
    },
  }
  return { ...data, from, source }
}

/** Amazon has a word of its own for each grade of what was used, which no product here tells. */
const condition: FieldValue = {
  shape: oneOf({ value: wordShape(['new_new']) }, ['value']),
  of: ({ condition }, { settings }) => (condition === 'new' ? [{ value: 'new_new', ...marketplace(settings) }] : null),
  refusals: [
    {
      asks: 'new: of what was used Amazon asks how worn it is',
      broken: ({ product: { condition } }) =>
        condition === 'used' || condition === 'refurbished'
          ? `Amazon asks how worn a ${condition} product is, which is not known here; list it at Amazon by hand`
          : null,
    },
  ],
}

const kinds: Readonly<Record<number, string>> = { 8: 'ean', 12: 'upc', 13: 'ean', 14: 'gtin' }

const identifier: FieldValue = {
  shape: oneOf({ type: wordShape(Object.values(kinds)), value: textShape(14) }, ['type', 'value']),
  of({ gtin }, { settings }) {
    const value = tradableGtin(gtin)
    return value === null ? null : [{ type: kinds[value.length], value, ...marketplace(settings) }]
  },
}

const priced = fieldValues.price({ name: 'purchasable_offer', from: 'price', source }, 'Amazon')

/** A number, as its schema has it; more digits than a number holds are refused. */
const exact = (amount: string | null, currency: string | null) =>
  amount !== null && currency !== null && amountText(amount, currency).replace('.', '').length <= 15
    ? Number(amount)
    : null

const offer: FieldValue = {
  shape: oneOf(
    {
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      our_price: listShape(
        objectShape(
          {
            schedule: listShape(
              objectShape({ value_with_tax: { type: 'number', exclusiveMinimum: 0 } }, ['value_with_tax']),
              1,
            ),
          },
          ['schedule'],
        ),
        1,
      ),
    },
    ['currency', 'our_price'],
  ),
  of(p, { settings }) {
    const { full, sale } = askedPrices(p, false)
    const value = exact(sale ?? full, p.currency)
    if (value === null) return null
    return [{ currency: p.currency, our_price: [{ schedule: [{ value_with_tax: value }] }], ...marketplace(settings) }]
  },
  refusals: [
    ...(priced.refusals ?? []),
    ...(fieldValues.salePrice({ name: 'purchasable_offer', from: 'salePrice', source }, 'Amazon').refusals ?? []),
    {
      asks: 'at most 15 digits',
      broken: ({ product: { price, currency } }) =>
        price !== null && currency !== null && exact(price, currency) === null
          ? `The price "${price}" has more digits than a number of Amazon's holds; send one of at most 15`
          : null,
    },
  ],
}

const stock: FieldValue = {
  shape: listShape(
    objectShape({ fulfillment_channel_code: wordShape(['DEFAULT']), quantity: { type: 'integer', minimum: 0 } }, [
      'fulfillment_channel_code',
      'quantity',
    ]),
    1,
  ),
  of: ({ quantity }) =>
    quantity !== null && Number.isSafeInteger(quantity) && quantity >= 0
      ? [{ fulfillment_channel_code: 'DEFAULT', quantity: Math.abs(quantity) }]
      : null,
}

const location = (url: unknown, { settings }: FeedProduct) =>
  url === null || url === undefined ? null : [{ media_location: url, ...marketplace(settings) }]

const locatorShape = oneOf({ media_location: addressShape(2000) }, ['media_location'])
const first = fieldValues.image({ name: 'main_product_image_locator', from: 'image', source }, 'Amazon')
const more = fieldValues.moreImages(
  { name: 'other_product_image_locator', from: 'moreImages', most: 8, source },
  'Amazon',
)

/** Eight attributes ask for the same list in turn. */
let [lastFeed, lastImages]: [FeedProduct | null, unknown] = [null, null]

function otherImage(n: number, p: RefinedProduct, feed: FeedProduct): unknown {
  if (feed !== lastFeed) lastImages = more.of(p, feed)
  lastFeed = feed
  return Array.isArray(lastImages) ? lastImages[n] : null
}

const otherImages: readonly FieldData[] = Array.from({ length: 8 }, (_, n) => ({
  name: `other_product_image_locator_${n + 1}`,
  from: {
    shape: locatorShape,
    of: (p, feed) => location(otherImage(n, p, feed), feed),
  },
  source,
}))

const attributes: readonly FeedField[] = fieldsOf('Amazon', [
  spoken({ name: 'item_name', from: 'title', need: true }),
  spoken({ name: 'brand', from: 'brand', need: true }),
  spoken({ name: 'product_description', from: 'description' }),
  { name: 'condition_type', from: condition, source },
  { name: 'externally_assigned_product_identifier', from: identifier, source },
  spoken({ name: 'part_number', from: 'mpn' }),
  { name: 'purchasable_offer', from: offer, need: true, source },
  { name: 'fulfillment_availability', from: stock, source },
  spoken({ name: 'color', from: 'color' }),
  spoken({ name: 'size', from: 'size' }),
  spoken({ name: 'material', from: 'material' }),
  {
    name: 'main_product_image_locator',
    from: { ...first, shape: locatorShape, of: (p, feed) => location(first.of(p, feed), feed) },
    need: true,
    source,
  },
  ...otherImages,
])

/** Amazon's own type for what has no other; a listing of another type needs the one that its seller was told. */
const anyType = 'PRODUCT'

export const amazonProfile = profileOf({
  platform: 'amazon',
  version: 1,
  aliases: [],
  native: 'ndjson',
  table: { listSeparator: ',' },
  xml: { ...plainXml, nested: true },
  fields: fieldsOf('Amazon', [
    { name: 'sku', from: 'id', need: true, source },
    {
      name: 'operationType',
      from: { shape: { const: 'UPDATE' }, of: () => 'UPDATE' },
      need: true,
      source,
    },
    {
      name: 'productType',
      from: { shape: textShape(), of: (_, { settings }) => settings?.productType ?? anyType },
      need: true,
      source,
    },
    { name: 'requirements', from: { shape: { const: 'LISTING' }, of: () => 'LISTING' }, need: true, source },
    {
      name: 'attributes',
      from: { shape: schemaOf(attributes), of: (_, feed) => attributesOf(attributes, feed) },
      need: true,
      source,
    },
  ]),
  alsoAsked: [...rulesOf(attributes, 'attributes.'), offerGoesOn(source)],
})
