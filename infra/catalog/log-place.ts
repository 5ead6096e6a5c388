/** Which topic an epoch of the log is on the brokers, so that a database never goes on with the log of another. */
import type { Pool } from 'pg'

export async function topicOfEpoch(pool: Pool, epoch: number): Promise<string | null> {
  const { rows } = await pool.query<{ topic: string | null }>(
    'select topic_id as topic from log_epoch where epoch = $1',
    [epoch],
  )
  return rows[0]?.topic ?? null
}

/** @returns whose it is then: another process may have been first */
export async function takeTopic(pool: Pool, epoch: number, topic: string): Promise<string> {
  const { rows } = await pool.query<{ topic: string }>(
    'update log_epoch set topic_id = coalesce(topic_id, $2) where epoch = $1 returning topic_id as topic',
    [epoch, topic],
  )
  return rows[0]?.topic ?? topic
}
