/** Exports as files: asked for over HTTP, read by our own readers, changed as people change them, and written again. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportWriter } from '../infra/system/exports.ts'
import { type OpenOptions, openTable, type Table, type TableRow } from '../ingest/readers/table.ts'
import type { ExportFormat } from '../schemas/export.ts'
import type { ExportRow } from '../transforms/versions/export-row.ts'
import type { Running } from './running.ts'

export interface ExportedFile {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

export async function exportOf(
  { app, token, workspace }: Running,
  catalog: string,
  format: ExportFormat,
  version?: number,
): Promise<ExportedFile> {
  const query = new URLSearchParams({ format, ...(version === undefined ? {} : { version: String(version) }) })
  const answer = await app.inject({
    method: 'GET',
    url: `/api/workspace/${workspace}/catalogs/${catalog}/export?${query}`,
    headers: { authorization: `Bearer ${await token('viewer')}` },
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

/** @param look what is wanted of the table, which is gone afterwards */
export async function withTable<T>(
  bytes: Uint8Array,
  look: (table: Table) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const path = join(tmpdir(), `assay-export-${randomUUID()}`)
  await writeFile(path, bytes)
  try {
    return await look(await openTable(path, options))
  } finally {
    await rm(path, { force: true })
  }
}

export async function rowsOf(table: Table): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const batch of table.rows()) rows.push(...batch)
  return rows
}

export const rowsIn = (bytes: Uint8Array): Promise<TableRow[]> => withTable(bytes, rowsOf)

export async function written(format: ExportFormat, rows: readonly ExportRow[]): Promise<Buffer> {
  async function* pages() {
    for (let at = 0; at < rows.length; at += 7) yield rows.slice(at, at + 7)
  }
  const stream = await exportWriter(tmpdir())(format, pages())
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

type Refined = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** What silver has of each product that is there. */
export async function refinedOf({ system }: Running, catalog: string): Promise<Refined> {
  const { rows } = await system.catalog.pipeline.query<{ id: string; refined: Record<string, unknown> }>(
    'select product_id as id, refined from products where catalog_id = $1 and alive order by 1',
    [catalog],
  )
  return new Map(rows.map(({ id, refined }) => [id, refined]))
}

/** Names of the fields that differ, by product. */
export function changedFields(before: Refined, after: Refined): Map<string, string[]> {
  const changed = new Map<string, string[]>()
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(id) ?? {}, after.get(id) ?? {}]
    const names = Object.keys({ ...old, ...now })
    const differing = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    if (differing.length > 0) changed.set(id, differing)
  }
  return changed
}
