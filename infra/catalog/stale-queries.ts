/** Products that silver has not seen under the settings of now, or gold under the rubric of now, by key pages; the caller has checked workspace and catalog. */
import type { Pool } from 'pg'
import type { Stage } from '../../schemas/product.ts'
import type { StoredRow } from '../../transforms/refresh.ts'
import { inTransaction } from './in-transaction.ts'

/** What products are stale against. */
export interface Present {
  readonly silverNumber: number
  readonly rubricVersion: number
}

interface Loaded extends Omit<StoredRow, 'createdAt' | 'updatedAt' | 'layers' | 'product'> {
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly layers: Buffer
}

const loadSql = `
  select p.workspace_id as workspace, p.brand_id as brand, p.catalog_id as catalog, p.product_id as id, p.rev, p.alive,
         encode(p.content_hash, 'hex') as content, encode(p.source_identifier, 'hex') as sid,
         p.created_at as "createdAt", p.updated_at as "updatedAt", p.layers,
         case when s.product_id is null then null else array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7] end as sub
    from unnest($2::uuid[]) as i (id)
    join products p on p.catalog_id = $1 and p.product_id = i.id
    left join product_score s on s.catalog_id = $1 and s.product_id = i.id
   where p.alive and (p.stage = 'bronze' or p.settings_number < $3 or p.stage = 'gold' and s.rubric_version < $4)`

/** Those among these products that are there and stale. */
export async function loadStale(
  pool: Pool,
  catalog: string,
  products: readonly string[],
  { silverNumber, rubricVersion }: Present,
): Promise<StoredRow[]> {
  const { rows } = await pool.query<Loaded>(loadSql, [catalog, products, silverNumber, rubricVersion])
  return rows.map(({ layers, createdAt, updatedAt, ...row }) => ({
    ...row,
    layers: JSON.parse(layers.toString()),
    product: null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
}

/** Rows looked at in one statement, of which any number may be stale. */
const chunkRows = 4_000

/** The next products in order and whether each is stale: taken by the key alone, then asked row by row. */
const chunkSql = `
  with chunk as materialized (
    select product_id, stage, settings_number from products
     where catalog_id = $1 and product_id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid and alive
     order by product_id limit ${chunkRows})
  select product_id as id,
         stage = 'bronze' or settings_number < $3 or stage = 'gold' and coalesce(
           (select s.rubric_version from product_score s where s.catalog_id = $1 and s.product_id = chunk.product_id) < $4, false) as stale
    from chunk order by product_id`

/** The next ids in order. Without statistics the planner would gather and sort the whole rest of the catalog for every chunk. */
export async function staleIds(
  pool: Pool,
  catalog: string,
  after: string | null,
  { silverNumber, rubricVersion }: Present,
  limit: number,
): Promise<string[]> {
  return inTransaction(pool, async (tx) => {
    await tx.query('set local enable_bitmapscan = off')
    const found: string[] = []
    for (let from = after; ; ) {
      const values = [catalog, from, silverNumber, rubricVersion]
      const { rows } = await tx.query<{ id: string; stale: boolean }>(chunkSql, values)
      for (const { id, stale } of rows) if (stale) found.push(id)
      if (found.length >= limit || rows.length < chunkRows) return found.slice(0, limit)
      from = rows.at(-1)?.id ?? null
    }
  })
}

export interface StageOf {
  readonly id: string
  readonly stage: Stage
}

/** Those of a selection that are there, with their stage. */
export async function stagesOf(pool: Pool, catalog: string, products: readonly string[]): Promise<StageOf[]> {
  const { rows } = await pool.query<StageOf>(
    'select product_id as id, stage from products where catalog_id = $1 and product_id = any ($2::uuid[]) and alive',
    [catalog, products],
  )
  return rows
}

/** Catalogs of a workspace in order of id. */
export async function catalogsAfter(pool: Pool, workspace: string, from: string | null): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select catalog_id as id from catalog
      where workspace_id = $1 and deleted_at is null and ($2::uuid is null or catalog_id >= $2) order by catalog_id`,
    [workspace, from],
  )
  return rows.map(({ id }) => id)
}

interface Due {
  readonly workspace: string
  /** Its brand `main`, which its jobs are of. */
  readonly brand: string
}

/** Workspaces that refine unasked and for which no job is under way; what promotes a shadow has most of it made already. */
const dueSql = (why: string) => `
  select w.workspace_id as workspace, b.brand_id as brand
    from workspace w
    join settings_version s on s.workspace_id = w.workspace_id and s.number = w.settings_number
    join brand b on b.workspace_id = w.workspace_id and b.name = 'main' and b.deleted_at is null
   where ${why} and w.deleted_at is null and coalesce((s.body->>'autoSilver')::boolean, true)
     and not exists (select from job j where j.workspace_id = w.workspace_id and j.kind in ('refine', 'promote') and j.status in ('queued', 'active'))`

/** Of these the ones whose settings changed. */
export async function dueForRefine(pool: Pool): Promise<Due[]> {
  return (await pool.query<Due>(dueSql('w.refined_number < w.silver_number'))).rows
}

/** See `DueWork`. */
export const isRefineDue = `exists (${dueSql('w.refined_number < w.silver_number')})`

/** And those with products that were graded under an older rubric. It reads all scores: for once in a while. */
export async function dueForGrade(pool: Pool, rubricVersion: number): Promise<Due[]> {
  const old = `coalesce((s.body->>'autoGold')::boolean, true) and exists (
    select from catalog c join product_score o on o.catalog_id = c.catalog_id
     where c.workspace_id = w.workspace_id and c.deleted_at is null and o.rubric_version < $1)`
  return (await pool.query<Due>(dueSql(old), [rubricVersion])).rows
}

/** The refine job of the catalog's workspace, which runs or will be gone on with. */
export async function refineJobOf(pool: Pool, catalog: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `select j.job_id as id from job j join catalog c on c.workspace_id = j.workspace_id
      where c.catalog_id = $1 and j.kind = 'refine' and j.status in ('queued', 'active') limit 1`,
    [catalog],
  )
  return rows[0]?.id ?? null
}
