/** Brings a database to the present form: the API's role, the files of `migrations/` in order, the log's epoch and counters. */
import type { Client } from 'pg'
import { allTopics } from '../../schemas/topics.ts'
import { StartError } from '../start-error.ts'
import { type MigrationFile, migrationFiles } from './migration-files.ts'
import { connect } from './postgres.ts'

/** The open epoch of the log. */
export interface Epoch {
  readonly epoch: number
  readonly engine: string
  readonly partitions: number
}

/** A session lock of its own, so that two that migrate at once follow one another; see `lock-instance.ts` for the pair. */
export const migrationLock = 'select pg_advisory_lock(1634956409, 3)'

/**
 * Safe to call from two processes at once, and again.
 * @param wanted engine and partitions of the first epoch, where the database has none
 * @throws StartError where a file that was applied has changed, or the role cannot be made
 */
export async function migrate(
  url: string,
  wanted: Omit<Epoch, 'epoch'> = { engine: 'postgres', partitions: 4 },
): Promise<Epoch> {
  const client = await connect(url)
  try {
    await client.query(migrationLock)
    await ensureApiRole(client)
    await applyFiles(client)
    return await ensureEpoch(client, wanted)
  } finally {
    await client.end()
  }
}

/**
 * Roles belong to the server and the lock to one database: another database's migration may be making the role just now.
 * From version 16 on, who makes a role may not yet take it on.
 */
const apiRole = `
do $$
declare
  v16 boolean := current_setting('server_version_num')::int >= 160000;
begin
  begin
    if to_regrole('assay_api') is null then create role assay_api nologin; end if;
  exception when duplicate_object or unique_violation then null;
  end;
  if not pg_has_role('assay_api', case when v16 then 'set' else 'member' end) then
    execute format('grant assay_api to %I', current_user) || case when v16 then ' with set true' else '' end;
  end if;
end $$`

export async function ensureApiRole(client: Client): Promise<void> {
  try {
    await client.query(apiRole)
  } catch (cause) {
    const administrator = 'let an administrator run: create role assay_api nologin; grant assay_api to that user'
    throw new StartError(`The database user may not make the role assay_api; ${administrator}`, { cause })
  }
}

async function applyFiles(client: Client): Promise<void> {
  await client.query(migrationTable)
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration')
  const files = await migrationFiles()
  const foreign = foreignTo(files, rows)
  if (foreign?.known === false)
    throw new StartError(`The database was migrated by a newer Assay (${foreign.name}); start that one`)
  if (foreign)
    throw new StartError(`The migration ${foreign.name} was applied in another form; a shipped migration never changes`)
  const applied = new Set(rows.map(({ name }) => name))
  for (const file of files) if (!applied.has(file.name)) await applyFile(client, file)
}

export const migrationTable = `create table if not exists schema_migration (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
)`

/** @returns the first that these files do not have, or have in another form: they cannot go on where it ended */
export function foreignTo(
  files: readonly MigrationFile[],
  applied: readonly { readonly name: string; readonly sha256: string }[],
): { readonly name: string; readonly known: boolean } | null {
  const sums = new Map(files.map(({ name, sha256 }) => [name, sha256]))
  const found = applied.find(({ name, sha256 }) => sums.get(name) !== sha256)
  return found ? { name: found.name, known: sums.has(found.name) } : null
}

async function applyFile(client: Client, file: MigrationFile): Promise<void> {
  await client.query('begin')
  try {
    await applyWithin(client, file)
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw cause
  }
}

/** In the transaction under way. @throws StartError */
export async function applyWithin(client: Client, { name, sql, sha256 }: MigrationFile): Promise<void> {
  try {
    await client.query(sql)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256])
  } catch (cause) {
    throw new StartError(`The migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}

/** The counters of all topics are there from the start, so that their ends can be read; any other is made by its first append. */
async function ensureEpoch(client: Client, wanted: Omit<Epoch, 'epoch'>): Promise<Epoch> {
  await client.query(
    `insert into log_epoch (epoch, engine, partitions)
     select 1, $1, $2 where not exists (select from log_epoch)`,
    [wanted.engine, wanted.partitions],
  )
  const { rows } = await client.query<Epoch>(
    'select epoch, engine, partitions from log_epoch where closed_at is null order by epoch desc limit 1',
  )
  const [open] = rows
  if (!open) throw new StartError('The log has no open epoch; assay migrate-log did not finish, run it again')
  await client.query(
    `insert into log_counter (topic, partition)
     select topic, partition from unnest($1::text[]) topic, generate_series(0, $2 - 1) partition
     on conflict do nothing`,
    [allTopics, open.partitions],
  )
  return open
}
