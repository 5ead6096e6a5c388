/** Takes a version that is being built back: its rows go, what they ended is open again, and its dirty rows stay for the next. */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { failJob } from './job-table.ts'
import { takeBackIndex } from './search-sweep.ts'

interface Cancelled {
  readonly catalog: string
  readonly version: number
}

/** Rows of one step. */
const stepRows = 5_000

/**
 * From here on nobody builds it, and the next publish waits until its rows are gone.
 * @param catalog of a job that builds several
 * @returns null where it is not being built
 */
export async function beginCancel(tx: PoolClient, job: string, catalog?: string): Promise<Cancelled | null> {
  const { rows } = await tx.query<Cancelled>(
    `update publish set state = 'cancelling'
      where job_id = $1 and state = 'building' and ($2::uuid is null or catalog_id = $2) returning catalog_id as catalog, version`,
    [job, catalog ?? null],
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

/**
 * For whoever wants to publish next: takes part in the sweep instead of waiting for the next round of those who do it unasked.
 * @returns whether the catalog is free of it; false after a bound
 */
export async function finishCancelOf(pool: Pool, catalog: string, withinMs: number): Promise<boolean> {
  const { rows } = await pool.query<Cancelled>(
    `select catalog_id as catalog, version from publish where catalog_id = $1 and state = 'cancelling'`,
    [catalog],
  )
  const [one] = rows
  const until = Date.now() + withinMs
  while (one && (await cancelStep(pool, one))) if (Date.now() > until) return false
  return true
}

/** See `startWhenDue`. */
export const areCancelsDue = `exists (select from publish where state = 'cancelling')`

/** For cancels that were cut off. @returns whether there was one */
export async function finishCancels(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<Cancelled>(
    `select catalog_id as catalog, version from publish where state = 'cancelling' limit 1`,
  )
  const [one] = rows
  if (one) await cancelStep(pool, one)
  return one !== undefined
}

/**
 * By keys, one after the other, and then by where the rows lie. Behind `limit 1` the planner has no choice of order, and
 * `+ 0` fits no index but the key's: joined by statistics that are old, as after every large build, a step reads the catalog
 * once for each of its products (12,000 in three minutes, so in under a second).
 */
const lookSql = `
  select n.product_id as id, n.ctid::text as written, o.ctid::text as ended
    from (select ctid, product_id from published
           where catalog_id = $1 and valid_from = $2 and ($3::uuid is null or product_id > $3) order by product_id limit ${stepRows}) n
    left join lateral (
      select ctid from published
       where catalog_id = $1 and product_id = n.product_id and valid_from + 0 < $2 and valid_to = $2 limit 1) o on true
   order by n.product_id`

interface Look {
  readonly id: string
  readonly written: string
  readonly ended: string | null
}

/** @returns whether there is more to do */
async function cancelStep(pool: Pool, { catalog, version }: Cancelled): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const held = await tx.query<{ after: string | null }>(
      `select swept_after as after from publish where catalog_id = $1 and version = $2 and state = 'cancelling' for update`,
      [catalog, version],
    )
    const [row] = held.rows
    if (!row) return false
    if (row.after === null && (await takeBackIndex(tx, catalog, version))) return true
    await tx.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await tx.query<Look>(lookSql, [catalog, version, row.after])
    const last = rows.at(-1)
    if (last) {
      await tx.query('delete from published where ctid = any ($1::tid[])', [rows.map(({ written }) => written)])
      await tx.query('update published set valid_to = 9223372036854775807 where ctid = any ($1::tid[])', [
        rows.flatMap(({ ended }) => ended ?? []),
      ])
      await tx.query('update publish set swept_after = $3 where catalog_id = $1 and version = $2', [
        catalog,
        version,
        last.id,
      ])
      return true
    }
    await tx.query(`update publish set state = 'cancelled' where catalog_id = $1 and version = $2`, [catalog, version])
    return false
  })
}
