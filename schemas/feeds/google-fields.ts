/** Google's attributes as a line has them: names, forms and limits; what is not known or does not fit is left out. */
import type { RefinedProduct } from '../product.ts'
import { asciiAddress } from './ascii-address.ts'
import { codePoints } from './code-points.ts'
import { cutText } from './cut-text.ts'
import type { FeedField, FieldValue } from './feed-field.ts'
import { formerly } from './formerly.ts'
import { googleBranch } from './google-branch.ts'
import { pricingBase, pricingMeasure, productSide, productWeight } from './google-measures.ts'
import { googleInterval, googleMoment } from './google-moment.ts'
import { googleWorn } from './google-worn.ts'
import { moneyText } from './money-text.ts'
import { named } from './named.ts'
import { googleSpecification } from './platform-pages.ts'
import {
  addressShape,
  gtinShape,
  listShape,
  matchShape,
  moneyShape,
  type Shape,
  textShape,
  wordShape,
} from './shapes.ts'
import { tradableGtin } from './tradable-gtin.ts'

const fits = (text: string | null, limit: number) => (text !== null && codePoints(text) <= limit ? text : null)

/** A comma inside an image's address would start another value. G-ans:12472547, G-dig */
function image(text: string | undefined): string | null {
  const address = text === undefined ? null : asciiAddress(text)?.replaceAll(',', '%2C')
  return address && address.length <= 2000 ? address : null
}

/** Beside the first; what does not fit is left out. */
const moreImages = (images: readonly string[]) =>
  images
    .slice(1)
    .flatMap((text) => image(text) ?? [])
    .slice(0, 10)

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
  return dates && googleInterval(dates) === null ? null : moneyText(amount, p.currency)
}

const waits = ({ availability }: RefinedProduct) => availability === 'preorder' || availability === 'backorder'

type Of = FieldValue['of']

const field = (name: string, shape: Shape, of: Of, need?: FeedField['need']): FeedField => ({
  ...{ name, shape, of, source: googleSpecification },
  ...(need && { need }),
})

const availabilities = ['in_stock', 'out_of_stock', 'preorder', 'backorder']
const day = '\\d{4}-\\d\\d-\\d\\d'
const moment = `${day}T\\d\\d:\\d\\d(?:Z|[+-]\\d{4})`
const momentShape = matchShape(`^(?:${day}|${moment})$`)
const measureShape = matchShape('^\\d+(?:\\.\\d+)? ?[a-z]+$')
const imageShape = addressShape(2000)

/** In the order in which a line has them; for what Google refuses them their rules say. */
export const googleFields: readonly FeedField[] = [
  field('id', textShape(50), (_, { id }) => id, 'always'),
  field('title', textShape(150), ({ title }) => title && cutText(title, 150), 'always'),
  field('description', textShape(5000), ({ description }) => description && cutText(description, 5000), 'always'),
  field('link', addressShape(2000), ({ link }) => link && asciiAddress(link), 'always'),
  field('image_link', imageShape, ({ images }) => image(images[0]), 'always'),
  field('additional_image_link', listShape(imageShape, 10), ({ images }) => moreImages(images)),
  field('availability', wordShape(availabilities), ({ availability }) => availability, 'always'),
  field('availability_date', momentShape, (p) => (waits(p) ? googleMoment(p.availabilityDate) : null), {
    where: 'availability',
    is: ['preorder', 'backorder'],
  }),
  field('expiration_date', momentShape, (p) => googleMoment(p.expirationDate)),
  field('price', moneyShape, (p) => moneyText(formerly(p) ? p.originalPrice : p.price, p.currency), 'always'),
  field('sale_price', moneyShape, (p) => (formerly(p) ? moneyText(p.price, p.currency) : salePrice(p))),
  field('sale_price_effective_date', matchShape(`^${moment}/${moment}$`), (p) =>
    p.salePrice === null || p.currency === null ? null : googleInterval(p.salePriceEffectiveDate),
  ),
  field('unit_pricing_measure', measureShape, (p) => pricingMeasure(p.unitPricingMeasure)),
  field('unit_pricing_base_measure', measureShape, pricingBase),
  field('brand', textShape(70), ({ brand }) => named(brand)),
  field('gtin', gtinShape, ({ gtin }) => tradableGtin(gtin)),
  field('mpn', textShape(70), ({ mpn }) => named(mpn)),
  field('identifier_exists', wordShape(['no']), identifierExists),
  field('condition', wordShape(['new', 'refurbished', 'used']), ({ condition }) => condition),
  field('google_product_category', textShape(), ({ googleProductCategory }) => googleProductCategory),
  field('product_type', textShape(750), ({ categoryPath }) => productType(categoryPath)),
  field('item_group_id', textShape(50), (_, { itemGroupId }) => itemGroupId),
  field('color', textShape(100), googleWorn.color),
  field('size', textShape(100), googleWorn.size),
  field('material', textShape(200), ({ material }) => fits(material, 200)),
  field('pattern', textShape(100), ({ pattern }) => fits(pattern, 100)),
  field('gender', wordShape(['male', 'female', 'unisex']), googleWorn.gender),
  field('age_group', wordShape(['newborn', 'infant', 'toddler', 'kids', 'adult']), googleWorn.ageGroup),
  field('product_length', measureShape, (p) => productSide(p, 'length')),
  field('product_width', measureShape, (p) => productSide(p, 'width')),
  field('product_height', measureShape, (p) => productSide(p, 'height')),
  field('product_weight', measureShape, (p) => productWeight(p.weight)),
]
