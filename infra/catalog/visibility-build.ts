/** A visibility snapshot while it is being taken: what a version offers, page by page, and which of its products were named. */
import type { Pool, PoolClient } from 'pg'
import { mostProductsKept } from '../../schemas/visibility.ts'
import { scoreSql } from './rank-sql.ts'

export interface SnapshotPlace {
  readonly job: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly day: string
  readonly version: number
}

/** Products of a version; lists are by the bits of platforms that were asked for. */
export interface Offered {
  readonly offered: number
  readonly searchable: number
  readonly unjudged: number
  readonly valid: readonly number[]
  readonly ready: readonly number[]
}

/** By keys, whatever statistics say (see publish-chunk.ts). A grade says something of what is published only while that is what was graded. */
const pageSql = `
  with v as materialized (
    select w from weights_version join workspace using (workspace_id) where workspace_id = $8 and number = weights_number),
  page as (
    select product_id, hash, coalesce(content -> 'product' ->> 'title', '') <> '' as titled from published
     where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
     order by product_id limit $4),
  judged as (
    select b.product_id, b.titled, s.valid, s.score
      from page b
      left join lateral (
        select content_hash from products where catalog_id = $1 and product_id = b.product_id and alive limit 1) p on true
      left join lateral (
        select s.valid, ${scoreSql} as score from product_score s, v
         where s.catalog_id = $1 and s.product_id = b.product_id and s.rubric_version = $5 and p.content_hash = b.hash limit 1) s on true)
  select count(*) as offered, count(*) filter (where titled) as searchable, count(*) filter (where valid is null) as unjudged,
         (array_agg(product_id order by product_id desc))[1] as last,
         array(select count(*) filter (where j.valid & m.bits = m.bits) from judged j right join unnest($6::int[]) with ordinality m (bits, place) on true
                group by m.place order by m.place) as valid,
         array(select count(*) filter (where j.valid & m.bits = m.bits and j.score >= $7) from judged j
                right join unnest($6::int[]) with ordinality m (bits, place) on true group by m.place order by m.place) as ready
    from judged`

/** @param bits of platforms @returns the page's counts and its last product; null where there is none any more */
export async function offeredPage(
  pool: Pool,
  { workspace, catalog, version }: Pick<SnapshotPlace, 'workspace' | 'catalog' | 'version'>,
  { bits, rubric, readyFrom }: { bits: readonly number[]; rubric: number; readyFrom: number },
  after: string | null,
  limit: number,
): Promise<(Offered & { readonly last: string }) | null> {
  const { rows } = await pool.query<Offered & { last: string | null }>(pageSql, [
    ...[catalog, version, after, limit],
    ...[rubric, bits, readyFrom, workspace],
  ])
  const [row] = rows
  return row?.last ? { ...row, last: row.last } : null
}

/** A name is a product's id, or the SKU that it alone has; what is not published is nobody's. */
const nameSql = `
  with named as (
    select u.channel, u.n, coalesce(i.product_id, k.product_id) as product, i.product_id is not null as by_id,
           case when i.product_id is null then u.name end as sku
      from unnest($3::text[], $4::text[], $5::bigint[]) as u (channel, name, n)
      left join lateral (
        select product_id from products
         where catalog_id = $1 and product_id = case when u.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then u.name::uuid end limit 1) i on true
      left join lateral (
        select (array_agg(q.product_id))[1] as product_id from (
          select product_id from products where catalog_id = $1 and sku = u.name and alive and kind <> 'parent' limit 2) q
        having count(*) = 1) k on true),
  known as (
    select channel, n, product, by_id, sku from named n
     where exists (select from published p where p.catalog_id = $1 and p.product_id = n.product and p.valid_from <= $2 and p.valid_to > $2
                      and p.content is not null)),
  added as (
    insert into visibility_build as b (job_id, channel, product_id, appearances, by_id, sku)
    select $6, channel, product, sum(n), bool_or(by_id), max(sku) from known group by channel, product
    on conflict (job_id, channel, product_id) do update set appearances = b.appearances + excluded.appearances,
      by_id = b.by_id or excluded.by_id, sku = coalesce(b.sku, excluded.sku))
  select u.channel, count(*) - (select count(*) from known k where k.channel = u.channel) as unknown
    from unnest($3::text[]) as u (channel) group by u.channel`

/** @returns by channel, names that are no published product's */
export async function addNames(
  tx: PoolClient,
  { job, catalog, version }: SnapshotPlace,
  named: readonly { readonly channel: string; readonly name: string; readonly events: number }[],
): Promise<{ channel: string; unknown: number }[]> {
  await tx.query('set local enable_seqscan = off')
  const [channels, names, counts] = [
    named.map(({ channel }) => channel),
    named.map(({ name }) => name),
    named.map(({ events }) => events),
  ]
  const values = [catalog, version, channels, names, counts, job]
  return (await tx.query<{ channel: string; unknown: number }>(nameSql, values)).rows
}

