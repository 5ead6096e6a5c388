/** For what Google refuses a product: one rule per attribute, each with the page it comes from (tags as in the fact sheet). */
import { asciiAddress } from './ascii-address.ts'
import { codePoints } from './code-points.ts'
import { compareAmounts } from './compare-amounts.ts'
import { cutText } from './cut-text.ts'
import { decimalsIn, decimalsOf } from './decimals.ts'
import { formerly } from './formerly.ts'
import { googleImage } from './google-image.ts'
import { googleMoment } from './google-moment.ts'
import { named } from './named.ts'
import type { FeedProduct } from './profile.ts'

interface GoogleRule {
  readonly field: string
  /** What is wrong and what would be right; null where the attribute may go out. */
  broken(p: FeedProduct): string | null
}

const longer = (text: string, limit: number) => text.length > limit && codePoints(text) > limit
const quote = (text: string) => (text.length > 80 ? `"${cutText(text, 80)}…"` : `"${text}"`)
const blank = (text: string | null) => text === null || text.trim() === ''

const tooLong = (what: string, text: string, limit: number) =>
  `The ${what} has ${codePoints(text)} characters; Google takes at most ${limit}`

function badAddress(what: string, text: string): string | null {
  const address = asciiAddress(text)
  if (address === null)
    return `${quote(text)} is no web address; the ${what} must start with http:// or https:// and a host`
  return address.length > 2000 ? tooLong(what, address, 2000) : null
}

/**
 * What is finer than its currency is rounded without a word: then the shop and Google would name two prices. G-ans:12471842
 * Google itself keeps two decimals of 12.345 KWD; the amount is right and stands in the feed as it is (KF-14).
 */
function tooFine(what: string, amount: string, currency: string | null): string | null {
  if (currency === null) return null
  const most = decimalsOf(currency)
  if (decimalsIn(amount) <= most) return null
  const has = `${currency} has ${most === 0 ? 'no' : most} decimals`
  return `The ${what} ${quote(amount)} would be rounded, since ${has}; send one without finer parts`
}

/**
 * Over-long titles and descriptions are cut, and additional images or descriptive attributes that do not fit stay out of the
 * line: none of them costs the product its place. Missing identifiers do not either, `identifier_exists` says so. What Google
 * asks of apparel depends on the country that a merchant sells in, so a gap there costs score and not the listing.
 */
export const googleRules: readonly GoogleRule[] = [
  {
    field: 'id', // R, 1-50. G-ans:6324405, GM-ver
    broken({ id }) {
      if (blank(id)) return 'The product has no id; give it a SKU of 1 to 50 characters'
      return longer(id, 50) ? tooLong('id', id, 50) : null
    },
  },
  {
    field: 'title', // R, 1-150; over-long is cut with a warning. G-ans:6324415
    broken: ({ product }) => (blank(product.title) ? 'The title is missing; send 1 to 150 characters' : null),
  },
  {
    field: 'description', // R, 1-5000; over-long is cut with a warning. G-ans:6324468
    broken: ({ product }) =>
      blank(product.description) ? 'The description is missing; send 1 to 5000 characters of plain text' : null,
  },
  {
    field: 'link', // R, <=2000, ASCII, RFC 3986, http/https. G-ans:6324416
    broken({ product: { link } }) {
      if (link === null || blank(link)) return 'The link is missing; send the address of the product page'
      return badAddress('link', link)
    },
  },
  {
    field: 'image_link', // R, <=2000, commas as %2C. G-ans:12472547
    broken({ product }) {
      const first = product.images[0]
      if (first === undefined || blank(first)) return 'The image is missing; send the address of at least one image'
      return badAddress('image address', first.replaceAll(',', '%2C')) ?? googleImage(product)
    },
  },
  {
    field: 'availability', // R, enum. G-ans:6324448
    broken: ({ product }) =>
      product.availability === null
        ? 'The availability is not known; send in_stock, out_of_stock, preorder or backorder'
        : null,
  },
  {
    field: 'availability_date', // C, required for preorder and backorder. G-ans:6324470
    broken({ product: { availability, availabilityDate } }) {
      if (availability !== 'preorder' && availability !== 'backorder') return null
      if (googleMoment(availabilityDate) !== null) return null
      return `A product on ${availability} needs the date from which it ships; without one send in_stock or out_of_stock`
    },
  },
  {
    field: 'price', // R, number + ISO 4217; 0 refused, at most 2 decimals. G-ans:12471842
    broken({ product }) {
      const { price, currency, originalPrice } = product
      if (price === null) return 'The price is missing; send an amount with its currency, as in 9.50 EUR'
      if (currency === null) return `The price ${quote(price)} has no currency; send one, as in 9.50 EUR`
      if (!(compareAmounts(price, '0') > 0))
        return `The price ${quote(price)} is not above zero; send what the product costs, as in 9.50 EUR`
      const full = formerly(product) ? originalPrice : null
      return tooFine('price', price, currency) ?? (full && tooFine('former price', full, currency))
    },
  },
  {
    field: 'sale_price', // O, below price in the same currency. G-dig
    broken({ product: { price, salePrice, currency } }) {
      if (salePrice === null || price === null) return null
      if (compareAmounts(salePrice, '0') > 0 && compareAmounts(salePrice, price) < 0)
        return tooFine('sale price', salePrice, currency)
      return `The sale price ${quote(salePrice)} is not between zero and the price ${quote(price)}; lower it or leave it out`
    },
  },
  {
    field: 'brand', // C, 1-70. G-ans:12468352
    broken({ product }) {
      const brand = named(product.brand)
      return brand !== null && longer(brand, 70) ? tooLong('brand', brand, 70) : null
    },
  },
  {
    field: 'mpn', // C, 1-70. G-ans:12474954
    broken({ product }) {
      const mpn = named(product.mpn)
      return mpn !== null && longer(mpn, 70) ? tooLong("maker's part number", mpn, 70) : null
    },
  },
  {
    field: 'item_group_id', // C, 1-50. G-ans:12472646
    broken: ({ itemGroupId }) =>
      itemGroupId !== null && longer(itemGroupId, 50) ? tooLong('item group id', itemGroupId, 50) : null,
  },
]
