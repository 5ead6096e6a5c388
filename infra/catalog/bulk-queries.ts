/** Products that a bulk job means, by key pages; the caller has checked the catalog. */
import type { Pool, PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind } from '../../schemas/product.ts'
import { inTransaction } from './in-transaction.ts'
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
  /** Of parents; of others null where they were not asked for. */
  readonly layers: Layers | null
}

function whereOf({ catalog, alive, ids, filter, scoring }: BulkTarget) {
  const since = filter?.updatedSince
  // A job's input has been through JSON.
  const own = { catalog, ...filter, updatedSince: since === undefined ? undefined : new Date(since) }
  const { values, all, $ } = conditions(own, scoring ?? { weights: [], required: 0, feedReadyFrom: 0 })
  all.push(`p.catalog_id = ${$(catalog)}`, `p.alive = ${$(alive)}`)
  if (ids !== undefined) all.push(`p.product_id = any (${$(ids)}::uuid[])`)
  if (own.sku !== undefined) all.push(`p.sku = ${$(own.sku)}`)
  if (own.family !== undefined) all.push(`p.family_id = ${$(own.family)}`)
  return { values, $, where: all.join(' and ') }
}

/** Without statistics the planner would gather and sort the whole rest of the catalog for every page. */
export function bulkPage(
  pool: Pool,
  target: BulkTarget,
  after: string | null,
  limit: number,
  withLayers: boolean,
): Promise<BulkRow[]> {
  return inTransaction(pool, async (tx) => {
    await tx.query('set local enable_bitmapscan = off')
    const { where, values, $ } = whereOf(target)
    const beyond = after === null ? '' : `and p.product_id > ${$(after)}::uuid`
    const { rows } = await tx.query<Omit<BulkRow, 'layers'> & { layers: Buffer | null }>(
      `select p.product_id as id, encode(p.source_identifier, 'hex') as sid, p.kind,
              ${withLayers ? 'p.layers' : `case when p.kind = 'parent' then p.layers end as layers`} from ${readFrom}
        where ${where} ${beyond} order by p.product_id limit ${$(limit)}`,
      values,
    )
    return rows.map(({ layers, ...row }) => ({ ...row, layers: layers && (JSON.parse(layers.toString()) as Layers) }))
  })
}

/** Of these the ones that the target means by themselves. */
export async function meantAmong(pool: Pool, target: BulkTarget, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { where, values, $ } = whereOf(target)
  const { rows } = await pool.query<{ id: string }>(
    `select p.product_id as id from ${readFrom} where ${where} and p.product_id = any (${$(ids)}::uuid[])`,
    values,
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
  const { rows } = await tx.query<BulkCounts>(
    `with gone as (delete from bulk_outcome where job_id = $1 returning changed, unchanged, refused)
     select coalesce(sum(changed), 0)::bigint as changed, coalesce(sum(unchanged), 0)::bigint as unchanged,
            coalesce(sum(refused), 0)::bigint as refused from gone`,
    [job],
  )
  return rows[0] ?? { changed: 0, unchanged: 0, refused: 0 }
}
