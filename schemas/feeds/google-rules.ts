/** For what Google refuses a product: one rule per attribute, each with the page it comes from. */
import { blank } from './blank.ts'
import { complaintsOf } from './complaints-of.ts'
import { currencyInForce } from './currency-in-force.ts'
import { formerly } from './formerly.ts'
import { googleDates } from './google-dates.ts'
import { googleImage } from './google-image.ts'
import { googleMoment } from './google-moment.ts'
import { googleRounding } from './google-rounding.ts'
import { googleWornRules } from './google-worn-rules.ts'
import { imageLimits } from './image-limits.ts'
import { named } from './named.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { googleAnswer, googleSpecification } from './platform-pages.ts'
import type { PlatformRule } from './profile.ts'

const { tooLong, badLink, badPrice, badCurrency, badSale, tooFine } = complaintsOf('Google')

/**
 * Over-long titles and descriptions are cut, and additional images or descriptive attributes that do not fit stay out of the
 * line: none of them costs the product its place. Missing identifiers do not either, `identifier_exists` says so.
 */
export const googleRules: readonly PlatformRule[] = [
  {
    field: 'id',
    asks: 'required, 1 to 50 characters',
    source: googleAnswer(6324405),
    broken({ id }) {
      if (blank(id)) return 'The product has no id; give it a SKU of 1 to 50 characters'
      return tooLong('id', id, 50)
    },
  },
  {
    field: 'title',
    asks: 'required, 1 to 150 characters; what is longer is cut',
    source: googleAnswer(6324415),
    broken: ({ product }) => (blank(product.title) ? 'The title is missing; send 1 to 150 characters' : null),
  },
  {
    field: 'description',
    asks: 'required, 1 to 5000 characters; what is longer is cut',
    source: googleAnswer(6324468),
    broken: ({ product }) =>
      blank(product.description) ? 'The description is missing; send 1 to 5000 characters of plain text' : null,
  },
  {
    field: 'link',
    asks: 'required, http or https, ASCII by RFC 3986, at most 2000 characters',
    source: googleAnswer(6324416),
    broken: ({ product }) => badLink(product, 2000),
  },
  googleImage(imageLimits.google),
  {
    field: 'availability',
    asks: 'required: in_stock, out_of_stock, preorder or backorder',
    source: googleAnswer(6324448),
    broken: ({ product }) =>
      product.availability === null
        ? 'The availability is not known; send in_stock, out_of_stock, preorder or backorder'
        : null,
  },
  {
    field: 'availability_date',
    asks: 'required for preorder and backorder',
    source: googleAnswer(6324470),
    broken({ product: { availability, availabilityDate } }) {
      if (availability !== 'preorder' && availability !== 'backorder') return null
      if (googleMoment(availabilityDate) !== null) return null
      return `A product on ${availability} needs the date from which it ships; without one send in_stock or out_of_stock`
    },
  },
  {
    // Google itself keeps two decimals of 12.345 KWD; the amount is right and stands in the feed as it is (KF-14).
    field: 'price',
    asks: 'required, above zero, no finer than its currency',
    source: googleAnswer(12471842),
    broken: ({ product: { price, currency } }) => badPrice(price, currency),
  },
  {
    field: 'price',
    asks: 'with its currency',
    source: googleAnswer(12471842),
    mends: 'currency',
    broken: ({ product: { price, currency } }) => badCurrency(price, currency),
  },
  {
    field: 'price',
    asks: 'the former price no finer than its currency, where it stands for the price and the price for a sale',
    source: googleAnswer(12471842),
    mends: 'original_price',
    broken({ product }) {
      const { originalPrice, currency } = product
      return originalPrice !== null && formerly(product) ? tooFine('former price', originalPrice, currency) : null
    },
  },
  {
    field: 'sale_price',
    asks: 'above zero and below the price, in the same currency',
    source: googleSpecification,
    broken: ({ product: { price, salePrice, currency } }) => badSale(salePrice, price, currency),
  },
  {
    field: 'brand',
    asks: 'at most 70 characters',
    source: googleAnswer(12468352),
    broken: ({ product }) => tooLong('brand', named(product.brand), 70),
  },
  {
    field: 'mpn',
    asks: 'at most 70 characters',
    source: googleAnswer(12474954),
    broken: ({ product }) => tooLong("maker's part number", named(product.mpn), 70),
  },
  {
    field: 'item_group_id',
    asks: 'at most 50 characters',
    source: googleAnswer(12472646),
    broken: ({ itemGroupId }) => tooLong('item group id', itemGroupId, 50),
  },
  currencyInForce(googleAnswer(12471842)),
  ...googleRounding,
  ...googleDates,
  offerGoesOn(googleSpecification),
  ...googleWornRules,
]
