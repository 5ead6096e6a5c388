/** The refined content of a product as text, by whose hash an import tells `updated` from `unchanged`. */
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'

/** In this order, so that the order in which silver happened to set them tells nothing; a field left out would not compile. */
const content = {
  sku: true,
  sourceId: true,
  gtin: true,
  mpn: true,
  brand: true,
  title: true,
  description: true,
  link: true,
  refusedLink: true,
  price: true,
  salePrice: true,
  refusedSale: true,
  originalPrice: true,
  currency: true,
  salePriceEffectiveDate: true,
  unitPricingMeasure: true,
  unitPricingBaseMeasure: true,
  availability: true,
  availabilityDate: true,
  quantity: true,
  expirationDate: true,
  condition: true,
  categoryPath: true,
  googleProductCategory: true,
  images: true,
  refusedImage: true,
  imageFindings: true,
  itemGroupId: true,
  options: true,
  color: true,
  size: true,
  material: true,
  pattern: true,
  gender: true,
  ageGroup: true,
  weight: true,
  length: true,
  width: true,
  height: true,
  seoTitle: true,
  seoDescription: true,
  tags: true,
  attributes: true,
  defaulted: true,
} satisfies Record<keyof RefinedProduct, true>

const keys = Object.keys(content) as (keyof RefinedProduct)[]

/**
 * Null and empty values are left out, so that a field which Assay learns later does not change every product.
 * Names of options and attributes are sorted; lists keep their order, which is content.
 */
export function contentKey(product: RefinedProduct, kind: ProductKind, family: string | null): string {
  const said: unknown[] = [kind, family]
  for (const key of keys) {
    const value = product[key]
    if (!isEmpty(value)) said.push(key, typeof value === 'object' ? sorted(value) : value)
  }
  return JSON.stringify(said)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (typeof value !== 'object') return false
  for (const _ in value) return false
  return true
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.some((one) => typeof one === 'object') ? value.map(sorted) : value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]))
}
