/** The products that a rebuild has yet to look at: found on the log and in the catalog, and taken off in the transaction that mends them. */
import type { Pool, PoolClient } from 'pg'

export interface RebuildScope {
  readonly job: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

/** Those that are known already stay as they are. */
export async function addItems(
  tx: PoolClient,
  { job, workspace, brand }: RebuildScope,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx.query(
    `insert into rebuild_item (job_id, product_id, workspace_id, brand_id)
     select $1, id, $2, $3 from unnest($4::uuid[]) as i (id) order by id on conflict do nothing`,
    [job, workspace, brand, ids],
  )
}

/** Rows of the catalog of which the log may know nothing. @returns how many products there are to look at */
export async function addRows(tx: PoolClient, { job, workspace, brand, catalog }: RebuildScope): Promise<number> {
  await tx.query(
    `insert into rebuild_item (job_id, product_id, workspace_id, brand_id)
     select $1, product_id, $2, $3 from products where catalog_id = $4 order by product_id on conflict do nothing`,
    [job, workspace, brand, catalog],
  )
  const { rows } = await tx.query<{ n: number }>('select count(*) as n from rebuild_item where job_id = $1', [job])
  return rows[0]?.n ?? 0
}

/** In order. */
export async function nextItems(pool: Pool, job: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select product_id as id from rebuild_item where job_id = $1 order by product_id limit $2',
    [job, limit],
  )
  return rows.map(({ id }) => id)
}

/** Of these those that are still to be looked at and have no row. */
export async function withoutRow(
  pool: Pool,
  { job, catalog }: Pick<RebuildScope, 'job' | 'catalog'>,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select i.product_id as id from rebuild_item i
      where i.job_id = $1 and i.product_id = any ($3::uuid[])
        and not exists (select from products p where p.catalog_id = $2 and p.product_id = i.product_id)`,
    [job, catalog, ids],
  )
  return rows.map(({ id }) => id)
}

export async function dropItems(tx: PoolClient, job: string, ids: readonly string[]): Promise<void> {
  await tx.query('delete from rebuild_item where job_id = $1 and product_id = any ($2::uuid[])', [job, ids])
}

/** Those of jobs that have ended. */
export async function sweepItems(pool: Pool): Promise<void> {
  await pool.query(
    `delete from rebuild_item i using job j where j.job_id = i.job_id and j.status in ('completed', 'failed')`,
  )
}

/** Scores that a product left behind which has no row: the row that comes brings its own. */
export async function dropStrayScores(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    `delete from product_score s where s.catalog_id = $1 and s.product_id = any ($2::uuid[])
        and not exists (select from products p where p.catalog_id = $1 and p.product_id = s.product_id)`,
    [catalog, ids],
  )
}

/** @returns the job that rebuilds this catalog, where one does */
export async function rebuildOf(tx: PoolClient, catalog: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select job_id as id from job where catalog_id = $1 and kind = 'rebuild' and status in ('queued', 'active') limit 1`,
    [catalog],
  )
  return rows[0]?.id ?? null
}
