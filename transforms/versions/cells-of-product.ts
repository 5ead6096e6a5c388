/** The cells that silver makes a refined product of: what Assay writes when it puts a product elsewhere, or back (DESIGN 5.4). */
import type { Cells, CellValue } from '../../schemas/pipeline.ts'
import type { Field, ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { readBrand } from '../silver/brand.ts'
import { readCategory } from '../silver/category.ts'
import { readText, readTitle } from '../silver/text.ts'
import { optionFor } from '../silver/variants.ts'
import { spelled, spelledAddress, spelledIdentifier } from './spelling.ts'

type Spell = (product: RefinedProduct, kind: ProductKind) => CellValue | null

/** A product that was refined before a field was known has none. */
const maybe = (text: string | null | undefined, spell: (text: string) => string) => (text ? spell(text) : null)
const title = (text: string) => spelled(text, readTitle)
const paragraphs = (text: string) => spelled(text, readText)

/** An option that is named for an attribute gives it; it is said apart only where it differs. */
const attribute =
  (field: 'color' | 'size' | 'material' | 'pattern'): Spell =>
  (p) =>
    p[field] === optionFor(p.options, field) ? null : maybe(p[field], title)

/** By our own field names, which are the columns of context 0. What no field is made of alone, such as `track_stock`, has no cell. */
const spellings: Readonly<Partial<Record<Field, Spell>>> = {
  sku: (p) => maybe(p.sku, spelledIdentifier),
  source_id: (p) => maybe(p.sourceId, spelledIdentifier),
  gtin: (p) => maybe(p.gtin, (text) => (/^['’]/.test(text) ? `'${text}` : text)),
  mpn: (p) => maybe(p.mpn, spelledIdentifier),
  brand: (p) => maybe(p.brand, (text) => spelled(text, readBrand)),
  title: (p) => maybe(p.title, title),
  description: (p) => maybe(p.description, paragraphs),
  link: (p) => (p.defaulted.includes('link') ? null : (maybe(p.link, spelledAddress) ?? p.refusedLink ?? null)),
  price: (p) => p.price,
  sale_price: (p) => p.salePrice ?? p.refusedSale ?? null,
  original_price: (p) => p.originalPrice,
  currency: (p) => p.currency,
  sale_price_effective_date: (p) => p.salePriceEffectiveDate ?? null,
  unit_pricing_measure: (p) => maybe(p.unitPricingMeasure, title),
  unit_pricing_base_measure: (p) => maybe(p.unitPricingBaseMeasure, title),
  // A count alone would tell an availability; a word that nobody knows keeps it from doing so.
  availability: (p) => p.availability ?? (p.quantity === null ? null : 'unknown'),
  availability_date: (p) => p.availabilityDate ?? null,
  quantity: (p) => (p.quantity === null ? null : String(p.quantity)),
  expiration_date: (p) => p.expirationDate ?? null,
  condition: (p) => (p.defaulted.includes('condition') ? null : p.condition),
  category: (p) => (p.categoryPath.length === 0 ? null : path(p.categoryPath)),
  google_product_category: (p) => maybe(p.googleProductCategory, title),
  images: (p) => (p.images.length === 0 ? (p.refusedImage ?? null) : JSON.stringify(p.images.map(spelledAddress))),
  item_group_id: (p) => maybe(p.itemGroupId, spelledIdentifier),
  options: (p, kind) => (kind === 'parent' || isEmpty(p.options) ? null : JSON.stringify(entries(p.options, title))),
  color: attribute('color'),
  size: attribute('size'),
  material: attribute('material'),
  pattern: attribute('pattern'),
  gender: (p) => p.gender,
  age_group: (p) => p.ageGroup,
  weight: (p) => maybe(p.weight, title),
  length: (p) => maybe(p.length, title),
  width: (p) => maybe(p.width, title),
  height: (p) => maybe(p.height, title),
  seo_title: (p) => maybe(p.seoTitle, title),
  seo_description: (p) => maybe(p.seoDescription, title),
  tags: (p) => (p.tags.length === 0 ? null : JSON.stringify(p.tags.map(title))),
  attributes: (p) => (isEmpty(p.attributes) ? null : JSON.stringify(inner(p.attributes))),
}
const spelledFields = Object.entries(spellings) as [Field, Spell][]

/**
 * Refined under context 0, they give the content that the product has. A field whose value is a workspace default has no cell:
 * it comes from the settings again. So does, where a setting fills links or conditions, one that could not be read.
 */
export function cellsOfProduct(product: RefinedProduct, kind: ProductKind): Cells {
  const cells: Record<string, CellValue> = {}
  for (const [field, spell] of spelledFields) {
    const value = spell(product, kind)
    if (value !== null) cells[field] = value
  }
  return cells
}

/** As people write it, where that is read as these very names; else a JSON array, which is taken name by name. */
function path(names: readonly string[]): string {
  const plain = names.join(' > ')
  const read = readCategory(plain, 'assay')
  const same = read.length === names.length && read.every((name, at) => name === names[at])
  return same && spelled(plain, readTitle) === plain ? plain : JSON.stringify(names.map(title))
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false
  return true
}

const entries = (record: Readonly<Record<string, string>>, spell: (text: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [spell(name), spell(value)]))

/** Names and texts in any depth. */
function inner(value: unknown): unknown {
  if (typeof value === 'string') return paragraphs(value)
  if (Array.isArray(value)) return value.map(inner)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [paragraphs(name), inner(one)]))
}
