/** Which visibility snapshots are to be taken, and those that were. */
import type { Pool, PoolClient } from 'pg'
import type { ChannelFigures } from './visibility-build.ts'

export interface SnapshotOrder {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly version: number
}

const isBeingTaken = `exists (select from job j where j.job_id = s.taking and j.status in ('queued', 'active'))`

/** Held until the transaction ends. @returns the job that is taking it already */
export async function claimSnapshot(
  tx: PoolClient,
  { workspace, brand, catalog }: SnapshotOrder,
  day: string,
  job: string,
): Promise<string | null> {
  // Whoever waits for the row of another does not see that other's job: the statement began before it was there.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('visibility:' || $1, 0))`, [catalog])
  const { rowCount } = await tx.query(
    `insert into visibility_snapshot as s (catalog_id, day, workspace_id, brand_id, taking) values ($1, $2, $3, $4, $5)
     on conflict (catalog_id, day) do update set taking = excluded.taking where s.taking is null or not ${isBeingTaken}`,
    [catalog, day, workspace, brand, job],
  )
  if (rowCount === 1) return null
  const sql = 'select taking from visibility_snapshot where catalog_id = $1 and day = $2'
  return (await tx.query<{ taking: string }>(sql, [catalog, day])).rows[0]?.taking ?? null
}

/**
 * Published catalogs whose day has had no job of its own, which they have with this: whatever comes of it, there is no second. One
 * that is being taken on demand is left until that has ended.
 * @param ids of the jobs to be
 */
export async function dueSnapshots(
  tx: PoolClient,
  day: string,
  ids: readonly string[],
): Promise<(SnapshotOrder & { readonly job: string })[]> {
  const { rows } = await tx.query<SnapshotOrder & { job: string }>(
    `with due as (
       select c.catalog_id, c.workspace_id, c.brand_id, c.published_version, row_number() over (order by c.catalog_id) as place
         from catalog c join workspace w on w.workspace_id = c.workspace_id and w.deleted_at is null
         left join visibility_snapshot s on s.catalog_id = c.catalog_id and s.day = $1
        where c.deleted_at is null and c.published_version > 0 and c.created_at < $1::date + 1
          and not coalesce(s.scheduled, false) and not coalesce(${isBeingTaken}, false)
        order by c.catalog_id limit cardinality($2::uuid[])),
     claimed as (
       insert into visibility_snapshot as s (catalog_id, day, workspace_id, brand_id, taking, scheduled)
       select catalog_id, $1, workspace_id, brand_id, ($2::uuid[])[place], true from due order by catalog_id
       on conflict (catalog_id, day) do update set taking = excluded.taking, scheduled = true where not s.scheduled
       returning catalog_id, taking)
     select c.taking as job, d.catalog_id as catalog, d.workspace_id as workspace, d.brand_id as brand, d.published_version as version
       from claimed c join due d using (catalog_id) order by d.catalog_id`,
    [day, ids],
  )
  return rows
}

export interface TakenSnapshot {
  readonly day: string
  readonly version: number
  readonly takenAt: Date
  readonly complete: boolean
  readonly lag: number
  readonly store: string
  /** Day of the one before, and whether that day was over. */
  readonly since: string | null
  readonly sinceComplete: boolean | null
  readonly channels: readonly (ChannelFigures & { readonly before: ChannelFigures | null })[]
}

const figures = (
  c: string,
) => `json_build_object('channel', ${c}.channel, 'recorder', ${c}.recorder, 'offered', ${c}.offered,
  'valid', ${c}.valid, 'feedReady', ${c}.feed_ready, 'unjudged', ${c}.unjudged, 'searchable', ${c}.searchable, 'events', ${c}.events,
  'nothing', ${c}.nothing, 'unnamed', ${c}.unnamed, 'seen', ${c}.seen, 'seenAtLeast', ${c}.seen_at_least, 'unknown', ${c}.unknown)`

