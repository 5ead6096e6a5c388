/** Takes a version that is being built back: its rows go, what they ended is open again, and its dirty rows stay for the next. */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { failJob } from './job-table.ts'

interface Cancelled {
  readonly catalog: string
  readonly version: number
}

/** Rows of one step. */
const stepRows = 5_000

/** From here on nobody builds it, and the next publish waits until its rows are gone. @returns null where it is not being built */
export async function beginCancel(tx: PoolClient, job: string): Promise<Cancelled | null> {
  const { rows } = await tx.query<Cancelled>(
    `update publish set state = 'cancelling' where job_id = $1 and state = 'building' returning catalog_id as catalog, version`,
    [job],
  )
  return rows[0] ?? null
}

/** @returns false where it was not being built: it stands, or was cancelled before */
export async function cancelPublish(pool: Pool, job: string): Promise<boolean> {
  const begun = await inTransaction(pool, async (tx) => {
    const found = await beginCancel(tx, job)
    if (found) await failJob(tx, job, 'cancelled', 'The publish was cancelled.')
    return found
  })
  if (!begun) return false
  while (await cancelStep(pool, begun));
  return true
}

/** For cancels that were cut off. @returns whether there was one */
export async function finishCancels(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<Cancelled>(
    `select catalog_id as catalog, version from publish where state = 'cancelling' limit 1`,
  )
  const [one] = rows
  if (one) await cancelStep(pool, one)
  return one !== undefined
}

const stepSql = `
  with page as (
    select product_id from published where catalog_id = $1 and valid_from = $2 order by product_id limit ${stepRows}),
  gone as (
    delete from published n using page s
     where n.catalog_id = $1 and n.product_id = s.product_id and n.valid_from = $2 returning n.product_id),
  opened as (
    update published o set valid_to = 9223372036854775807 from gone g
     where o.catalog_id = $1 and o.product_id = g.product_id and o.valid_to = $2)
  select count(*) as n from gone`

/** @returns whether there is more to do */
async function cancelStep(pool: Pool, { catalog, version }: Cancelled): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const held = await tx.query(
      `select from publish where catalog_id = $1 and version = $2 and state = 'cancelling' for update`,
      [catalog, version],
    )
    if (held.rowCount === 0) return false
    await tx.query('set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off')
    const { rows } = await tx.query<{ n: number }>(stepSql, [catalog, version])
    if (rows[0]?.n) return true
    await tx.query(`update publish set state = 'cancelled' where catalog_id = $1 and version = $2`, [catalog, version])
    return false
  })
}
