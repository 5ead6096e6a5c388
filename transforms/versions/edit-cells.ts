/** The cells of an edit that gives a product some fields of another state, whatever other sources say of them. */
import { type Cells, type CellValue, clearWord } from '../../schemas/pipeline.ts'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import { cellsOfProduct } from './cells-of-product.ts'
import { type MergeField, ruleOf } from './fields.ts'

/** What the state does not have is cleared. */
export function editCells(state: RefinedProduct, kind: ProductKind, fields: readonly MergeField[]): Cells {
  const all = cellsOfProduct(state, kind)
  const cells: Record<string, CellValue> = {}
  for (const field of fields) for (const column of ruleOf(field).columns) cells[column] = all[column] ?? clearWord
  return cells
}
