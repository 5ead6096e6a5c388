/** Which product of a forecast goes out under each id that rules of a workspace's own write: the first in order of product, as in a feed that is made anew. */
import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

export interface ForecastName {
  readonly side: 0 | 1
  readonly product: string
  readonly name: string
}

const claimSql = `
  insert into feed_forecast_name (catalog_id, job_id, side, name, product_id)
  select $1, $2, n.side, n.name, n.product from unnest($3::smallint[], $4::bytea[], $5::uuid[]) with ordinality as n (side, name, product, place)
   order by n.place on conflict do nothing`

const heldSql = `
  select h.product_id as holder from unnest($3::smallint[], $4::bytea[]) with ordinality as n (side, name, place)
    join feed_forecast_name h on h.catalog_id = $1 and h.job_id = $2 and h.side = n.side and h.name = n.name order by n.place`

/** @returns of each name, in their order, whose it is */
export async function claimNames(
  tx: PoolClient,
  { catalog, job }: { readonly catalog: string; readonly job: string },
  names: readonly ForecastName[],
): Promise<string[]> {
  if (names.length === 0) return []
  const hashes = names.map(({ name }) => createHash('sha256').update(name).digest())
  const sides = names.map(({ side }) => side)
  await tx.query(claimSql, [catalog, job, sides, hashes, names.map(({ product }) => product)])
  const { rows } = await tx.query<{ holder: string }>(heldSql, [catalog, job, sides, hashes])
  return rows.map(({ holder }) => holder)
}

export async function dropNames(pool: Pool, catalog: string, job: string): Promise<void> {
  await pool.query('delete from feed_forecast_name where catalog_id = $1 and job_id = $2', [catalog, job])
}

/** Of jobs that have ended otherwise. */
export async function sweepNames(pool: Pool): Promise<void> {
  await pool.query(
    `delete from feed_forecast_name n
      where not exists (select from job j where j.job_id = n.job_id and j.status in ('queued', 'active'))`,
  )
}
