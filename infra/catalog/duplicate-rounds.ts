/** When duplicates of a catalog are looked for, and what a round came to. */
import type { Pool, PoolClient } from 'pg'
import type { DuplicateScope } from './duplicate-keys.ts'

/** Waits until edits pause, at most for a time; an import is looked at when it has ended. */
const dueSql = `
  select c.catalog_id as catalog, c.workspace_id as workspace, c.brand_id as brand
    from (
      select catalog_id from duplicate_due group by catalog_id
      having max(due_at) < now() - $1 * interval '1 millisecond' or min(due_at) < now() - $2 * interval '1 millisecond'
      union select catalog_id from duplicate_state where busy) d
    join catalog c using (catalog_id)
   where c.deleted_at is null
     and not exists (select from import i where i.catalog_id = c.catalog_id and i.state in ('appending', 'settling'))
     and not exists (select from job j where j.catalog_id = c.catalog_id and j.kind = 'duplicates' and j.status in ('queued', 'active'))
   order by c.catalog_id`

/** See `startWhenDue`. */
export const areDuplicatesDue = 'exists (select from duplicate_due) or exists (select from duplicate_state where busy)'

export async function dueForDuplicates(pool: Pool, pauseMs: number, longestMs: number): Promise<DuplicateScope[]> {
  return (await pool.query<DuplicateScope>(dueSql, [pauseMs, longestMs])).rows
}

export interface DuplicateCounts {
  readonly groups: number
  readonly members: number
  /** Products of which a block was too large to be compared. */
  readonly skipped: number
}

/** The end of a round, where nothing was named meanwhile. @returns false where there is more to do */
export async function settle(tx: PoolClient, { catalog, workspace, brand }: DuplicateScope): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into duplicate_state as s (catalog_id, workspace_id, brand_id, settled_at, skipped)
     select $1, $2, $3, now(), (select count(*) from duplicate_product d where d.catalog_id = $1 and d.skipped > 0)
      where not exists (select from duplicate_due d where d.catalog_id = $1)
     on conflict (catalog_id) do update set busy = false, settled_at = now(), skipped = excluded.skipped`,
    [catalog, workspace, brand],
  )
  return rowCount === 1
}

export async function countDuplicates(pool: Pool, catalog: string): Promise<DuplicateCounts> {
  const { rows } = await pool.query<DuplicateCounts>(
    `select (select count(*) from duplicate_group where catalog_id = $1) as groups,
            (select count(*) from duplicate_member where catalog_id = $1) as members,
            coalesce((select skipped from duplicate_state where catalog_id = $1), 0) as skipped`,
    [catalog],
  )
  return rows[0] ?? { groups: 0, members: 0, skipped: 0 }
}

/** Held until the transaction ends, so that two orders at once are one job. @returns the job that waits or runs */
export async function holdOrder(tx: PoolClient, catalog: string): Promise<string | null> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('duplicates order:' || $1, 0))`, [catalog])
  const { rows } = await tx.query<{ id: string }>(
    `select job_id as id from job where catalog_id = $1 and kind = 'duplicates' and status in ('queued', 'active') limit 1`,
    [catalog],
  )
  return rows[0]?.id ?? null
}

/** What a person told apart stays so. @returns null where there is no such group, and none was dismissed */
export async function dismissGroup(
  tx: PoolClient,
  { catalog, workspace, brand }: DuplicateScope,
  group: string,
  by: string,
): Promise<'dismissed' | 'before' | null> {
  // Whoever groups just now is waited for.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('duplicates:' || $1, 0))`, [catalog])
  const told = await tx.query(
    `insert into duplicate_dismissal (catalog_id, a, b, group_id, workspace_id, brand_id, dismissed_by)
     select $1, x.product_id, y.product_id, $2, $3, $4, $5
       from duplicate_member x join duplicate_member y on y.catalog_id = $1 and y.group_id = $2 and x.product_id < y.product_id
      where x.catalog_id = $1 and x.group_id = $2
     on conflict do nothing`,
    [catalog, group, workspace, brand, by],
  )
  if (told.rowCount === 0) {
    const before = await tx.query('select from duplicate_dismissal where catalog_id = $1 and group_id = $2 limit 1', [
      catalog,
      group,
    ])
    return before.rowCount === 0 ? null : 'before'
  }
  await tx.query(
    `with parted as (delete from duplicate_member where catalog_id = $1 and group_id = $2 returning product_id)
     update duplicate_product d set step = 2 from parted p where d.catalog_id = $1 and d.product_id = p.product_id and d.step = 0`,
    [catalog, group],
  )
  await tx.query('delete from duplicate_group where catalog_id = $1 and group_id = $2', [catalog, group])
  await tx.query('update duplicate_state set busy = true where catalog_id = $1', [catalog])
  return 'dismissed'
}
