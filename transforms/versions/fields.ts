/** The fields by which products are merged and restored: what belongs together goes together, and the columns that say it. */
import type { Field, RefinedProduct } from '../../schemas/product.ts'
import { isSame } from './is-same.ts'

interface MergeRule {
  readonly of: readonly (keyof RefinedProduct)[]
  /** All columns that silver makes it of: what one of them leaves unsaid an older cell would say. */
  readonly columns: readonly Field[]
}

const options: readonly Field[] = ['options', 'color', 'size', 'material', 'pattern']

/** Amounts are in one currency, and a sale price is below its price; a count tells an availability, and a stock word may have a date. */
const rules = {
  price: {
    of: ['price', 'salePrice', 'refusedSale', 'originalPrice', 'currency'],
    columns: ['price', 'sale_price', 'original_price', 'currency'],
  },
  availability: {
    of: ['availability', 'availabilityDate', 'quantity'],
    columns: ['availability', 'availability_date', 'quantity'],
  },
  salePriceEffectiveDate: {
    of: ['salePriceEffectiveDate'],
    columns: ['sale_price_effective_date', 'sale_price_start_date', 'sale_price_end_date'],
  },
  expirationDate: { of: ['expirationDate'], columns: ['expiration_date'] },
  unitPricing: {
    of: ['unitPricingMeasure', 'unitPricingBaseMeasure'],
    columns: ['unit_pricing_measure', 'unit_pricing_base_measure'],
  },
  sku: { of: ['sku'], columns: ['sku'] },
  sourceId: { of: ['sourceId'], columns: ['source_id'] },
  gtin: { of: ['gtin'], columns: ['gtin'] },
  mpn: { of: ['mpn'], columns: ['mpn'] },
  brand: { of: ['brand'], columns: ['brand'] },
  title: { of: ['title'], columns: ['title'] },
  description: { of: ['description'], columns: ['description', 'short_description'] },
  link: { of: ['link', 'refusedLink'], columns: ['link'] },
  condition: { of: ['condition'], columns: ['condition'] },
  categoryPath: { of: ['categoryPath'], columns: ['category'] },
  googleProductCategory: { of: ['googleProductCategory'], columns: ['google_product_category'] },
  images: { of: ['images', 'refusedImage'], columns: ['image', 'images'] },
  itemGroupId: { of: ['itemGroupId'], columns: ['item_group_id'] },
  options: { of: ['options'], columns: options },
  color: { of: ['color'], columns: options },
  size: { of: ['size'], columns: options },
  material: { of: ['material'], columns: options },
  pattern: { of: ['pattern'], columns: options },
  gender: { of: ['gender'], columns: ['gender'] },
  ageGroup: { of: ['ageGroup'], columns: ['age_group'] },
  weight: { of: ['weight'], columns: ['weight', 'weight_unit'] },
  dimensions: {
    of: ['length', 'width', 'height'],
    columns: ['length', 'width', 'height', 'dimensions', 'dimensions_unit'],
  },
  seoTitle: { of: ['seoTitle'], columns: ['seo_title'] },
  seoDescription: { of: ['seoDescription'], columns: ['seo_description'] },
  tags: { of: ['tags'], columns: ['tags'] },
  attributes: { of: ['attributes'], columns: ['attributes'] },
} as const satisfies Record<string, MergeRule>

export type MergeField = keyof typeof rules
export const mergeFields = Object.keys(rules) as readonly MergeField[]
export const ruleOf = (field: MergeField): MergeRule => rules[field]

/** A workspace's default is no value of the product: it is compared as nothing. */
export function fieldValue(product: RefinedProduct, field: MergeField): unknown {
  if ((field === 'link' || field === 'condition') && product.defaulted.includes(field)) return null
  const { of } = ruleOf(field)
  const [only] = of
  if (of.length === 1 && only) return product[only] ?? null
  return Object.fromEntries(of.map((name) => [name, product[name] ?? null]))
}

/** A list is compared whole, in its order; the names of a record in any. */
export function sameField(a: RefinedProduct, b: RefinedProduct, field: MergeField): boolean {
  return isSame(fieldValue(a, field), fieldValue(b, field))
}

/** Fields in which two states of a product differ. */
export const differing = (a: RefinedProduct, b: RefinedProduct): readonly MergeField[] =>
  mergeFields.filter((field) => !sameField(a, b, field))
