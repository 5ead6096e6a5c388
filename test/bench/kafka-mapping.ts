/** Which column is which field, as data that a program in another language reads too, and what both make of a record by it. */
import type { BronzeRecord, Cells, CellValue, ImportContext } from '../../schemas/pipeline.ts'
import { type Field, fieldNames, fields } from '../../schemas/product.ts'

export interface MappingTable {
  /** By number of the import context. */
  readonly contexts: Readonly<Record<number, Readonly<Record<string, Field>>>>
  /** Fields that several columns make together; of others the first column counts. */
  readonly lists: readonly Field[]
}

export interface MappedRecord extends Pick<BronzeRecord, 'product' | 'kind'> {
  readonly fields: Partial<Record<Field, CellValue>>
  readonly unmapped: Cells
}

export const mappingTable = (contexts: Iterable<ImportContext>): MappingTable => ({
  contexts: Object.fromEntries(
    [...contexts].map(({ id, mapping }) => [
      id,
      Object.fromEntries(Object.entries(mapping).map(([column, { field }]) => [column, field])),
    ]),
  ),
  lists: fieldNames.filter((field) => fields[field] !== 'scalar'),
})

export function openMapping(table: MappingTable): (record: BronzeRecord) => MappedRecord {
  const contexts = new Map(
    Object.entries(table.contexts).map(([id, columns]) => [Number(id), new Map(Object.entries(columns))]),
  )
  const lists = new Set(table.lists)
  return ({ product, kind, context, cells }) => {
    const fieldOf = contexts.get(context)
    const mapped: Partial<Record<Field, CellValue>> = {}
    const unmapped: Record<string, CellValue> = {}
    for (const column in cells) {
      const value = cells[column] as CellValue
      const field = fieldOf?.get(column)
      if (field === undefined) {
        unmapped[column] = value
        continue
      }
      const before = mapped[field]
      if (before === undefined) mapped[field] = value
      else if (lists.has(field)) mapped[field] = [before, value].flat()
    }
    return { product, kind, fields: mapped, unmapped }
  }
}
