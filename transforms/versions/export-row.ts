/** A refined product as a row of text cells in our own field names: what an export says, and what a file of edits is compared with. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { type Field, fields, type ProductKind, type RefinedProduct } from '../../schemas/product.ts'
import { cellsOfProduct } from './cells-of-product.ts'

/** Names the product that a row is about; a file with this column is a set of edits (DESIGN 5.2). */
export const idColumn = 'assay_id'
export const kindColumn = 'assay_kind'
/** The id of a family's parent, which has it too; a single is its own: rows are told apart by it where the ids were taken out. */
export const familyColumn = 'assay_family'
/** What says which product and family a row is; told by the file and never read back as values. */
const ownColumns = [idColumn, kindColumn, familyColumn] as const

/** In the order of the columns. */
export const exportFields = [
  'sku',
  'source_id',
  'gtin',
  'mpn',
  'brand',
  'title',
  'description',
  'link',
  'price',
  'sale_price',
  'original_price',
  'currency',
  'sale_price_effective_date',
  'unit_pricing_measure',
  'unit_pricing_base_measure',
  'availability',
  'availability_date',
  'quantity',
  'expiration_date',
  'condition',
  'category',
  'google_product_category',
  'images',
  'item_group_id',
  'options',
  'color',
  'size',
  'material',
  'pattern',
  'gender',
  'age_group',
  'weight',
  'length',
  'width',
  'height',
  'seo_title',
  'seo_description',
  'tags',
  'attributes',
] as const satisfies readonly Field[]

export const exportColumns: readonly string[] = [...ownColumns, ...exportFields]

/** Fields whose cell is the JSON text of a list or an object. */
export const jsonFields: ReadonlySet<string> = new Set<Field>(['images', 'options', 'tags', 'attributes'])

/** Fields that a file of edits may say. A deletion is asked for by itself, not by a cell among others. */
export const isEditable = (name: string): name is Field => Object.hasOwn(fields, name) && name !== 'deleted'

/** The cell of each field; '' where nothing is known. */
export function exportCells(product: RefinedProduct, kind: ProductKind): ReadonlyMap<Field, string> {
  const cells = cellsOfProduct(product, kind)
  return new Map(exportFields.map((field) => [field, textOf(cells[field])]))
}

const textOf = (cell: CellValue | undefined) =>
  cell === undefined ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell)

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
  family ?? id,
  ...exportCells(product, kind).values(),
]
