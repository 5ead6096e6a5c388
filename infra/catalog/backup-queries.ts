/** What a backup must know of the database: its migrations, tables, sequences, log positions, and the files that its rows name. */
import type { Client } from 'pg'
import type { BackupManifest, BackupSequence } from '../../schemas/backup.ts'
import { manifestOf } from '../archive/write-range.ts'

export interface StoredTable {
  readonly name: string
  readonly columns: string[]
  readonly parent: string | null
  readonly bound: string | null
  /** On disk, about. */
  readonly size: number
}

/** @returns null where no Assay was here */
export async function appliedMigrations(client: Client): Promise<{ name: string; sha256: string }[] | null> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('schema_migration') is not null as there`)
  if (!rows[0]?.there) return null
  return (
    await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration order by name')
  ).rows
}

/**
 * All that have rows of their own, the largest first: whatever a migration or a running Assay has made is in it without being named.
 * pg-boss's queue lies in a schema of its own and is left out: our table `job` says what is to be done.
 */
export async function storedTables(client: Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name, coalesce(pg_table_size(c.oid), 0) as size, pg_get_expr(c.relpartbound, c.oid) as bound,
            (select p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid) as parent,
            (select json_agg(a.attname order by a.attnum) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence <> 't'
      order by size desc, name`,
  )
  return rows
}

/** Segments of the log are dropped once they are archived; one that a backup is to read stays until that ends. */
export async function holdPartitions(client: Client, tables: readonly StoredTable[]): Promise<void> {
  const names = tables.filter(({ parent }) => parent !== null).map(({ name }) => client.escapeIdentifier(name))
  if (names.length > 0) await client.query(`lock table ${names.join(', ')} in access share mode`)
}

/** No snapshot holds a sequence: read later than the tables it is never behind them, so no number is given twice. */
export async function sequences(client: Client): Promise<BackupSequence[]> {
  const { rows: names } = await client.query<{ name: string }>(
    'select sequencename as name from pg_sequences where schemaname = current_schema() order by 1',
  )
  const found: BackupSequence[] = []
  for (const { name } of names) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${client.escapeIdentifier(name)}`,
    )
    if (rows[0]) found.push({ name, ...rows[0] })
  }
  return found
}

export async function logPositions(client: Client): Promise<BackupManifest['log']> {
  const { rows: epochs } = await client.query<{ engine: string; epoch: number; partitions: number }>(
    'select engine, epoch, partitions from log_epoch order by epoch desc limit 1',
  )
  const { rows: ends } = await client.query<BackupManifest['log']['ends'][number]>(
    'select topic, partition, next_offset as next from log_counter order by topic, partition',
  )
  const { rows: consumers } = await client.query<BackupManifest['log']['consumers'][number]>(
    `select consumer_group as "group", epoch, topic, partition, next_offset as next from sink_position
      order by consumer_group, epoch, topic, partition`,
  )
  return { ...(epochs[0] ?? { engine: 'postgres', epoch: 1, partitions: 0 }), ends, consumers }
}

/** Names in the spool, with slashes: files of imports and previews, and parts of uploads that nobody completed yet. */
const keptSql = `
  select regexp_replace(spool, '^.*[/\\\\]', '') as name from import where spool <> '' and file_gone_at is null
  union select regexp_replace(spool, '^.*[/\\\\]', '') from preview
  union select 'uploads/' || upload_id || '/' || file from upload_part join upload using (upload_id) where ended_at is null`
const pageFiles = 1_000

/** Of feeds, where they do not lie in a bucket. */
const feedFilesSql = `union select 'feeds/' || file_id from feed_file where state <> 'refused'`

/** In the transaction under way. */
export async function* keptFiles(client: Client, withFeeds: boolean): AsyncGenerator<string> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('feed_file') is not null as there`)
  // An older Assay had none.
  yield* inPages(client, withFeeds && rows[0]?.there ? `${keptSql} ${feedFilesSql}` : keptSql)
}

/** Files of the archive and the manifest beside each, in its folder. */
export async function* archivedFiles(client: Client): AsyncGenerator<string> {
  const archived = 'select path as name from log_archive where kept_at is not null'
  for await (const name of inPages(client, archived)) yield* [name, manifestOf(name)]
}

async function* inPages(client: Client, sql: string): AsyncGenerator<string> {
  await client.query(`declare kept_files no scroll cursor for ${sql}`)
  for (;;) {
    const { rows } = await client.query<{ name: string }>(`fetch ${pageFiles} from kept_files`)
    for (const { name } of rows) yield name
    if (rows.length < pageFiles) break
  }
  await client.query('close kept_files')
}

export async function serverVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? ''
}
