/** How many days each workspace keeps its events; null where it has not said so itself. */
import type { Pool, PoolClient } from 'pg'

export async function readEventDays(client: Pool | PoolClient, workspace: string): Promise<number | null> {
  const sql = 'select event_days as days from workspace where workspace_id = $1'
  return (await client.query<{ days: number | null }>(sql, [workspace])).rows[0]?.days ?? null
}

export async function writeEventDays(tx: PoolClient, workspace: string, days: number | null): Promise<void> {
  await tx.query('update workspace set event_days = $2, updated_at = now() where workspace_id = $1', [workspace, days])
}

/** @param among none: all @returns those that have said so themselves, by workspace */
export async function ownEventDays(pool: Pool, among?: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; days: number }>(
    `select workspace_id as id, event_days as days from workspace
      where event_days is not null and ($1::text[] is null or workspace_id = any ($1))`,
    [among ?? null],
  )
  return new Map(rows.map(({ id, days }) => [id, days]))
}
