/** Files on their way to targets: what waits, and what came of each try. */
import type { Pool, PoolClient } from 'pg'
import type { FeedFile } from './feed-files.ts'
import type { FeedTarget, SealedTarget } from './feed-targets.ts'

/** To every target of the feed that the distribution is of; what waits of an earlier file there is not sent any more. */
const queueSql = `
  with targets as (
    select t.target_id, t.workspace_id, t.brand_id from feed_target t
     where t.brand_id = $2 and t.platform = $3 and exists (
       select from feed_distribution d join catalog c on c.brand_id = d.brand_id and c.deleted_at is null
        where d.brand_id = $2 and d.platform = $3 and d.enabled and c.catalog_id = $4
          and case when d.of_catalog is null then c.is_default else c.catalog_id = d.of_catalog end)),
  overtaken as (
    update feed_delivery set state = 'overtaken', next_at = null, ended_at = now()
     where state = 'waiting' and target_id in (select target_id from targets))
  insert into feed_delivery (file_id, target_id, workspace_id, brand_id, next_at)
  select $1, target_id, workspace_id, brand_id, now() from targets`

export async function queueDeliveries(
  tx: PoolClient,
  { id, brand, platform, catalog }: Pick<FeedFile, 'id' | 'brand' | 'platform' | 'catalog'>,
): Promise<void> {
  await tx.query(queueSql, [id, brand, platform, catalog])
}

/** A condition: whether there is any, those that are under way among them. */
export const areFeedDeliveriesDue = 'exists (select from feed_delivery where next_at <= now())'

export interface DueDelivery {
  readonly tries: number
  readonly file: Pick<FeedFile, 'id' | 'workspace' | 'brand' | 'platform' | 'extension' | 'bytes' | 'sha256'>
  readonly target: FeedTarget & SealedTarget
}

interface Row extends SealedTarget {
  readonly tries: number
  readonly file: string
  readonly workspace: string
  readonly brand: string
  readonly platform: string
  readonly extension: string
  readonly bytes: number
  readonly sha256: string
  readonly kind: FeedTarget['kind']
  readonly place: FeedTarget['place']
  readonly hostKey: string | null
  readonly by: string
  readonly createdAt: Date
}

/**
 * At most a hundred.
 * @param busy targets that something is on its way to: one after the other, so that the last that arrives is the latest
 * @param each how many of one workspace
 */
export async function dueDeliveries(
  pool: Pool,
  now: Date,
  busy: readonly string[],
  each: number,
): Promise<DueDelivery[]> {
  const { rows } = await pool.query<Row>(
    `select d.tries, f.file_id as file, f.workspace_id as workspace, f.brand_id as brand, f.platform, f.extension, f.bytes, f.sha256,
            t.target_id as id, t.kind, t.place, t.host_key as "hostKey", t.created_by as by, t.created_at as "createdAt", t.key_id as "keyId", t.sealed
       from (select *, row_number() over (partition by workspace_id order by next_at) as nth from feed_delivery
              where next_at <= $1 and target_id <> all ($2::uuid[])) d
       join feed_file f using (file_id) join feed_target t using (target_id)
      where nth <= $3 order by d.next_at limit 100`,
    [now, busy, each],
  )
  return rows.map(({ tries, file, extension, bytes, sha256, ...target }) => {
    const { workspace, brand, platform } = target
    return {
      tries,
      file: { id: file, workspace, brand, platform, extension, bytes, sha256 },
      target: target as DueDelivery['target'],
    }
  })
}

export interface DeliveryEnd {
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly nextAt: Date | null
  readonly ms: number
  readonly remote: string | null
  readonly code: string | null
  readonly says: string | null
}

/** @returns false where a later file has taken its place meanwhile, or the target is gone */
export async function noteDelivery(
  tx: PoolClient,
  { file, target }: Pick<DueDelivery, 'file' | 'target'>,
  end: DeliveryEnd,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update feed_delivery set state = $3, tries = tries + 1, next_at = $4, ms = $5, remote = $6, code = $7, says = $8,
            ended_at = case when $3 = 'waiting' then null else now() end
      where file_id = $1 and target_id = $2 and state = 'waiting'`,
    [file.id, target.id, end.state, end.nextAt, end.ms, end.remote, end.code, end.says],
  )
  return rowCount === 1
}

/** The key of a first connection is the one from then on, unless the target has become another place meanwhile. */
export async function pinHostKey(tx: PoolClient, { id, place }: FeedTarget, key: string): Promise<boolean> {
  const sql = 'update feed_target set host_key = $2 where target_id = $1 and host_key is null and place = $3'
  return (await tx.query(sql, [id, key, JSON.stringify(place)])).rowCount === 1
}

/** To one person, beside what jobs tell. */
export async function tellPerson(
  tx: PoolClient,
  of: { readonly workspace: string; readonly brand: string },
  subject: string,
  { kind, title, says }: { kind: string; title: string; says: string },
): Promise<void> {
  await tx.query(
    'insert into notification (workspace_id, brand_id, subject, kind, title, says) values ($1, $2, $3, $4, $5, $6)',
    [of.workspace, of.brand, subject, kind, title, says],
  )
}
