/** Products that a bulk job means, by key pages; the caller has checked the catalog. */
import type { Pool, PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind } from '../../schemas/product.ts'
import { inTransaction } from './in-transaction.ts'

/** A selection by id, or the list's filters; both may be given, neither is the whole catalog. */
export interface BulkTarget {
  readonly catalog: string
  /** False: those that are gone. */
  readonly alive: boolean
  readonly ids?: readonly string[] | undefined
  readonly kind?: ProductKind | undefined
  readonly sku?: string | undefined
  readonly family?: string | undefined
}

export interface BulkRow {
  readonly id: string
  readonly sid: string
  /** null where they were not asked for. */
  readonly layers: Layers | null
}

const where = `
  p.catalog_id = $1 and p.alive = $2 and ($3::uuid[] is null or p.product_id = any ($3))
  and ($4::text is null or p.kind = $4) and ($5::text is null or p.sku = $5) and ($6::uuid is null or p.family_id = $6)`

const valuesOf = ({ catalog, alive, ids, kind, sku, family }: BulkTarget) => [
  catalog,
  alive,
  ids ?? null,
  kind ?? null,
  sku ?? null,
  family ?? null,
]

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
    const { rows } = await tx.query<Omit<BulkRow, 'layers'> & { layers: Buffer | null }>(
      `select p.product_id as id, encode(p.source_identifier, 'hex') as sid, case when $9 then p.layers end as layers from products p
        where ${where} and p.product_id > coalesce($7, '00000000-0000-0000-0000-000000000000')::uuid
        order by p.product_id limit $8`,
      [...valuesOf(target), after, limit, withLayers],
    )
    return rows.map(({ layers, ...row }) => ({ ...row, layers: layers && (JSON.parse(layers.toString()) as Layers) }))
  })
}

export async function countBulk(pool: Pool, target: BulkTarget): Promise<number> {
  const sql = `select count(*) as n from products p where ${where}`
  return (await pool.query<{ n: number }>(sql, valuesOf(target))).rows[0]?.n ?? 0
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
