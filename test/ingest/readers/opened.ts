/** Opens what a test wrote, as a file on disk: in a folder that goes with the run. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { OpenOptions, Table, TableRow } from '../../../ingest/readers/table.ts'
import { openTable } from '../../../ingest/readers/table.ts'

let folder: Promise<string> | undefined
let files = 0

export async function open(content: string | Uint8Array, options?: OpenOptions): Promise<Table> {
  folder ??= mkdtemp(join(inject('serverFolder'), 'table-'))
  const path = join(await folder, `${files++}`)
  await writeFile(path, content)
  return openTable(path, options)
}

export async function rowsOf(table: Table): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const batch of table.rows()) rows.push(...batch)
  return rows
}

export const read = async (content: string | Uint8Array, options?: OpenOptions) => rowsOf(await open(content, options))
export const good = (row: number, line: number, ...cells: TableRow['cells']) => ({ row, line, cells })
