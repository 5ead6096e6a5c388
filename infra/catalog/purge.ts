/** Removes the rows of catalogs that can no longer be brought back, in bounded steps; the log is left as it is. */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'

const stepRows = 5_000

/**
 * Tables in the order of their emptying: each by its catalog, or by the imports of it, which go after what hangs on them.
 * Contexts stay: records of the log name them.
 */
const tables = [
  { table: 'duplicate_due' },
  { table: 'duplicate_member' },
  { table: 'duplicate_group' },
  { table: 'duplicate_pair' },
  { table: 'duplicate_dismissal' },
  { table: 'duplicate_key' },
  { table: 'duplicate_product' },
  { table: 'duplicate_state' },
  { table: 'visibility_product' },
  { table: 'visibility_channel' },
  { table: 'visibility_snapshot' },
  { table: 'shadow_choice' },
  { table: 'shadow_product' },
  { table: 'shadow_score' },
  { table: 'product_rank' },
  { table: 'product_recent' },
  { table: 'rank_due' },
  { table: 'product_score' },
  { table: 'score_history' },
  { table: 'weights_history' },
  { table: 'dirty' },
  { table: 'family_due' },
  { table: 'joined_family' },
  { table: 'feed_line', byFeed: true },
  { table: 'feed_fill', byFeed: true },
  { table: 'feed_config' },
  { table: 'feed_untold' },
  { table: 'feed_forecast' },
  { table: 'feed_forecast_name' },
  { table: 'feed_told' },
  { table: 'feed_file' },
  { table: 'webhook_delta' },
  { table: 'webhook' },
  { table: 'popularity_name' },
  { table: 'product_companions' },
  { table: 'product_popularity' },
  { table: 'search_posting', bySegment: true },
  { table: 'search_column', bySegment: true },
  { table: 'search_segment_word', bySegment: true },
  { table: 'search_document' },
  { table: 'search_word' },
  { table: 'search_segment' },
  { table: 'search_rule' },
  { table: 'outbox' },
  { table: 'published' },
  { table: 'products' },
  { table: 'fork_product' },
  { table: 'product_identity' },
  { table: 'identity_gained' },
  { table: 'dead_attempt' },
  { table: 'dead_record' },
  { table: 'import_row', byImport: true },
  { table: 'import_outcome', byImport: true },
  { table: 'import_progress', byImport: true },
  { table: 'url_import_item' },
  { table: 'image_check' },
  { table: 'voided_import' },
  { table: 'file_source' },
  { table: 'import' },
  { table: 'publish' },
] as const

/** Readers of `catalog.changes` have been told that it went, and nobody is bringing it back. */
const dueSql = `
  select c.catalog_id as catalog from catalog c
    left join change_cursor r on r.catalog_id = c.catalog_id
   where c.deleted_at < now() - $1 * interval '1 day' and c.purged_at is null
     and (c.published_version = 0 or coalesce(r.gone, true))
     and not exists (select from job j where j.catalog_id = c.catalog_id and j.status in ('queued', 'active'))
   order by c.deleted_at limit 1 for update of c skip locked`

/** Bytes that lie beside the database: told of them before their rows go. */
export interface Removing {
  readonly files: (spools: readonly string[]) => Promise<void>
  readonly feedFiles: (ids: readonly string[]) => Promise<void>
}

/**
 * @returns whether there may be more to do
 */
export async function purgeStep(pool: Pool, keptDays: number, removing: Removing): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ catalog: string }>(dueSql, [keptDays])
    const [due] = rows
    if (!due) return false
    for (const step of tables) {
      if (step.table === 'import') await removing.files(await spoolsOf(tx, due.catalog))
      if (step.table === 'feed_file') await removing.feedFiles(await feedFilesOf(tx, due.catalog))
      if ((await emptyStep(tx, due.catalog, step)) > 0) return true
    }
    // Together: a catalog without a cursor has all yet to be told, but for one that is purged.
    await tx.query('delete from change_cursor where catalog_id = $1', [due.catalog])
    await tx.query('update catalog set purged_at = now() where catalog_id = $1', [due.catalog])
    return true
  })
}

async function emptyStep(tx: PoolClient, catalog: string, { table, ...by }: (typeof tables)[number]): Promise<number> {
  const where =
    'byImport' in by
      ? 'import_id in (select import_id from import where catalog_id = $1)'
      : 'byFeed' in by
        ? 'config_id in (select config_id from feed_config where catalog_id = $1)'
        : 'bySegment' in by
          ? 'segment_id in (select segment_id from search_segment where catalog_id = $1)'
          : 'catalog_id = $1'
  const { rowCount } = await tx.query(
    `delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit ${stepRows}))`,
    [catalog],
  )
  return rowCount ?? 0
}

async function feedFilesOf(tx: PoolClient, catalog: string): Promise<string[]> {
  const sql = `select file_id as id from feed_file where catalog_id = $1 limit ${stepRows}`
  return (await tx.query<{ id: string }>(sql, [catalog])).rows.map(({ id }) => id)
}

/** The same bytes are kept once, for whoever sent them. */
async function spoolsOf(tx: PoolClient, catalog: string): Promise<string[]> {
  const { rows } = await tx.query<{ spool: string }>(
    `select i.spool from import i where i.catalog_id = $1 and i.spool <> '' and i.file_gone_at is null
        and not exists (select from import o where o.spool = i.spool and o.catalog_id <> $1) limit ${stepRows}`,
    [catalog],
  )
  return rows.map(({ spool }) => spool)
}
