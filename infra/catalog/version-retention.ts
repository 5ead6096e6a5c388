/** Drops versions that are no longer kept, and sweeps the rows that only they had, in bounded steps. */
import type { Pool } from 'pg'
import { inTransaction } from './in-transaction.ts'

export interface Kept {
  readonly days: number
  readonly atLeast: number
}

/** Products of one step. */
const stepRows = 5_000

/**
 * Said first and at once, so that a reader meets a version whole or not at all. What the relay of `catalog.changes` has not
 * told yet is kept, and so is what a running job reads.
 */
const dropSql = `
  update publish p set state = 'dropped'
    from (select catalog_id, version, published_at, row_number() over (partition by catalog_id order by version desc) as place
            from publish where state = 'published') v
    join change_cursor r on r.catalog_id = v.catalog_id
    join catalog c on c.catalog_id = v.catalog_id
   where p.catalog_id = v.catalog_id and p.version = v.version and p.state = 'published' and c.deleted_at is null
     and v.place > $2 and v.published_at < now() - $1 * interval '1 day' and v.version <= r.version and v.version < c.published_version
     and not exists (select from pinned_version n where n.catalog_id = v.catalog_id and n.version = v.version)`

export async function dropVersions(pool: Pool, { days, atLeast }: Kept): Promise<number> {
  return (await pool.query(dropSql, [days, Math.max(1, atLeast)])).rowCount ?? 0
}

/** The oldest dropped version whose successor's rows are told and not looked through yet. */
const nextSql = `
  select p.catalog_id as catalog, p.version, p.swept_after as after, n.next
    from publish p
    join change_cursor r on r.catalog_id = p.catalog_id
   cross join lateral (
     select min(version) as next from publish
      where catalog_id = p.catalog_id and version > p.version and state in ('published', 'dropped')) n
   where p.state = 'dropped' and p.swept_at is null and n.next <= r.version
   order by p.catalog_id, p.version limit 1 for update of p skip locked`

/**
 * A row that ended at a version has a successor that begins there. Whoever pins that version, or a later one, needs neither
 * the ended row nor a tombstone. By keys, whatever statistics say: a subquery of its own for
 * each product leaves the planner no other order.
 */
const lookSql = `
  select n.product_id as id, case when n.tombstone then n.ctid::text end as tombstone, o.ended
    from (select ctid, product_id, content is null as tombstone from published
           where catalog_id = $1 and valid_from = $2 and ($3::uuid is null or product_id > $3) order by product_id limit ${stepRows}) n
   cross join lateral (
     select array(select ctid::text from published
                   where catalog_id = $1 and product_id = n.product_id and valid_from + 0 < $2 and valid_to <= $2) as ended) o
   order by n.product_id`

interface Look {
  readonly id: string
  readonly tombstone: string | null
  readonly ended: readonly string[]
}

/** @returns whether there may be more to do */
export async function sweepVersions(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ catalog: string; version: number; after: string | null; next: number }>(nextSql)
    const [one] = rows
    if (!one) return false
    await tx.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
    const found = await tx.query<Look>(lookSql, [one.catalog, one.next, one.after])
    await tx.query('delete from published where ctid = any ($1::tid[])', [
      found.rows.flatMap(({ tombstone, ended }) => (tombstone === null ? ended : [...ended, tombstone])),
    ])
    const last = found.rows.at(-1)?.id ?? null
    await tx.query(
      `update publish set swept_after = $3, swept_at = case when $3::uuid is null then now() end where catalog_id = $1 and version = $2`,
      [one.catalog, one.version, last],
    )
    return true
  })
}
