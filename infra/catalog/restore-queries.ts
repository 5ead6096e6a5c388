/** What restoring does to an empty database beside copying rows in; all within the one transaction of the restore. */
import type { Client } from 'pg'
import type { BackupManifest, BackupSequence, BackupTable } from '../../schemas/backup.ts'

/** Tables, views and sequences that somebody made. */
export async function countRelations(client: Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*) as n from pg_class c join pg_namespace s on s.oid = c.relnamespace
      where s.nspname !~ '^(pg_|information_schema)' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  )
  return rows[0]?.n ?? 0
}

/** As the log makes its segments: attached, with the parent's key. */
export async function makePartition(client: Client, { name, parent, bound }: BackupTable): Promise<void> {
  if (parent === null || bound === null) throw new Error(`${name} is no partition`)
  const [table, of] = [client.escapeIdentifier(name), client.escapeIdentifier(parent)]
  await client.query(`create table ${table} (like ${of} including storage)`)
  await client.query(`alter table ${of} attach partition ${table} ${bound}`)
}

export async function dropTable(client: Client, name: string): Promise<void> {
  await client.query(`drop table ${client.escapeIdentifier(name)}`)
}

/** Migrations have put rows in; and COPY freezes only what this transaction has emptied. */
export async function emptyTables(client: Client, names: readonly string[]): Promise<void> {
  await client.query(`truncate ${names.map((name) => client.escapeIdentifier(name)).join(', ')}`)
}

/** Tables whose triggers would change the rows that come in, such as one that numbers them. */
export async function triggeredTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`,
  )
  return rows.map(({ name }) => name)
}

export async function setTriggers(client: Client, names: readonly string[], to: 'enable' | 'disable'): Promise<void> {
  for (const name of names) await client.query(`alter table ${client.escapeIdentifier(name)} ${to} trigger user`)
}

/** Built over all rows at once they cost a fraction of what they cost row by row. */
export async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select x.relname as name, pg_get_indexdef(x.oid) as definition
       from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not c.relispartition
        and not exists (select from pg_constraint k where k.conindid = x.oid)
      order by 1`,
  )
  for (const { name } of rows) await client.query(`drop index ${client.escapeIdentifier(name)}`)
  return rows.map(({ definition }) => definition)
}

/** Each table and the tables that its rows refer to. */
export async function references(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; to: string[] }>(
    `select c.relname as name, array_agg(f.relname::text) as to
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace and f.oid <> c.oid group by 1`,
  )
  return new Map(rows.map(({ name, to }) => [name, to]))
}

export async function setSequence(client: Client, { name, value, called }: BackupSequence): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint, $3)', [client.escapeIdentifier(name), value, called])
}

/** Rows of before name their files by the folder in which these lay. */
export async function moveSpool(client: Client, spool: string): Promise<void> {
  for (const table of ['import', 'preview'])
    await client.query(
      `update ${table} set spool = $1 || regexp_replace(spool, '^.*[/\\\\]', '') where spool <> '' and spool is distinct from $1 || regexp_replace(spool, '^.*[/\\\\]', '')`,
      [spool],
    )
}

/**
 * Files that had gone when the backup came to them: their rows say so, as if they had been swept before. A part that is not there is to be sent
 * again.
 * @param names in the spool
 */
export async function forgetFiles(client: Client, spool: string, names: readonly string[]): Promise<void> {
  const paths = names.map((name) => spool + name)
  await client.query('update import set file_gone_at = now() where spool = any ($1) and file_gone_at is null', [paths])
  await client.query('delete from preview where spool = any ($1)', [paths])
  await client.query(`delete from upload_part where 'uploads/' || upload_id || '/' || file = any ($1)`, [names])
}

/**
 * Versions that readers of feeds have positions of may come again with other content: what feeds are made with gets new numbers, under
 * which no former position leads anywhere; and receivers of what publishes change are sent all anew. An old backup has neither.
 */
const anewSql = `
  do $$ begin
    if to_regclass('feed_config') is not null then update feed_config set retired_at = now() where retired_at is null; end if;
    if to_regclass('webhook_delta') is not null then
      update webhook_delta set push = gen_random_uuid(), position = null, round = null, is_full = false, part = 0, parts = null;
    end if;
  end $$`

export async function noteRestored(client: Client, { id, takenAt }: BackupManifest): Promise<void> {
  await client.query('insert into restored (backup_id, taken_at) values ($1, $2)', [id, takenAt])
  await client.query(anewSql)
}

/** @returns whether a restore of that backup came to its end here */
export async function isRestored(client: Client, id: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('restored') is not null as there`)
  if (!rows[0]?.there) return false
  return (await client.query('select from restored where backup_id = $1', [id])).rowCount !== 0
}

/** Jobs that had not ended, in pages by id, with the queue that each belongs to: an import whose file was not fetched yet begins there. */
export async function unfinishedJobs(
  client: Pick<Client, 'query'>,
  after: string | null,
): Promise<{ id: string; queue: string }[]> {
  const { rows } = await client.query<{ id: string; queue: string }>(
    `select j.job_id as id, case when j.kind = 'import' and i.spool = '' then 'fetch_file' else j.kind end as queue
       from job j left join import i on i.job_id = j.job_id
      where j.status in ('queued', 'active') and ($1::uuid is null or j.job_id > $1) order by j.job_id limit 1000`,
    [after],
  )
  return rows
}

export async function isQueueDue(client: Pick<Client, 'query'>): Promise<boolean> {
  return (await client.query('select from restored where queued_at is null limit 1')).rowCount !== 0
}

export async function queueFollowed(client: Pick<Client, 'query'>): Promise<void> {
  await client.query('update restored set queued_at = now() where queued_at is null')
}
