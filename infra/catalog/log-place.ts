/** Which topic an epoch of the log is on the brokers, so that a database never goes on with the log of another. */
import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { readSecret } from './secrets.ts'

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

/** By which this database is known to others on the same brokers; a copy of it is another. */
export async function databaseName(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ oid: string }>(
    'select oid::text as oid from pg_database where datname = current_database()',
  )
  return createHmac('sha256', await readSecret(pool, 'cursor'))
    .update(`log ${rows[0]?.oid}`)
    .digest('hex')
    .slice(0, 32)
}
