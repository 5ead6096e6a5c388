/** Merged fields as one source says them, for tests of the silver steps. */
import type { CellValue, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../../schemas/pipeline.ts'
import type { Field } from '../../../schemas/product.ts'

export const plainSettings: SilverSettings = {
  number: 1,
  mappings: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}

type Said = CellValue | { readonly column?: string; readonly value: CellValue; readonly source?: string }

/** Cells by field; a field's column is named like it unless said otherwise, and all come from one file. */
export function said(cells: Partial<Record<Field, Said>>): MergedFields {
  const get = (field: Field): FieldCell | null => {
    const cell = cells[field]
    if (cell === undefined) return null
    const {
      value,
      column = field,
      source = 'file',
    } = typeof cell === 'string' || !('value' in cell) ? { value: cell as CellValue } : cell
    return { field, column, value, source, origin: { epoch: 0, offset: 7, import: 'i1', context: 1, row: 2 } }
  }
  return {
    get,
    beside: (cell, field) => {
      const other = get(field)
      return other?.source === cell.source ? other : null
    },
    unmapped: () => [],
  }
}

/** The import context of that file. */
export function contextOf(parts: Partial<ImportContext> = {}): (id: number) => ImportContext | undefined {
  const context = {
    id: 1,
    platform: 'generic',
    header: [],
    mapping: {},
    numbers: {},
    currencies: {},
    notes: [],
    ...parts,
  }
  return (id) => (id === 1 ? context : undefined)
}
