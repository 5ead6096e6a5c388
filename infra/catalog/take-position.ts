/** Takes a partition over from a process that holds its row and does not go on: one that was stopped in the middle of a batch. */
import type { Pool, PoolClient } from 'pg'
import { claimPosition } from './advance-position.ts'

type Place = readonly [group: string, epoch: number, topic: string, partition: number]

/**
 * Only for who knows from elsewhere that the partition is theirs: two who end each other's sessions never commit.
 * @param silentMs how long a batch that is under way may take to its end
 */
export async function takePosition(
  pool: Pool,
  place: Place,
  silentMs: number,
): Promise<{ nextOffset: number; ownerEpoch: number }> {
  const client = await pool.connect()
  const timer = setInterval(() => void endHolders(pool, client).catch(() => {}), silentMs)
  try {
    const claimed = await claimPosition(client, ...place, null)
    if (claimed === null) throw new Error('a claim that asks for no lease was refused')
    return claimed
  } finally {
    clearInterval(timer)
    client.release()
  }
}

/** Nobody but a worker locks such a row. What the session had not committed is undone; the process, if it lives, begins anew. */
async function endHolders(pool: Pool, waiting: PoolClient): Promise<void> {
  const { processID } = waiting as unknown as { processID: number }
  await pool.query('select pg_terminate_backend(pid) from unnest(pg_blocking_pids($1)) as pid', [processID])
}