/** Oldest first, each with the one before it. @param channel null: all */
export async function listSnapshots(
  tx: PoolClient,
  catalog: string,
  { from, to, channel }: { from: string; to: string; channel: string | null },
): Promise<TakenSnapshot[]> {
  const { rows } = await tx.query<
    Omit<TakenSnapshot, 'channels'> & { channels: (ChannelFigures & { before: ChannelFigures | null })[] }
  >(
    `select s.day::text as day, s.version, s.taken_at as "takenAt", s.complete, s.lag, s.store, b.day::text as since, b.complete as "sinceComplete",
            array(select ${figures('c')}::jsonb || jsonb_build_object('before', case when o.channel is not null then ${figures('o')} end)
                    from visibility_channel c
                    left join visibility_channel o on o.catalog_id = c.catalog_id and o.day = b.day and o.channel = c.channel
                   where c.catalog_id = s.catalog_id and c.day = s.day and ($4::text is null or c.channel = $4) order by c.channel) as channels
       from visibility_snapshot s
       left join lateral (
         select day, complete from visibility_snapshot
          where catalog_id = s.catalog_id and day < s.day and taken_at is not null order by day desc limit 1) b on true
      where s.catalog_id = $1 and s.day between $2 and $3 and s.taken_at is not null order by s.day`,
    [catalog, from, to, channel],
  )
  return rows
}

/** The last that was taken up to a day, where the channel is in it. */
export async function findSnapshot(
  tx: PoolClient,
  catalog: string,
  day: string | null,
  channel: string,
): Promise<
  (Pick<TakenSnapshot, 'day' | 'complete' | 'since'> & Pick<ChannelFigures, 'events' | 'unnamed' | 'seen'>) | null
> {
  const { rows } = await tx.query(
    `select s.day::text as day, s.complete, c.events, c.unnamed, c.seen,
            (select max(b.day)::text from visibility_snapshot b where b.catalog_id = s.catalog_id and b.day < s.day and b.taken_at is not null) as since
       from visibility_snapshot s join visibility_channel c on c.catalog_id = s.catalog_id and c.day = s.day and c.channel = $3
      where s.catalog_id = $1 and s.taken_at is not null and ($2::date is null or s.day = $2) order by s.day desc limit 1`,
    [catalog, day, channel],
  )
  return rows[0] ?? null
}

export interface VisibleProduct {
  readonly id: string
  readonly sku: string | null
  readonly title: string | null
  readonly appearances: number
  /** In the snapshot before: null where that is not kept. */
  readonly before: number | null
}

/** The most often met first. */
export async function listVisible(
  tx: PoolClient,
  { catalog, day, since, channel }: { catalog: string; day: string; since: string | null; channel: string },
  after: { readonly appearances: number; readonly id: string } | null,
  limit: number,
): Promise<VisibleProduct[]> {
  const { rows } = await tx.query<VisibleProduct>(
    `select v.product_id as id, p.sku, p.title, v.appearances, b.appearances as before
       from (select product_id, appearances from visibility_product
              where catalog_id = $1 and day = $2 and channel = $3
                and ($4::bigint is null or appearances < $4 or appearances = $4 and product_id > $5::uuid)
              order by appearances desc, product_id limit $6) v
       left join products p on p.catalog_id = $1 and p.product_id = v.product_id
       left join visibility_product b on b.catalog_id = $1 and b.day = $7 and b.channel = $3 and b.product_id = v.product_id
      order by v.appearances desc, v.product_id`,
    [catalog, day, channel, after?.appearances ?? null, after?.id ?? null, limit, since],
  )
  return rows
}

/** Single products of old snapshots, and what was left of jobs that did not come to their end. */
export async function sweepVisible(pool: Pool, keptDays: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000)
  const old = `delete from visibility_product where ctid = any (array(select ctid from visibility_product where day < $1::date limit 10000))`
  while (((await pool.query(old, [before])).rowCount ?? 0) > 0);
  await pool.query(
    `delete from visibility_build b where not exists (select from job j where j.job_id = b.job_id and j.status in ('queued', 'active'))`,
  )
}
