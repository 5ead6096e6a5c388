/** Stored files of feeds: rows of whole files, which is the newest, and which are kept no longer. */
import type { Pool, PoolClient } from 'pg'
import type { DeliveryOutcome, FeedFileState, FileGuard } from '../../schemas/feed-file.ts'
import type { FeedFormat } from '../../schemas/feeds/feed-formats.ts'

export interface FeedFile {
  readonly id: string
  /** That made it. */
  readonly job: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly platform: string
  readonly config: number
  readonly edition: number
  readonly profileVersion: number
  readonly format: FeedFormat
  readonly gzip: boolean
  /** Of a name, without the dot before it. */
  readonly extension: string
  readonly state: FeedFileState
  readonly lines: number
  readonly bytes: number
  readonly sha256: string
  /** Of its lines as JSON. */
  readonly linesSha256: string
  readonly guard: FileGuard
  readonly madeAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
}

export interface FileDelivery {
  readonly targetId: string
  readonly state: DeliveryOutcome
  readonly tries: number
  readonly nextAt: string | null
  readonly endedAt: string | null
  readonly ms: number | null
  readonly remote: string | null
  readonly code: string | null
  readonly says: string | null
}

const columns = `f.file_id as id, f.job_id as job, f.workspace_id as workspace, f.brand_id as brand, f.catalog_id as catalog, f.platform, f.config_id as config,
  f.edition, f.profile_version as "profileVersion", f.format, f.gzip, f.extension, f.state, f.lines, f.bytes, f.sha256, f.lines_sha256 as "linesSha256",
  f.guard, f.made_at as "madeAt", f.decided_at as "decidedAt", f.decided_by as "decidedBy"`

/** Whoever decides about files of a feed waits for whoever does so now. */
export async function lockFeedFiles(tx: PoolClient, catalog: string, platform: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`feed files ${catalog} ${platform}`])
}

/** @returns the job that makes one now */
export async function runningGeneration(tx: PoolClient, catalog: string, platform: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select job_id as id from job
      where catalog_id = $1 and kind = 'feed_file' and status in ('queued', 'active') and input ->> 'platform' = $2 limit 1`,
    [catalog, platform],
  )
  return rows[0]?.id ?? null
}

export async function insertFeedFile(
  tx: PoolClient,
  f: Omit<FeedFile, 'madeAt' | 'decidedAt' | 'decidedBy'>,
): Promise<void> {
  await tx.query(
    `insert into feed_file (file_id, workspace_id, brand_id, catalog_id, platform, config_id, edition, profile_version, format, gzip, extension,
       state, lines, bytes, sha256, lines_sha256, guard, job_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      ...[f.id, f.workspace, f.brand, f.catalog, f.platform, f.config, f.edition, f.profileVersion, f.format],
      ...[f.gzip, f.extension, f.state, f.lines, f.bytes, f.sha256, f.linesSha256, JSON.stringify(f.guard), f.job],
    ],
  )
}

/** The one in force: the newest that nobody holds or refused. */
export async function currentFeedFile(
  client: Pool | PoolClient,
  catalog: string,
  platform: string,
): Promise<FeedFile | null> {
  const { rows } = await client.query<FeedFile>(
    `select ${columns} from feed_file f where catalog_id = $1 and platform = $2 and state = 'ready' order by made_at desc, file_id desc limit 1`,
    [catalog, platform],
  )
  return rows[0] ?? null
}

export async function findFeedFile(
  tx: PoolClient,
  id: string,
  catalog: string,
  platform: string,
): Promise<FeedFile | null> {
  const sql = `select ${columns} from feed_file f where file_id = $1 and catalog_id = $2 and platform = $3`
  return (await tx.query<FeedFile>(sql, [id, catalog, platform])).rows[0] ?? null
}

/** Newest first, each with what became of sending it. @param after the id that the page before ended with */
export async function listFeedFiles(
  tx: PoolClient,
  { catalog, platform, after, limit }: { catalog: string; platform: string; after: string | null; limit: number },
): Promise<(FeedFile & { deliveries: FileDelivery[] })[]> {
  const { rows } = await tx.query<FeedFile & { deliveries: FileDelivery[] }>(
    `select ${columns}, coalesce((
        select json_agg(json_build_object('targetId', target_id, 'state', state, 'tries', tries, 'nextAt', to_json(next_at at time zone 'UTC') #>> '{}' || 'Z',
                 'endedAt', to_json(ended_at at time zone 'UTC') #>> '{}' || 'Z', 'ms', ms, 'remote', remote, 'code', code, 'says', says) order by target_id)
          from feed_delivery d where d.file_id = f.file_id), '[]') as deliveries
       from feed_file f
      where catalog_id = $1 and platform = $2
        and ($3::uuid is null or (made_at, file_id) < (select made_at, file_id from feed_file where file_id = $3))
      order by made_at desc, file_id desc limit $4`,
    [catalog, platform, after, limit],
  )
  return rows
}

export async function decideFeedFile(tx: PoolClient, id: string, to: 'ready' | 'refused', by: string): Promise<void> {
  await tx.query('update feed_file set state = $2, decided_at = now(), decided_by = $3 where file_id = $1', [
    id,
    to,
    by,
  ])
}

/** A later one is in force. */
export async function isOvertaken(tx: PoolClient, { id, catalog, platform }: FeedFile): Promise<boolean> {
  const sql = `select from feed_file f
    where catalog_id = $2 and platform = $3 and state = 'ready' and (made_at, file_id) > (select made_at, file_id from feed_file where file_id = $1) limit 1`
  return (await tx.query(sql, [id, catalog, platform])).rowCount === 1
}

/** Beyond as many as their distribution keeps; the one in force stays, however many were held since. */
export async function feedFilesPastKeeping(pool: Pool, usual: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from (
       select f.file_id as id, coalesce(d.kept_files, $1) as kept, f.state,
              row_number() over (partition by f.catalog_id, f.platform order by f.made_at desc, f.file_id desc) as nth,
              row_number() over (partition by f.catalog_id, f.platform, f.state order by f.made_at desc, f.file_id desc) as nth_of_state
         from feed_file f left join feed_distribution d on d.brand_id = f.brand_id and d.platform = f.platform) n
      where nth > kept and not (state = 'ready' and nth_of_state = 1) limit 100`,
    [usual],
  )
  return rows.map(({ id }) => id)
}

/** With what became of sending it. */
export async function deleteFeedFile(pool: Pool, id: string): Promise<void> {
  await pool.query('delete from feed_file where file_id = $1', [id])
}
