/** How popular products are while a job counts it: names of events become products, and a generation is written that nobody reads until it is in force. */
import type { Pool, PoolClient } from 'pg'
import { noId } from '../../schemas/event-row.ts'
import { type BasketMethod, leastRecent, popularityDays } from '../../schemas/recommendation.ts'
import { type PopularityMaker, writePopularity } from './popularity-columns.ts'

export interface PopularityPlace {
  readonly job: string
  readonly workspace: string
  readonly brand: string
  readonly generation: number
}

export interface CountedName {
  readonly name: string
  readonly hash: string
  readonly points: number
  readonly recent: number
  readonly before: number
  /** Events that put it into baskets of each kind. */
  readonly together: number
  readonly viewedTogether: number
}

export interface CountedPair {
  /** Hashes of names. */
  readonly a: string
  readonly b: string
  /** Baskets that both are in. */
  readonly baskets: number
}

const stepRows = 10_000

/** Each job has a number of its own, also where the one before it did not come to its end. */
export async function beginGeneration(tx: PoolClient, brand: string): Promise<number> {
  const sql = 'update popularity set begun = greatest(begun, generation) + 1 where brand_id = $1 returning begun'
  const { rows } = await tx.query<{ begun: number }>(sql, [brand])
  if (!rows[0]) throw new Error(`nothing is counted for the brand ${brand}`)
  return rows[0].begun
}

/**
 * A name is the id of a product that is published, or a catalog and the SKU that one product alone has in it. Where the event names no
 * catalog it is the default one, or else any that has it. Other names are nobody's.
 */
const namesSql = `
  with c as materialized (
    select catalog_id, published_version as version, is_default from catalog
     where brand_id = $2 and deleted_at is null and published_version > 0)
  insert into popularity_name (job_id, hash, catalog_id, product_id, points, recent, before, together, viewed_together)
  select $1, u.hash, k.catalog_id, k.product_id, u.points, u.recent, u.before, u.together, u.viewed_together
    from (select *, name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' as is_id,
                 case when name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} ' then left(name, 36)::uuid end as of_catalog
            from unnest($3::text[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::int8[])
                   as n (name, points, recent, before, together, viewed_together, hash)) u
   cross join lateral (
     select c.catalog_id, q.product_id from c
      cross join lateral (
        select case when u.is_id then u.name::uuid else (
          select (array_agg(s.product_id))[1] from (
            select product_id from products
             where catalog_id = c.catalog_id and sku = substr(u.name, 38) and alive and kind <> 'parent' limit 2) s
           having count(*) = 1) end as product_id) q
      where (u.is_id or u.of_catalog in (c.catalog_id, '${noId}'))
        and exists (select from published p
                     where p.catalog_id = c.catalog_id and p.product_id = q.product_id and p.valid_from + 0 <= c.version
                       and p.valid_to > c.version and p.content is not null)
      order by c.is_default desc, c.catalog_id limit 1) k`

/** @returns how many of them are products */
export async function addNames(
  tx: PoolClient,
  { job, brand }: PopularityPlace,
  names: readonly CountedName[],
): Promise<number> {
  await tx.query('set local enable_seqscan = off')
  const { rowCount } = await tx.query(namesSql, [
    ...[job, brand, names.map(({ name }) => name), names.map(({ points }) => points)],
    ...[names.map(({ recent }) => recent), names.map(({ before }) => before)],
    ...[names.map(({ together }) => together), names.map(({ viewedTogether }) => viewedTogether)],
    names.map(({ hash }) => hash),
  ])
  return rowCount ?? 0
}

/** What is in every basket belongs to none: the baskets of both over the root of how often the other was put into one. */
const pairsSql = `
  insert into product_companions as c (catalog_id, product_id, method, generation, workspace_id, brand_id, others, weights)
  select catalog, product, $2, $3, $4, $5, array_agg(other order by weight desc, other), array_agg(weight order by weight desc, other)
    from (select b.catalog_id as catalog, a.product_id as product, b.product_id as other, sum(u.baskets / sqrt(greatest(1, case $2 when 'together' then b.together else b.viewed_together end)))::real as weight
            from unnest($6::int8[], $7::int8[], $8::float8[]) as u (a, b, baskets)
            join popularity_name a on a.job_id = $1 and a.hash = u.a
            join popularity_name b on b.job_id = $1 and b.hash = u.b
           where a.product_id <> b.product_id group by 1, 2, 3) p
   group by catalog, product
  on conflict (catalog_id, product_id, method, generation) do update
     set others = c.others || excluded.others, weights = c.weights || excluded.weights`

