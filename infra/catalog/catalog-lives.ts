/** Deleting a catalog and bringing it back: what stands in its row, and what runs on it is stopped. Of the pipeline's role. */
import type { Pool, PoolClient } from 'pg'
import { failJobsOf } from './job-table.ts'
import { beginCancel } from './publish-cancel.ts'

export interface CatalogLife {
  readonly catalog: string
  readonly workspace: string
  readonly brand: string
  readonly name: string
  readonly isDefault: boolean
  readonly deletedAt: Date | null
  readonly deleteJob: string | null
  /** The job that is bringing it back now. */
  readonly undeleteJob: string | null
  /** It is deleted, and can still be brought back. */
  readonly restorable: boolean
  readonly brandLives: boolean
  /** The brand has other catalogs. */
  readonly hasSiblings: boolean
}

const lifeSql = `
  select c.catalog_id as catalog, c.workspace_id as workspace, c.brand_id as brand, c.name, c.is_default as "isDefault", c.deleted_at as "deletedAt",
         c.delete_job as "deleteJob", j.job_id as "undeleteJob",
         c.purged_at is null and c.deleted_at is not null and c.deleted_at > now() - $2 * interval '1 day' as restorable,
         b.deleted_at is null as "brandLives",
         exists (select from catalog o where o.brand_id = c.brand_id and o.catalog_id <> c.catalog_id and o.deleted_at is null) as "hasSiblings"
    from catalog c
    join brand b on b.brand_id = c.brand_id
    left join job j on j.job_id = c.undelete_job and j.status in ('queued', 'active')
   where c.catalog_id = $1`

/** Whoever makes, deletes or brings back a catalog of its brand waits until the transaction ends. */
export async function lockLife(tx: PoolClient, catalog: string, keptDays: number): Promise<CatalogLife | null> {
  await tx.query('select from brand where brand_id = (select brand_id from catalog where catalog_id = $1) for update', [
    catalog,
  ])
  await tx.query('select from catalog where catalog_id = $1 for update', [catalog])
  return (await tx.query<CatalogLife>(lifeSql, [catalog, keptDays])).rows[0] ?? null
}

/**
 * Gone from every read at once, and everything that depends on it is severed here: what runs on it, and what would begin by
 * itself. Its rows stay, unpublished changes among them, for who brings it back.
 */
export async function markDeleted(tx: PoolClient, catalog: string, job: string): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>(
    `update catalog set deleted_at = now(), updated_at = now(), delete_job = $2, undelete_job = null
      where catalog_id = $1 returning deleted_at as at`,
    [catalog, job],
  )
  const building = await tx.query<{ job: string }>(
    `select job_id as job from publish where catalog_id = $1 and state = 'building'`,
    [catalog],
  )
  for (const { job: publish } of building.rows) await beginCancel(tx, publish, catalog)
  await tx.query(
    `update import set state = 'failed', error = 'The catalog was deleted.', finished_at = now()
      where catalog_id = $1 and state not in ('completed', 'failed')`,
    [catalog],
  )
  await stopJobs(tx, catalog, 'The catalog was deleted.')
  const [row] = rows
  if (!row) throw new Error('the catalog is gone')
  return row.at
}

/** Its deletion, where that still runs, ends where it is. */
export async function markReturning(tx: PoolClient, catalog: string, job: string): Promise<void> {
  await stopJobs(tx, catalog, 'The catalog is being brought back.')
  await tx.query('update catalog set undelete_job = $2, updated_at = now() where catalog_id = $1', [catalog, job])
}

const stopJobs = (tx: PoolClient, catalog: string, says: string) => failJobsOf(tx, catalog, 'cancelled', says)

/** The end of bringing it back; the brand may have another default by now. @returns false where it is another job's */
export async function markReturned(tx: PoolClient, catalog: string, job: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update catalog c set deleted_at = null, delete_job = null, undelete_job = null, updated_at = now(),
            is_default = c.is_default and not exists (
              select from catalog o where o.brand_id = c.brand_id and o.is_default and o.deleted_at is null and o.catalog_id <> c.catalog_id)
      where c.catalog_id = $1 and c.undelete_job = $2 and c.deleted_at is not null`,
    [catalog, job],
  )
  return rowCount === 1
}

export interface Listed {
  readonly product: string
  readonly sid: string
}

/** @param after by key pages */
export async function livingProducts(
  pool: Pool,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<Listed[]> {
  const { rows } = await pool.query<Listed>(
    `select product_id as product, encode(source_identifier, 'hex') as sid from products
      where catalog_id = $1 and alive and ($2::uuid is null or product_id > $2) order by product_id limit $3`,
    [catalog, after, limit],
  )
  return rows
}

export async function goneProducts(
  pool: Pool,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<(Listed & { readonly layers: Buffer })[]> {
  const { rows } = await pool.query<Listed & { layers: Buffer }>(
    `select product_id as product, encode(source_identifier, 'hex') as sid, layers from products
      where catalog_id = $1 and not alive and ($2::uuid is null or product_id > $2) order by product_id limit $3`,
    [catalog, after, limit],
  )
  return rows
}

export async function countLiving(pool: Pool, catalog: string): Promise<number> {
  const sql = 'select count(*) as n from products where catalog_id = $1 and alive'
  return (await pool.query<{ n: number }>(sql, [catalog])).rows[0]?.n ?? 0
}
