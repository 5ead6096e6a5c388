/** What forecasts found product by product, and whether a job of a kind runs on a catalog. */
import type { Pool, PoolClient } from 'pg'
import { type CopyColumn, copyRows } from './copy.ts'
import { sweepNames } from './forecast-names.ts'

export const forecastChanges = ['fails', 'passes', 'leaves', 'comes'] as const
export type ForecastChange = (typeof forecastChanges)[number]

export interface ForecastProblem {
  readonly field: string
  /** What the platform asks. */
  readonly rule: string
  readonly reason: string
}

export interface ForecastItem {
  readonly product: string
  readonly change: ForecastChange
  readonly problems: readonly ForecastProblem[]
}

interface Place {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

const columns: readonly CopyColumn[] = [
  { name: 'job_id', type: 'uuid' },
  { name: 'product_id', type: 'uuid' },
  { name: 'workspace_id', type: 'text' },
  { name: 'brand_id', type: 'uuid' },
  { name: 'catalog_id', type: 'uuid' },
  { name: 'change', type: 'text' },
  { name: 'problems', type: 'jsonb' },
]

export async function writeForecast(
  tx: PoolClient,
  job: string,
  { workspace, brand, catalog }: Place,
  items: readonly ForecastItem[],
): Promise<void> {
  const rows = items.map(({ product, change, problems }) => [job, product, workspace, brand, catalog, change, problems])
  if (rows.length > 0) await copyRows(tx, 'feed_forecast', columns, rows)
}

export interface ForecastRow extends ForecastItem {
  readonly sku: string | null
  readonly title: string | null
}

/** In order of product. */
export async function forecastPage(
  tx: PoolClient,
  job: string,
  page: { readonly change: ForecastChange | null; readonly after: string | null; readonly limit: number },
): Promise<ForecastRow[]> {
  const { rows } = await tx.query<ForecastRow>(
    `select f.product_id as product, f.change, f.problems, p.sku, p.title
       from (select * from feed_forecast where job_id = $1 and ($2::text is null or change = $2) and ($3::uuid is null or product_id > $3)
              order by product_id limit $4) f
       left join lateral (select sku, title from products where catalog_id = f.catalog_id and product_id = f.product_id limit 1) p on true
      order by f.product_id`,
    [job, page.change, page.after, page.limit],
  )
  return rows
}

/** Held until the transaction ends, so that two orders at once are one job. @returns the job of the kind that waits or runs */
export async function holdFeedJob(tx: PoolClient, catalog: string, kind: string): Promise<string | null> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${kind} order:${catalog}`])
  const { rows } = await tx.query<{ id: string }>(
    `select job_id as id from job where catalog_id = $1 and kind = $2 and status in ('queued', 'active') limit 1`,
    [catalog, kind],
  )
  return rows[0]?.id ?? null
}

/** Single products; the counts stay with the job. */
export async function sweepForecasts(pool: Pool, keptDays: number): Promise<void> {
  const old = `
    delete from feed_forecast where ctid = any (array(
      select f.ctid from job j join feed_forecast f on f.job_id = j.job_id
       where j.kind = 'forecast' and j.finished_at < now() - make_interval(days => $1) limit 10000))`
  while (((await pool.query(old, [keptDays])).rowCount ?? 0) > 0);
  await sweepNames(pool)
}