export async function addPairs(
  tx: PoolClient,
  { job, generation, workspace, brand }: PopularityPlace,
  method: BasketMethod,
  pairs: readonly CountedPair[],
): Promise<void> {
  if (pairs.length === 0) return
  const columns = [pairs.map(({ a }) => a), pairs.map(({ b }) => b), pairs.map(({ baskets }) => baskets)]
  await tx.query(pairsSql, [job, method, generation, workspace, brand, ...columns])
}

/** What the days before let expect of the recent ones, and by how many of its usual swings these are above it. */
const expectedSql = `sum(before) * ${popularityDays.recent} / ${popularityDays.before}.0`
const trendSql = `case when sum(recent) < ${leastRecent} then 0 else greatest(0, (sum(recent) - ${expectedSql}) / sqrt(1 + ${expectedSql})) end`

/** @returns how many products were met */
export async function writeProducts(
  tx: PoolClient,
  { job, generation, workspace, brand }: PopularityPlace,
): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into product_popularity (catalog_id, product_id, generation, workspace_id, brand_id, points, trend)
     select catalog_id, product_id, $2, $3, $4, sum(points), ${trendSql}
       from popularity_name where job_id = $1 group by catalog_id, product_id`,
    [job, generation, workspace, brand],
  )
  return rowCount ?? 0
}

interface Columns {
  readonly popularity: PopularityMaker
  popularityName(generation: number): string
}

/** Of the next segment of the brand's catalogs. @returns it; null where there is none any more */
export async function writeNextColumn(
  tx: PoolClient,
  { brand, generation }: PopularityPlace,
  after: number,
  maker: Columns,
): Promise<number | null> {
  const { rows } = await tx.query<{ segment: number; documents: number }>(
    `select segment_id as segment, documents from search_segment
      where segment_id > $2 and brand_id = $1 and ended_at is null order by segment_id limit 1 for share`,
    [brand, after],
  )
  const [next] = rows
  if (!next) return null
  if (next.documents > 0) await writePopularity(tx, next, generation, maker)
  return next.segment
}

/** @returns generations of which something is read still: this one, and those before that a cursor may have begun with */
export async function putInForce(
  tx: PoolClient,
  { brand, generation }: PopularityPlace,
  products: number,
  countedAt: string,
  dueAt: Date,
): Promise<number[]> {
  const { rows } = await tx.query<{ formers: number[] }>(
    `update popularity set generation = $2, formers = (generation || formers)[1:2], products = $3, counted_at = $4, due_at = greatest(due_at, $5) where brand_id = $1
     returning formers`,
    [brand, generation, products, countedAt, dueAt],
  )
  return [generation, ...(rows[0]?.formers ?? [])]
}

/** Of former generations nothing is read but their columns. @param keep see `putInForce` */
export async function dropFormer(pool: Pool, brand: string, keep: readonly number[], maker: Columns): Promise<void> {
  const [now = 0] = keep
  for (const table of ['product_popularity', 'product_companions']) {
    const sql = `delete from ${table} where ctid = any (array(
      select t.ctid from catalog c join ${table} t on t.catalog_id = c.catalog_id where c.brand_id = $1 and t.generation < $2 limit ${stepRows}))`
    while (((await pool.query(sql, [brand, now])).rowCount ?? 0) > 0);
  }
  await pool.query(
    `delete from search_column c using search_segment s
      where s.brand_id = $1 and c.segment_id = s.segment_id and starts_with(c.name, $2) and c.name <> all ($3)`,
    [brand, maker.popularityName(0).slice(0, -1), keep.map((generation) => maker.popularityName(generation))],
  )
}

/** What jobs that have ended leave. */
export async function sweepNames(pool: Pool): Promise<void> {
  const sql = `delete from popularity_name where ctid = any (array(
    select n.ctid from popularity_name n
     where not exists (select from job j where j.job_id = n.job_id and j.status in ('queued', 'active')) limit ${stepRows}))`
  while (((await pool.query(sql)).rowCount ?? 0) > 0);
}
