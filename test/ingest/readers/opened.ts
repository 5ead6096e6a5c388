/** Opens what a test wrote, as a file on disk: each in a folder that goes with the test file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { OpenOptions, Table, TableRow } from '../../../ingest/readers/table.ts'
import { openTable } from '../../../ingest/readers/table.ts'

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'table-'))
})
afterAll(() => rm(folder, { recursive: true }))

export async function open(content: string | Uint8Array, options?: OpenOptions): Promise<Table> {
  const path = join(folder, `${files++}`)
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
