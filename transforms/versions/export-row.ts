/** A refined product as cells in our own field names: what an export says, and what a file of edits is compared with. */
import { type Field, fields, type ProductKind, type RefinedProduct } from '../../schemas/product.ts'

/** Names the product that a row is about; a file with this column is a set of edits (DESIGN 5.2). */
export const idColumn = 'assay_id'

type Reader = (product: RefinedProduct) => unknown

/** Lists and objects are JSON in one cell, which silver reads back as it was. */
const json = (value: object) => (Object.keys(value).length > 0 ? JSON.stringify(value) : '')

/** In the order of the columns. */
const readers = {
  sku: (p) => p.sku,
  source_id: (p) => p.sourceId,
  gtin: (p) => p.gtin,
  mpn: (p) => p.mpn,
  brand: (p) => p.brand,
  title: (p) => p.title,
  description: (p) => p.description,
  link: (p) => p.link,
  price: (p) => p.price,
  sale_price: (p) => p.salePrice,
  original_price: (p) => p.originalPrice,
  currency: (p) => p.currency,
  availability: (p) => p.availability,
  quantity: (p) => p.quantity,
  condition: (p) => p.condition,
  category: (p) => p.categoryPath.join(' > '),
  google_product_category: (p) => p.googleProductCategory,
  images: (p) => json(p.images),
  item_group_id: (p) => p.itemGroupId,
  options: (p) => json(p.options),
  color: (p) => p.color,
  size: (p) => p.size,
  material: (p) => p.material,
  pattern: (p) => p.pattern,
  gender: (p) => p.gender,
  age_group: (p) => p.ageGroup,
  weight: (p) => p.weight,
  seo_title: (p) => p.seoTitle,
  seo_description: (p) => p.seoDescription,
  tags: (p) => json(p.tags),
  attributes: (p) => json(p.attributes),
} satisfies Partial<Record<Field, Reader>>

const exportFields = Object.keys(readers) as readonly (keyof typeof readers)[]
/** Fields whose cell is the JSON text of a list or an object. */
export const jsonFields: ReadonlySet<string> = new Set<Field>(['images', 'options', 'tags', 'attributes'])
/** What says which product and family a row is; told by the file and never read back as values. */
const ownColumns = [idColumn, 'assay_kind', 'assay_family'] as const
export const exportColumns: readonly string[] = [...ownColumns, ...exportFields]

/** Fields that a file of edits may say. A deletion is asked for by itself, not by a cell among others. */
export const isEditable = (name: string): name is Field => Object.hasOwn(fields, name) && name !== 'deleted'

/** The cell of each field; '' where nothing is known. */
export function exportCells(product: RefinedProduct): ReadonlyMap<Field, string> {
  return new Map(exportFields.map((field) => [field, textOf(readers[field](product))]))
}

const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value))

export interface ExportedProduct {
  readonly id: string
  readonly kind: ProductKind
  readonly family: string | null
  readonly product: RefinedProduct
}

/** Cells in the order of `exportColumns`. */
export type ExportRow = readonly string[]

export const exportRow = ({ id, kind, family, product }: ExportedProduct): ExportRow => [
  id,
  kind,
  family ?? '',
  ...exportFields.map((field) => textOf(readers[field](product))),
]
