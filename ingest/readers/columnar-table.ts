/** Opens a file of typed columns, Parquet or Arrow, as a table. */
import { TableError } from '../table-error.ts'
import { alignedRows, type RawRow } from './aligned-rows.ts'
import { refusingDamage } from './damaged-rows.ts'
import { foldHeader } from './header.ts'
import type { Table } from './table.ts'

interface Columns {
  readonly names: readonly string[]
  readonly notes?: readonly string[]
  rows(): AsyncGenerator<RawRow[]>
}

export async function openColumnar(
  { names, notes = [], rows }: Columns,
  isList: (name: string) => boolean,
): Promise<Pick<Table, 'notes' | 'header' | 'rows'>> {
  const header = foldHeader(names, isList)
  const found = { notes, header: header.names, rows: () => alignedRows(header, rows(), 0) }
  const table = refusingDamage(found, 'utf-8', 'Row')
  for await (const _ of table.rows()) return table
  throw new TableError('empty_file', 'The file has no rows; give one for each product')
}
