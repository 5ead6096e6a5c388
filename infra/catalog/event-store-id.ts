/** Which event store the positions of its consumer are about. */
import type { Pool } from 'pg'
import { inTransaction } from './in-transaction.ts'

/** Whether anything was ever written there. */
export async function hasWritten(pool: Pool, group: string): Promise<boolean> {
  const sql = 'select from sink_position where consumer_group = $1 and next_offset > 0 limit 1'
  return (await pool.query(sql, [group])).rowCount === 1
}

/**
 * Another store than before has nothing of what was written: its consumer begins anew, in every epoch, and who has a partition loses it.
 * @returns whether it is another
 */
export function knowStore(pool: Pool, group: string, id: string): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ known: string }>(
      `insert into event_store as s (id) values ($1) on conflict (one) do update set one = s.one returning id as known`,
      [id],
    )
    if (rows[0]?.known === id) return false
    await tx.query('update event_store set id = $1', [id])
    // To where each epoch begins: what stands before that in the same partition is another's, and a position before it would count as lag.
    const anew = `update sink_position s set owner_epoch = s.owner_epoch + 1, next_offset =
        coalesce((select (e.begins -> s.topic ->> s.partition)::bigint from log_epoch e where e.epoch = s.epoch), 0)
      where s.consumer_group = $1`
    await tx.query(anew, [group])
    return true
  })
}
