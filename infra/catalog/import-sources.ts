/** What is known of a file source: how each of its imports was read, and the header and length of its last file. */
import type { Pool, PoolClient } from 'pg'
import type { ImportContext } from '../../schemas/pipeline.ts'
import { kept } from './kept.ts'

export async function insertContext(
  client: Pool | PoolClient,
  scope: { workspace: string; brand: string; catalog: string; source: string },
  body: Omit<ImportContext, 'id'>,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into import_context (context_id, workspace_id, brand_id, catalog_id, source, body)
     values (nextval('import_context_id'), $1, $2, $3, $4, $5) returning context_id as id`,
    [scope.workspace, scope.brand, scope.catalog, scope.source, JSON.stringify(body)],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the context was not numbered')
  return id
}

export async function findContexts(pool: Pool | PoolClient, ids: readonly number[]): Promise<ImportContext[]> {
  const { rows } = await pool.query<{ id: number; body: Omit<ImportContext, 'id'> }>(
    kept('select context_id as id, body from import_context where context_id = any ($1::bigint[])', [ids]),
  )
  return rows.map(({ id, body }) => ({ ...body, id }))
}

export interface FileSource {
  readonly source: string
  readonly header: readonly string[]
  readonly lastRows: number | null
}

export async function fileSources(pool: Pool, catalog: string): Promise<FileSource[]> {
  const { rows } = await pool.query<FileSource>(
    kept('select source, header, last_rows as "lastRows" from file_source where catalog_id = $1 order by source', [
      catalog,
    ]),
  )
  return rows
}

export async function saveFileSource(
  client: Pool | PoolClient,
  scope: { workspace: string; brand: string; catalog: string },
  source: string,
  header: readonly string[],
  lastRows: number | null,
): Promise<void> {
  await client.query(
    kept(
      `insert into file_source (catalog_id, source, workspace_id, brand_id, header, last_rows) values ($1, $2, $3, $4, $5, $6)
     on conflict (catalog_id, source) do update
       set header = excluded.header, last_rows = coalesce(excluded.last_rows, file_source.last_rows), updated_at = now()`,
      [scope.catalog, source, scope.workspace, scope.brand, header, lastRows],
    ),
  )
}
