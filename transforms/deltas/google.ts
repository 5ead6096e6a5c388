/** The product input of Google's Merchant API v1, whose prices are in millionths. */
import type { DeltaOptions } from '../../schemas/delta.ts'
import { feedProduct } from '../../schemas/feeds/feed-product.ts'
import { googleFields } from '../../schemas/feeds/google-fields.ts'
import { attributesOf } from '../../schemas/feeds/line-of.ts'
import type { DeltaProduct, DeltaShape } from './shape.ts'

const idOf = ({ feedId, id }: DeltaProduct) => feedId ?? id

/** `12.345 KWD`: exact, as the text that JSON has for 64 bits. */
function price(text: string) {
  const [amount = '', currencyCode = ''] = text.split(' ')
  const [whole = '', part = ''] = amount.split('.')
  return { amountMicros: BigInt(whole + part.padEnd(6, '0')).toString(), currencyCode }
}

/** Google's dates to the minute as timestamps; a day begins at midnight. */
const timestamp = (text: string) =>
  text.length === 10
    ? `${text}T00:00:00Z`
    : text.replace(/T(\d\d:\d\d)/, 'T$1:00').replace(/([+-]\d\d)(\d\d)$/, '$1:$2')

function interval(text: string) {
  const [startTime = '', endTime = ''] = text.split('/').map(timestamp)
  return { startTime, endTime }
}

function measure(text: string) {
  const [, value, unit] = /^([\d.]+) ?([a-z]+)$/.exec(text) ?? []
  return { value: Number(value), unit }
}

/** A count of base units is 64 bits. */
const base = (text: string) => ({ ...measure(text), value: String(measure(text).value) })

const word = (text: string) => text.toUpperCase()

type Write = readonly [name: string, write: (value: never) => unknown]

/** Attributes of the feed that are called or written otherwise here; the rest only lose their underscores. */
const otherwise: Readonly<Record<string, Write>> = {
  price: ['price', price],
  sale_price: ['salePrice', price],
  sale_price_effective_date: ['salePriceEffectiveDate', interval],
  additional_image_link: ['additionalImageLinks', (all: readonly string[]) => all],
  gtin: ['gtins', (one: string) => [one]],
  product_type: ['productTypes', (one: string) => [one]],
  identifier_exists: ['identifierExists', (said: string) => said !== 'no'],
  availability: ['availability', word],
  condition: ['condition', word],
  gender: ['gender', word],
  age_group: ['ageGroup', word],
  availability_date: ['availabilityDate', timestamp],
  expiration_date: ['expirationDate', timestamp],
  unit_pricing_measure: ['unitPricingMeasure', measure],
  unit_pricing_base_measure: ['unitPricingBaseMeasure', base],
  product_length: ['productLength', measure],
  product_width: ['productWidth', measure],
  product_height: ['productHeight', measure],
  product_weight: ['productWeight', measure],
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The offer's id is beside the attributes. */
const attributes = googleFields.filter(({ name }) => name !== 'id')

function productAttributes(p: DeltaProduct): Record<string, unknown> {
  const line = attributesOf(attributes, { ...feedProduct(p.product, p.id, p.kind, p.publishedAt), id: idOf(p) })
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => {
      const [called, write] = otherwise[name] ?? [camel(name), (same: unknown) => same]
      return [called, write(value as never)]
    }),
  )
}

const keyOf = (p: DeltaProduct, { content_language, feed_label }: DeltaOptions) => ({
  offerId: idOf(p),
  contentLanguage: content_language,
  feedLabel: feed_label,
})

export const google: DeltaShape = {
  nameOf: idOf,
  removal: (p, options) => ({ ...keyOf(p, options), versionNumber: String(p.version) }),
  product: (p, _, options) => ({
    ...keyOf(p, options),
    versionNumber: String(p.version),
    productAttributes: productAttributes(p),
  }),
  says: 'A product is the body of `productInputs:insert`; one that goes has what its name for `productInputs.delete` is made of. `versionNumber` is the published version, so that an older one that comes late changes nothing. Prices are `{ amountMicros, currencyCode }`: 12345000 for 12.345 KWD. Attributes and their limits are those of the feed for Google; which account and data source they go to is the receiver’s.',
}
