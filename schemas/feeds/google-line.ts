/** Writes a product in Google's attribute names and forms; what is not known or does not fit is left out. */
import type { RefinedProduct } from '../product.ts'
import { asciiAddress } from './ascii-address.ts'
import { codePoints } from './code-points.ts'
import { cutText } from './cut-text.ts'
import { formerly } from './formerly.ts'
import { googleBranch } from './google-branch.ts'
import { pricingBase, pricingMeasure, productSide, productWeight } from './google-measures.ts'
import { googleInterval, googleMoment } from './google-moment.ts'
import { googleWorn } from './google-worn.ts'
import { named } from './named.ts'
import type { FeedProduct } from './profile.ts'
import { tradableGtin } from './tradable-gtin.ts'

const fits = (text: string | null, limit: number) => (text !== null && codePoints(text) <= limit ? text : null)

/** A comma inside an image's address would start another value. G-ans:12472547, G-dig */
function image(text: string | undefined): string | null {
  const address = text === undefined ? null : asciiAddress(text)?.replaceAll(',', '%2C')
  return address && address.length <= 2000 ? address : null
}

const money = (amount: string | null, { currency }: RefinedProduct) =>
  amount !== null && currency !== null ? `${amount} ${currency}` : null

/** `no` where the maker gave the product no identifier that Google asks for; the rest are still sent. G-spec, G-ans:12472746 */
function identifierExists(p: RefinedProduct): 'no' | null {
  if (tradableGtin(p.gtin) !== null) return null
  const branch = googleBranch(p.googleProductCategory)
  if (branch === 'media') return 'no'
  const brand = named(p.brand)
  if (branch !== null) return brand === null ? 'no' : null
  return brand !== null && named(p.mpn) !== null ? null : 'no'
}

/** <=750: levels that do not fit go from the narrow end, so that what is left is still true. G-ans:6324406 */
function productType(path: readonly string[]): string | null {
  for (let levels = path.length; levels > 0; levels--) {
    const text = fits(path.slice(0, levels).join(' > '), 750)
    if (text !== null) return text
  }
  return null
}

/** A sale price for a time goes out with that time or not at all: without it, it would hold always. */
function salePrice(p: RefinedProduct): string | null {
  const { salePrice: amount, salePriceEffectiveDate: dates } = p
  return dates && googleInterval(dates) === null ? null : money(amount, p)
}

const waits = ({ availability }: RefinedProduct) => availability === 'preorder' || availability === 'backorder'

type Attribute = readonly [name: string, of: (p: RefinedProduct, feed: FeedProduct) => unknown]

/** In the order in which a line has them. Limits as in the fact sheet's table of Google's attributes. */
const attributes: readonly Attribute[] = [
  ['id', (_, { id }) => id],
  ['title', ({ title }) => title && cutText(title, 150)],
  ['description', ({ description }) => description && cutText(description, 5000)],
  ['link', ({ link }) => link && asciiAddress(link)],
  ['image_link', ({ images }) => image(images[0])],
  [
    'additional_image_link',
    ({ images }) =>
      images
        .slice(1)
        .flatMap((text) => image(text) ?? [])
        .slice(0, 10),
  ],
  ['availability', ({ availability }) => availability],
  ['availability_date', (p) => (waits(p) ? googleMoment(p.availabilityDate) : null)],
  ['expiration_date', (p) => googleMoment(p.expirationDate)],
  ['price', (p) => money(formerly(p) ? p.originalPrice : p.price, p)],
  ['sale_price', (p) => (formerly(p) ? money(p.price, p) : salePrice(p))],
  [
    'sale_price_effective_date',
    (p) => (p.salePrice === null || p.currency === null ? null : googleInterval(p.salePriceEffectiveDate)),
  ],
  ['unit_pricing_measure', (p) => pricingMeasure(p.unitPricingMeasure)],
  ['unit_pricing_base_measure', pricingBase],
  ['brand', ({ brand }) => named(brand)],
  ['gtin', ({ gtin }) => tradableGtin(gtin)],
  ['mpn', ({ mpn }) => named(mpn)],
  ['identifier_exists', identifierExists],
  ['condition', ({ condition }) => condition],
  ['google_product_category', ({ googleProductCategory }) => googleProductCategory],
  ['product_type', ({ categoryPath }) => productType(categoryPath)],
  ['item_group_id', (_, { itemGroupId }) => itemGroupId],
  ['color', googleWorn.color],
  ['size', googleWorn.size],
  ['material', ({ material }) => fits(material, 200)],
  ['pattern', ({ pattern }) => fits(pattern, 100)],
  ['gender', googleWorn.gender],
  ['age_group', googleWorn.ageGroup],
  ['product_length', (p) => productSide(p, 'length')],
  ['product_width', (p) => productSide(p, 'width')],
  ['product_height', (p) => productSide(p, 'height')],
  ['product_weight', (p) => productWeight(p.weight)],
]

export const googleColumns = attributes.map(([name]) => name)

const empty = (value: unknown) =>
  value === null || (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0)

export function googleLine(feed: FeedProduct): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  for (const [name, of] of attributes) {
    const value = of(feed.product, feed)
    if (!empty(value)) line[name] = value
  }
  return line
}
