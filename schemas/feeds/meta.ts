/** Meta's catalog feed, the social-commerce platform: for what it refuses a product, one rule per attribute, each with the page it
 * comes from, and how a product is written for it.
 *
 * Its pages and the contract of this service name the same attributes and differ in three points, which are decided so:
 * - Availability: the contract has four words, today's reference of feeds two of them. The four go out; a feed that is set up to
 *   fold (`foldsWaiting`) sends preorder and backorder as in stock, since both can be ordered.
 * - Additional images: the contract has up to ten columns of one name, Meta describes one column with a list. Tables have the ten
 *   columns; a feed that is set up so (`listsInOneColumn`) has the one.
 * - Lengths: titles are cut at the contract's 150, which is inside Meta's 200; descriptions at 9999 in both.
 */
import { blank } from './blank.ts'
import { codePoints } from './code-points.ts'
import { complaintsOf } from './complaints-of.ts'
import { currencyInForce } from './currency-in-force.ts'
import { firstImage } from './first-image.ts'
import { hasLink } from './has-link.ts'
import { imageLimits } from './image-limits.ts'
import { isShouted } from './is-shouted.ts'
import { metaFields, mostImages } from './meta-fields.ts'
import { named } from './named.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { metaDescriptions, metaImages, metaReference, metaFields as metaTable } from './platform-pages.ts'
import type { FeedProfile, GradedPlatform, PlatformRule } from './profile.ts'
import { profileOf } from './profile-of.ts'
import { rss } from './rss.ts'
import { sameText } from './same-text.ts'

const { tooLong, badLink, badImage, badPrice, badCurrency, badSale } = complaintsOf('Meta')
const refusedImage = firstImage('Meta', imageLimits.meta)

const shortestDescription = 30

/**
 * Over-long titles and descriptions are cut, and optional attributes that do not fit stay out. Preorder and backorder go out as
 * in stock or under their own words, whichever the feed is set to. Meta says nothing of a price of zero; nobody sells for it.
 */
const rules: readonly PlatformRule[] = [
  {
    field: 'id',
    asks: 'required, 1 to 100 characters, and no item group’s id',
    source: metaReference,
    broken({ id, itemGroupId }) {
      if (blank(id)) return 'The product has no id; give it a SKU of 1 to 100 characters'
      if (id === itemGroupId) return 'The id is also that of the item group; give the variant a SKU of its own'
      return tooLong('id', id, 100)
    },
  },
  {
    field: 'title',
    asks: 'required, 1 to 200 characters; ours is cut at 150',
    source: metaTable,
    broken: ({ product }) => (blank(product.title) ? 'The title is missing; send 1 to 150 characters' : null),
  },
  {
    field: 'description',
    asks: 'required, 30 to 9999 characters; what is longer is cut',
    source: metaTable,
    broken({ product: { description } }) {
      if (description === null || blank(description))
        return 'The description is missing; send 30 to 9999 characters of plain text'
      if (description.length >= 2 * shortestDescription || codePoints(description.trim()) >= shortestDescription)
        return null
      return `The description has ${codePoints(description.trim())} characters; send 30 to 9999`
    },
  },
  {
    field: 'description',
    asks: 'not the title again, not in capitals, without links',
    source: metaDescriptions,
    broken({ product: { title, description } }) {
      if (description === null) return null
      if (title !== null && !blank(title) && sameText(title, description))
        return 'The description repeats the title; send one that says more'
      if (isShouted(description)) return 'The description is in capitals; send it in sentences'
      return hasLink(description) ? 'The description holds a web address; send it without one' : null
    },
  },
  {
    field: 'availability',
    asks: 'required',
    source: metaReference,
    broken: ({ product }) =>
      product.availability === null ? 'The availability is not known; send in_stock or out_of_stock' : null,
  },
  {
    field: 'condition',
    asks: 'required: new, refurbished or used',
    source: metaTable,
    broken: ({ product }) =>
      product.condition === null ? 'The condition is missing; send new, refurbished or used' : null,
  },
  {
    field: 'price',
    asks: 'required',
    source: metaTable,
    broken: ({ product: { price, currency } }) => badPrice(price, currency),
  },
  {
    field: 'price',
    asks: 'with its currency',
    source: metaTable,
    mends: 'currency',
    broken: ({ product: { price, currency } }) => badCurrency(price, currency),
  },
  {
    field: 'link',
    asks: 'required, http or https',
    source: metaTable,
    broken: ({ product }) => badLink(product, 2000),
  },
  {
    field: 'image_link',
    asks: 'required, JPEG or PNG from 500 x 500 pixels on, at most 8 MB',
    source: metaImages,
    broken: ({ product }) => badImage(product, 2000, false) ?? refusedImage(product),
  },
  {
    field: 'brand',
    asks: 'required, at most 100 characters',
    source: metaTable,
    broken({ product }) {
      const brand = named(product.brand)
      return brand === null ? 'The brand is missing; send its name' : tooLong('brand', brand, 100)
    },
  },
  {
    field: 'sale_price',
    asks: 'above zero and below the price, in the same currency',
    source: metaTable,
    broken: ({ product: { price, salePrice, currency } }) => badSale(salePrice, price, currency),
  },
  {
    field: 'item_group_id',
    asks: 'at most 100 characters',
    source: metaReference,
    broken: ({ itemGroupId }) => tooLong('item group id', itemGroupId, 100),
  },
  currencyInForce(metaTable),
  offerGoesOn(metaTable),
]

const platform = 'meta'

export const metaProfile: FeedProfile & GradedPlatform = {
  ...profileOf({
    ...{ platform, version: 2, aliases: ['social'] },
    rules,
    native: 'csv',
    table: { listSeparator: ',', repeated: { additional_image_link: mostImages } },
    // What Google has no attribute for stands without its prefix. M-ref
    xml: { ...rss, bare: [...(rss.bare ?? []), 'additional_image_link', 'quantity_to_sell_on_facebook'] },
    fields: metaFields,
  }),
  ...{ platform, bit: 2 },
}
