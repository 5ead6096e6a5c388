/** One product as one file tells it, before anyone has asked which product it is. */
import type { CellValue, ImportContext } from '../schemas/pipeline.ts'
import type { Field, ProductKind } from '../schemas/product.ts'
import { readBrand } from '../transforms/silver/brand.ts'
import { readMpn } from '../transforms/silver/mpn.ts'
import { type Identifiers, identifying, identifyingGtin } from './identifiers.ts'
import { ownerOf } from './option-files.ts'
import type { CellDoubt } from './readers/table.ts'

/** Reserved column: the parent's SKU, else the family's key, as variants of one family share it. */
export const groupColumn = 'assay:group'

export interface Candidate {
  /** Place in the gathered order, from 0; a pure function of file and context. */
  readonly seq: number
  readonly rows: readonly number[]
  readonly kind: ProductKind
  readonly cells: Readonly<Record<string, CellValue>>
  readonly ids: Identifiers
  /** Of a parent whose family is known by a key that means something in its source alone: by that, feeds name the group. */
  readonly group?: { readonly name: string; readonly isVariant: boolean }
  /** In a file of edits: the product that the row names, null where it names none. */
  readonly edits?: string | null
  /** Cells that are read otherwise than they stand. */
  readonly doubts?: readonly (CellDoubt & { readonly row: number })[]
  readonly inherited?: { readonly row: number; readonly columns: readonly string[] }
}

/** A row that cannot become a record, and why; it has its place in the order too, so that a resumed import tells it once. */
export interface RowFault {
  readonly seq: number
  readonly row: number
  readonly code: string
  readonly says: string
  /** Where one cell is at fault. */
  readonly column: string | null
  /** That cell, or the row; as much of it as is shown. */
  readonly raw: string | null
}

export type Item = Candidate | RowFault
export const isFault = (item: Item): item is RowFault => 'code' in item

/** Reads identifiers by the context's mapping; made once per file. */
export function identifierReader(context: Pick<ImportContext, 'mapping'> & Partial<Pick<ImportContext, 'platform'>>) {
  const column = new Map<Field, string>()
  for (const [name, { field }] of Object.entries(context.mapping)) if (!column.has(field)) column.set(field, name)
  const of = (field: Field) => column.get(field) ?? ''
  const [sku, sourceId, gtin, mpn, brand, link] = [
    of('sku'),
    of('source_id'),
    of('gtin'),
    of('mpn'),
    of('brand'),
    of('link'),
  ]
  return (
    cells: Readonly<Record<string, CellValue>>,
    family: string | null = null,
    options: string | null = null,
  ): Identifiers => {
    const own = identifying(cells[sourceId])
    return {
      sku: identifying(cells[sku]),
      sourceId: own,
      family,
      options,
      gtin: gtin === '' ? null : identifyingGtin(cells[gtin], gtin),
      mpnBrand: mpn === '' ? null : mpnBrandOf(cells[mpn], cells[brand]),
      url: identifying(cells[link]),
      ...ownerOf(context.platform, own, true),
    }
  }
}

/** As silver reads both, whatever their case. */
function mpnBrandOf(mpn: CellValue | undefined, brand: CellValue | undefined): string | null {
  const number = identifying(mpn)
  const name = number === null ? null : identifying(brand)
  if (number === null || name === null) return null
  const [part, maker] = [readMpn(number), readBrand(name)]
  return part !== null && maker !== null ? `${part.toLowerCase()}\u001f${maker.toLowerCase()}` : null
}
