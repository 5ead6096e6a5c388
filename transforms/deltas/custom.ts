/** A product under the names that the receiver chose, each from a field of ours or always the same. */
import { type CustomField, customFields, type FieldMap } from '../../schemas/delta.ts'
import { askedPrices } from '../../schemas/feeds/asked-prices.ts'
import { amountText, minorUnits } from '../../schemas/feeds/money-text.ts'
import type { DeltaProduct, DeltaShape } from './shape.ts'

type Read = (p: DeltaProduct) => unknown

const money = (amount: string | null, currency: string | null) =>
  amount === null || currency === null ? amount : amountText(amount, currency)

/** All that may be asked for; a field that a product does not have is null. */
const fields = {
  id: ({ id }) => id,
  offer_id: ({ feedId, id }) => feedId ?? id,
  kind: ({ kind }) => kind,
  version: ({ version }) => version,
  created_at: ({ createdAt }) => new Date(createdAt).toISOString(),
  updated_at: ({ updatedAt }) => new Date(updatedAt).toISOString(),
  published_at: ({ publishedAt }) => publishedAt,
  sku: ({ product }) => product.sku,
  gtin: ({ product }) => product.gtin,
  mpn: ({ product }) => product.mpn,
  brand: ({ product }) => product.brand,
  title: ({ product }) => product.title,
  description: ({ product }) => product.description,
  link: ({ product }) => product.link,
  price: ({ product }) => money(product.price, product.currency),
  price_minor: ({ product }) => minorUnits(product.price, product.currency),
  sale_price: ({ product }) => money(product.salePrice, product.currency),
  sale_price_minor: ({ product }) => minorUnits(product.salePrice, product.currency),
  sale_price_effective_date: ({ product }) => product.salePriceEffectiveDate,
  original_price: ({ product }) => money(product.originalPrice, product.currency),
  asked_price({ product }) {
    const { full, sale } = askedPrices(product, false)
    return money(sale ?? full, product.currency)
  },
  currency: ({ product }) => product.currency,
  availability: ({ product }) => product.availability,
  availability_date: ({ product }) => product.availabilityDate,
  quantity: ({ product }) => product.quantity,
  condition: ({ product }) => product.condition,
  category: ({ product }) => (product.categoryPath.length > 0 ? product.categoryPath.join(' > ') : null),
  category_path: ({ product }) => product.categoryPath,
  google_product_category: ({ product }) => product.googleProductCategory,
  image: ({ product }) => product.images[0] ?? null,
  images: ({ product }) => product.images,
  item_group_id: ({ product }) => product.itemGroupId,
  options: ({ product }) => product.options,
  color: ({ product }) => product.color,
  size: ({ product }) => product.size,
  material: ({ product }) => product.material,
  pattern: ({ product }) => product.pattern,
  gender: ({ product }) => product.gender,
  age_group: ({ product }) => product.ageGroup,
  weight: ({ product }) => product.weight,
  length: ({ product }) => product.length,
  width: ({ product }) => product.width,
  height: ({ product }) => product.height,
  tags: ({ product }) => product.tags,
  attributes: ({ product }) => product.attributes,
} as const satisfies Record<CustomField, Read>

const written = (p: DeltaProduct, map: FieldMap, which: (from: FieldMap[string]) => boolean) =>
  Object.fromEntries(
    Object.entries(map)
      .filter(([, from]) => which(from))
      .map(([name, from]) => [name, typeof from === 'string' ? fields[from](p) : from.constant]),
  )

/** What says which one it is. */
const naming = new Set<unknown>(['id', 'offer_id', 'sku'])

export const custom: DeltaShape = {
  nameOf: ({ id }) => id,
  product: (p, _, options) => written(p, options.fields as FieldMap, () => true),
  removal: (p, options) => ({
    ...written(p, options.fields as FieldMap, (from) => naming.has(from)),
    id: p.id,
  }),
  says: `\`options.fields\` says for each name what it is filled from: ${customFields.map((name) => `\`${name}\``).join(', ')}, or \`{ "constant": … }\`. Money is decimal text with the digits of its currency, or with \`_minor\` a whole number of its smallest units. One that goes is \`id\` with what \`id\`, \`offer_id\` and \`sku\` are mapped to. What a product does not have is null.`,
}
