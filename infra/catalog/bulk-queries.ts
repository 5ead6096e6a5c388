/** Products that a bulk job means: chosen once, then read by key pages; the caller has checked the catalog. */
import type { Pool, PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind } from '../../schemas/product.ts'
import { conditions, type ProductFilter, type Scoring } from './product-conditions.ts'
import { readFrom } from './product-queries.ts'

/** A selection by id, or the list's filters; both may be given, neither is the whole catalog. JSON keeps it. */
export interface BulkTarget {
  readonly catalog: string
  /** False: those that are gone. */
  readonly alive: boolean
  readonly ids?: readonly string[] | undefined
  readonly filter?: Omit<ProductFilter, 'catalog'> | undefined
  /** By what scores are judged, as it was when the job was asked for. */
  readonly scoring?: Scoring | undefined
}

export interface BulkRow {
  readonly id: string
  readonly sid: string
  readonly kind: ProductKind
  readonly family: string | null
  /** Of parents; of others null where they were not asked for. */
  readonly layers: Layers | null
}

/** For filters that ask for no score. */
const unscored: Scoring = { weights: [], required: 0, feedReadyFrom: 0, rubric: 0 }

function whereOf({ catalog, alive, ids, filter, scoring }: BulkTarget) {
  const since = filter?.updatedSince
  // A job's input has been through JSON.
  const own = { catalog, ...filter, updatedSince: since === undefined ? undefined : new Date(since) }
  const { values, all, $ } = conditions(own, scoring ?? unscored)
  all.push(`p.catalog_id = ${$(catalog)}`, `p.alive = ${$(alive)}`)
  if (ids !== undefined) all.push(`p.product_id = any (${$(ids)}::uuid[])`)
  if (own.sku !== undefined) all.push(`p.sku = ${$(own.sku)}`)
  if (own.family !== undefined) all.push(`p.family_id = ${$(own.family)}`)
  return { values, $, where: all.join(' and ') }
}

/**
 * Fixes what the job means, so that its own edits neither widen nor narrow it.
 * @returns how many
 */
export async function fixSelection(tx: PoolClient, job: string, target: BulkTarget): Promise<number> {
  const { where, values, $ } = whereOf(target)
  const { rowCount } = await tx.query(
    `insert into bulk_item (job_id, product_id) select ${$(job)}::uuid, p.product_id from ${readFrom} where ${where}`,
    values,
  )
  return rowCount ?? 0
}

export interface BulkPage {
  /** What of the page is still there, or still gone, as the target means. */
  readonly rows: readonly BulkRow[]
  /** Of the selection, whatever became of it; null at the end. */
  readonly last: string | null
}

/** The selection in order of ids. */
export async function bulkPage(
  pool: Pool,
  job: string,
  { catalog, alive }: BulkTarget,
  { after, limit, withLayers }: { after: string | null; limit: number; withLayers: boolean },
): Promise<BulkPage> {
  const { rows } = await pool.query<Omit<BulkRow, 'layers'> & { item: string; layers: Buffer | null }>(
    `select i.product_id as item, p.product_id as id, encode(p.source_identifier, 'hex') as sid, p.kind, p.family_id as family,
            ${withLayers ? 'p.layers' : `case when p.kind = 'parent' then p.layers end as layers`}
       from (select product_id from bulk_item where job_id = $1 and ($2::uuid is null or product_id > $2) order by product_id limit $3) i
       left join lateral
         (select * from products where catalog_id = $4 and product_id = i.product_id and alive = $5 limit 1) p on true
      order by i.product_id`,
    [job, after, limit, catalog, alive],
  )
  const there = rows.filter(({ id }) => id !== null)
  return {
    rows: there.map(({ item, layers, ...row }) => ({
      ...row,
      layers: layers && (JSON.parse(layers.toString()) as Layers),
    })),
    last: rows.at(-1)?.item ?? null,
  }
}

/** Of these the ones that the selection means by themselves. */
export async function meantAmong(pool: Pool, job: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await pool.query<{ id: string }>(
    'select product_id as id from bulk_item where job_id = $1 and product_id = any ($2::uuid[])',
    [job, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export async function countBulk(pool: Pool, target: BulkTarget): Promise<number> {
  const { where, values } = whereOf(target)
  const sql = `select count(*) as n from ${readFrom} where ${where}`
  return (await pool.query<{ n: number }>(sql, values)).rows[0]?.n ?? 0
}

export interface BulkCounts {
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
}

/** What the worker saw the job's records do; the rows go with the job's end. */
export async function takeBulkOutcome(tx: PoolClient, job: string): Promise<BulkCounts> {
  await tx.query('delete from bulk_item where job_id = $1', [job])
  const { rows } = await tx.query<BulkCounts>(
    `with gone as (delete from bulk_outcome where job_id = $1 returning changed, unchanged, refused)
     select coalesce(sum(changed), 0)::bigint as changed, coalesce(sum(unchanged), 0)::bigint as unchanged,
            coalesce(sum(refused), 0)::bigint as refused from gone`,
    [job],
  )
  return rows[0] ?? { changed: 0, unchanged: 0, refused: 0 }
}

/** Removes what is left of jobs that were cancelled or have failed. */
export async function sweepBulk(pool: Pool): Promise<void> {
  for (const table of ['bulk_item', 'bulk_outcome'])
    await pool.query(
      `delete from ${table} t using job j where j.job_id = t.job_id and j.status in ('completed', 'failed')`,
    )
}
