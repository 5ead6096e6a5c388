/** OpenAI's fields as a line has them, by the newest table; what is not known is left out, and is never called so. */
import type { RefinedProduct } from '../product.ts'
import type { FieldValue } from './feed-field.ts'
import { fieldsOf } from './field-of.ts'
import { productSide, productWeight } from './google-measures.ts'
import { openaiProducts as source } from './platform-pages.ts'
import { ageGroupWords, conditionWords, genderWords } from './same-words.ts'
import { amountShape, objectShape, textShape, wordShape } from './shapes.ts'
import { toldApart } from './told-apart.ts'

/** What nobody knows has a word of its own here. */
const words: Readonly<Record<string, string>> = {
  in_stock: 'in_stock',
  out_of_stock: 'out_of_stock',
  preorder: 'pre_order',
  backorder: 'backorder',
}
const unknown = 'unknown'
const availability: FieldValue = {
  shape: wordShape([...Object.values(words), unknown]),
  of: ({ availability }) => (availability && words[availability]) ?? unknown,
}

const variant = { type: 'object', minProperties: 1, additionalProperties: textShape() }

const amountIn = (measure: string | null) => measure?.split(' ')[0]

/** Two sides at least, in one unit. */
function dimensions(p: RefinedProduct) {
  const [length, width, height] = [productSide(p, 'length'), productSide(p, 'width'), productSide(p, 'height')]
  const known = [length, width, height].filter((side) => side !== null)
  if (known.length < 2) return null
  return {
    ...(length && { length: amountIn(length) }),
    ...(width && { width: amountIn(width) }),
    ...(height && { height: amountIn(height) }),
    unit: known[0]?.split(' ')[1],
  }
}

const dimensionsShape = {
  ...objectShape(
    { length: amountShape, width: amountShape, height: amountShape, unit: wordShape(['in', 'cm', 'ft', 'm', 'mm']) },
    ['unit'],
  ),
  minProperties: 3,
}

/** As the older table has it. */
export const mostSellerName = 70

/** Sales for a time stay out: no date schedules anything here. */
export const openaiFields = fieldsOf('OpenAI', [
  { name: 'item_id', from: 'id', need: true, limit: 100, source },
  { name: 'title', from: 'title', need: true, limit: 150, source },
  { name: 'description', from: 'description', need: true, limit: 5000, source },
  { name: 'url', from: 'link', need: true, source },
  { name: 'brand', from: 'brand', need: true, source },
  {
    name: 'seller_name',
    from: { shape: textShape(mostSellerName), of: (_, { settings }) => settings?.sellerName },
    need: true,
    source,
  },
  { name: 'image_url', from: 'image', need: true, source },
  { name: 'availability', from: availability, need: true, source },
  { name: 'price', from: 'price', need: true, source },
  { name: 'sale_price', from: 'salePrice', source },
  { name: 'group_id', from: 'group', source },
  {
    name: 'listing_has_variations',
    from: { shape: { const: true }, of: (_, { itemGroupId }) => (itemGroupId === null ? null : true) },
    source,
  },
  {
    name: 'variant_dict',
    from: {
      shape: variant,
      of: (p, { itemGroupId }) => (itemGroupId === null ? null : Object.fromEntries(toldApart(p))),
    },
    source,
  },
  { name: 'gtin', from: 'gtin', source },
  { name: 'mpn', from: 'mpn', source },
  { name: 'condition', from: 'condition', words: conditionWords, source },
  { name: 'product_category', from: 'path', source },
  { name: 'material', from: 'material', source },
  { name: 'color', from: 'color', source },
  { name: 'size', from: 'size', source },
  { name: 'gender', from: 'gender', words: genderWords, source },
  { name: 'age_group', from: 'ageGroup', words: ageGroupWords, source },
  { name: 'dimensions', from: { shape: dimensionsShape, of: dimensions }, source },
  { name: 'weight', from: { shape: amountShape, of: (p) => amountIn(productWeight(p.weight)) }, source },
  {
    name: 'item_weight_unit',
    from: { shape: wordShape(['g', 'kg', 'oz', 'lb']), of: (p) => productWeight(p.weight)?.split(' ')[1] },
    source,
  },
  { name: 'additional_image_urls', from: 'moreImages', encodesCommas: true, source },
])