/** A product that events name in two ways. */
export interface TwiceNamed {
  readonly channel: string
  readonly product: string
  readonly sku: string
}

/** In order of channel and product. */
export async function namedTwice(
  tx: Pool | PoolClient,
  job: string,
  after: readonly [channel: string, product: string] | null,
  limit: number,
): Promise<TwiceNamed[]> {
  const { rows } = await tx.query<TwiceNamed>(
    `select channel, product_id as product, sku from visibility_build
      where job_id = $1 and by_id and sku is not null and ($2::text is null or (channel, product_id) > ($2, $3::uuid))
      order by channel, product_id limit $4`,
    [job, ...(after ?? [null, null]), limit],
  )
  return rows
}

/** What was counted for both of a product's names was counted twice. */
export async function takeOff(
  tx: PoolClient,
  job: string,
  both: readonly { readonly channel: string; readonly product: string; readonly events: number }[],
): Promise<void> {
  await tx.query(
    `update visibility_build b set appearances = b.appearances - u.n
       from (select channel, product, sum(n) as n from unnest($2::text[], $3::uuid[], $4::bigint[]) u (channel, product, n) group by channel, product) u
      where b.job_id = $1 and b.channel = u.channel and b.product_id = u.product`,
    [job, both.map(({ channel }) => channel), both.map(({ product }) => product), both.map(({ events }) => events)],
  )
}

export async function countSeen(tx: PoolClient, job: string): Promise<Map<string, number>> {
  const sql = 'select channel, count(*) as seen from visibility_build where job_id = $1 group by channel'
  const { rows } = await tx.query<{ channel: string; seen: number }>(sql, [job])
  return new Map(rows.map(({ channel, seen }) => [channel, seen]))
}

export interface ChannelFigures {
  readonly channel: string
  readonly recorder: string
  readonly offered: number | null
  readonly valid: number
  readonly feedReady: number
  readonly unjudged: number
  readonly searchable: number
  readonly events: number
  readonly nothing: number
  readonly unnamed: number
  readonly seen: number | null
  readonly seenAtLeast: boolean
  readonly unknown: number
}

/** In place of the one that was taken of the same day before. */
export async function writeSnapshot(
  tx: PoolClient,
  p: SnapshotPlace,
  at: { readonly takenAt: Date; readonly complete: boolean; readonly lag: number; readonly store: string },
  channels: readonly ChannelFigures[],
): Promise<void> {
  for (const table of ['visibility_product', 'visibility_channel'])
    await tx.query(`delete from ${table} where catalog_id = $1 and day = $2`, [p.catalog, p.day])
  await tx.query(
    `insert into visibility_snapshot as s (catalog_id, day, workspace_id, brand_id, version, taken_at, complete, lag, store, taking)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (catalog_id, day) do update set version = excluded.version, taken_at = excluded.taken_at, complete = excluded.complete,
       lag = excluded.lag, store = excluded.store`,
    [p.catalog, p.day, p.workspace, p.brand, p.version, at.takenAt, at.complete, at.lag, at.store, p.job],
  )
  await tx.query(
    `insert into visibility_channel (catalog_id, day, workspace_id, brand_id, channel, recorder, offered, valid, feed_ready, unjudged,
       searchable, events, nothing, unnamed, seen, seen_at_least, unknown)
     select $1, $2, $3, $4, c.channel, c.recorder, c.offered, c.valid, c."feedReady", c.unjudged, c.searchable, c.events, c.nothing,
            c.unnamed, c.seen, c."seenAtLeast", c.unknown
       from jsonb_to_recordset($5::jsonb) as c (channel text, recorder text, offered bigint, valid bigint, "feedReady" bigint, unjudged bigint,
            searchable bigint, events bigint, nothing bigint, unnamed bigint, seen bigint, "seenAtLeast" boolean, unknown bigint)`,
    [p.catalog, p.day, p.workspace, p.brand, JSON.stringify(channels)],
  )
  await tx.query(
    `insert into visibility_product (catalog_id, day, workspace_id, brand_id, channel, product_id, appearances)
     select $1, $2, $3, $4, c.channel, b.product_id, b.appearances
       from visibility_channel c
      cross join lateral (
        select product_id, appearances from visibility_build
         where job_id = $5 and channel = c.channel order by appearances desc, product_id limit ${mostProductsKept}) b
      where c.catalog_id = $1 and c.day = $2`,
    [p.catalog, p.day, p.workspace, p.brand, p.job],
  )
  await tx.query('delete from visibility_build where job_id = $1', [p.job])
}
