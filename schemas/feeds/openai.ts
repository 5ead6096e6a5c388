/** OpenAI's product feed, the AI-assistant platform: for what it refuses a product, one rule per field of the newest table, and how a product is written. */
import { blank } from './blank.ts'
import { complaintsOf } from './complaints-of.ts'
import { currencyInForce } from './currency-in-force.ts'
import { firstImage } from './first-image.ts'
import { imageLimits } from './image-limits.ts'
import { named } from './named.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { mostSellerName, openaiFields } from './openai-fields.ts'
import { firstNames, firstOpenaiFields } from './openai-first-fields.ts'
import { plainXml } from './plain-xml.ts'
import { openaiProducts as source } from './platform-pages.ts'
import type { FeedProfile, GradedPlatform, PlatformRule } from './profile.ts'
import { profileOf } from './profile-of.ts'
import { isToldApart } from './told-apart.ts'

const { tooLong, badLink, badImage, badPrice, badCurrency, badSale } = complaintsOf('OpenAI')
const refusedImage = firstImage('OpenAI', imageLimits.openai)

/**
 * `seller_name` is required too and is a setting of the feed, not of a product: only feeds ask for it. What nobody knows of availability goes out as
 * `unknown`, which the table has. Texts are cut at 150 and 5000, which it calls an aim.
 */
const rules: readonly PlatformRule[] = [
  {
    field: 'item_id',
    asks: 'required, at most 100 characters in the older table, and no group’s id',
    source,
    broken({ id, itemGroupId }) {
      if (blank(id)) return 'The product has no id; give it a SKU'
      if (id === itemGroupId) return 'The id is also that of the group; give the variant a SKU of its own'
      return tooLong('id', id, 100)
    },
  },
  {
    field: 'title',
    asks: 'required',
    source,
    broken: ({ product }) => (blank(product.title) ? 'The title is missing; send up to 150 characters' : null),
  },
  {
    field: 'description',
    asks: 'required, plain text',
    source,
    broken: ({ product }) =>
      blank(product.description) ? 'The description is missing; send up to 5000 characters of plain text' : null,
  },
  {
    field: 'url',
    asks: 'required, the page of the product',
    source,
    broken: ({ product }) => badLink(product, 2000),
  },
  {
    field: 'brand',
    asks: 'required, a real one and no placeholder',
    source,
    broken: ({ product }) => (named(product.brand) === null ? 'The brand is missing; send the real one' : null),
  },
  {
    field: 'image_url',
    asks: 'required, a JPEG or PNG',
    source,
    broken: ({ product }) => badImage(product, 2000, false) ?? refusedImage(product),
  },
  {
    field: 'price',
    asks: 'required, above zero, no finer than its currency',
    source,
    broken: ({ product: { price, currency } }) => badPrice(price, currency),
  },
  {
    field: 'price',
    asks: 'with its currency',
    source,
    mends: 'currency',
    broken: ({ product: { price, currency } }) => badCurrency(price, currency),
  },
  {
    field: 'sale_price',
    asks: 'above zero and below the price, in the same currency',
    source,
    broken: ({ product: { price, salePrice, currency } }) => badSale(salePrice, price, currency),
  },
  {
    field: 'variant_dict',
    asks: 'of every variant: what tells it apart, names and values that are not empty',
    source,
    broken: ({ itemGroupId, product }) =>
      itemGroupId === null || isToldApart(product)
        ? null
        : 'Nothing tells this variant from its siblings; send its options, as in Size: M',
  },
  currencyInForce(source),
  // "Dates schedule nothing; keep the row current": whose offer is over does not send it.
  offerGoesOn(source),
]

const shared = { platform: 'openai', aliases: ['ai-assistant'] } as const
const version = 2

/** What grades ask: a product alone, in no feed that could name who sells it. */
export const openaiPlatform: GradedPlatform = { ...shared, version, bit: 4, rules }

const seller: PlatformRule = {
  field: 'seller_name',
  asks: 'required, of the feed and not of the product',
  source,
  broken: ({ settings }) =>
    blank(settings?.sellerName ?? null)
      ? 'The feed does not say who sells; give the name of the shop in the settings of the feed'
      : tooLong('name of the shop', settings?.sellerName ?? null, mostSellerName),
}

const written = { ...shared, native: 'ndjson', table: { listSeparator: ',' }, xml: plainXml } as const

export const openaiProfile: FeedProfile = profileOf({
  ...written,
  version,
  rules: [...rules, seller],
  fields: openaiFields,
})

/** With the names of its first table, for readers that were set up by that. */
export const openaiOf2025: FeedProfile = profileOf({
  ...written,
  version: 1,
  rules: [...rules, seller].map((rule) => ({ ...rule, field: firstNames[rule.field] ?? rule.field })),
  fields: firstOpenaiFields,
})
