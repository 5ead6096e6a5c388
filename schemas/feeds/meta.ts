/** For what Meta refuses a product in a catalog: one rule per attribute, each with the page it comes from. */
import { blank } from './blank.ts'
import { codePoints } from './code-points.ts'
import { complaintsOf } from './complaints-of.ts'
import { currencyInForce } from './currency-in-force.ts'
import { firstImage } from './first-image.ts'
import { hasLink } from './has-link.ts'
import { imageLimits } from './image-limits.ts'
import { isShouted } from './is-shouted.ts'
import { named } from './named.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { metaDescriptions, metaFields, metaImages, metaReference } from './platform-pages.ts'
import type { GradedPlatform, PlatformRule } from './profile.ts'
import { sameText } from './same-text.ts'

const { tooLong, badAddress, badPrice, badCurrency, badSale } = complaintsOf('Meta')
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
    source: metaFields,
    broken: ({ product }) => (blank(product.title) ? 'The title is missing; send 1 to 150 characters' : null),
  },
  {
    field: 'description',
    asks: 'required, 30 to 9999 characters; what is longer is cut',
    source: metaFields,
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
    source: metaFields,
    broken: ({ product }) =>
      product.condition === null ? 'The condition is missing; send new, refurbished or used' : null,
  },
  {
    field: 'price',
    asks: 'required',
    source: metaFields,
    broken: ({ product: { price, currency } }) => badPrice(price, currency),
  },
  {
    field: 'price',
    asks: 'with its currency',
    source: metaFields,
    mends: 'currency',
    broken: ({ product: { price, currency } }) => badCurrency(price, currency),
  },
  {
    field: 'link',
    asks: 'required, http or https',
    source: metaFields,
    broken({ product: { link } }) {
      if (link === null || blank(link)) return 'The link is missing; send the address of the product page'
      return badAddress('link', link, 2000)
    },
  },
  {
    field: 'image_link',
    asks: 'required, JPEG or PNG from 500 x 500 pixels on, at most 8 MB',
    source: metaImages,
    broken({ product }) {
      const first = product.images[0]
      if (first === undefined || blank(first)) return 'The image is missing; send the address of at least one image'
      return badAddress('image address', first, 2000) ?? refusedImage(product)
    },
  },
  {
    field: 'brand',
    asks: 'required, at most 100 characters',
    source: metaFields,
    broken({ product }) {
      const brand = named(product.brand)
      return brand === null ? 'The brand is missing; send its name' : tooLong('brand', brand, 100)
    },
  },
  {
    field: 'sale_price',
    asks: 'above zero and below the price, in the same currency',
    source: metaFields,
    broken: ({ product: { price, salePrice, currency } }) => badSale(salePrice, price, currency),
  },
  {
    field: 'item_group_id',
    asks: 'at most 100 characters',
    source: metaReference,
    broken: ({ itemGroupId }) => tooLong('item group id', itemGroupId, 100),
  },
  currencyInForce(metaFields),
  offerGoesOn(metaFields),
]

export const metaPlatform: GradedPlatform = { platform: 'meta', version: 2, bit: 2, aliases: ['social'], rules }
