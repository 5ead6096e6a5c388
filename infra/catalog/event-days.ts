/** How many days each workspace keeps its events; null where it has not said so itself. */
import type { Pool, PoolClient } from 'pg'
import { keptSince } from '../../schemas/event-days.ts'

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

export interface Kept {
  readonly days: number | null
  /** What was received by `goneAt` and is older than this was removed; both null where nothing ever was. */
  readonly goneBefore: Date | null
  readonly goneAt: Date | null
}

export async function keptByWorkspace(pool: Pool, workspaces: readonly string[]): Promise<ReadonlyMap<string, Kept>> {
  const { rows } = await pool.query<Kept & { id: string }>(
    `select workspace_id as id, event_days as days, events_gone_before as "goneBefore", events_gone_at as "goneAt"
       from workspace where workspace_id = any ($1)`,
    [workspaces],
  )
  return new Map(rows.map(({ id, ...kept }) => [id, kept]))
}

/** Before what is older is removed, so that a removal that breaks off is none that is forgotten. @param own days by workspace */
export async function moveHorizons(pool: Pool, own: ReadonlyMap<string, number>, now: Date): Promise<void> {
  await pool.query(
    `update workspace w set events_gone_before = k.since, events_gone_at = $1
       from (select w.workspace_id, coalesce(o.since, $2) as since
               from workspace w left join unnest($3::text[], $4::timestamptz[]) o (id, since) on o.id = w.workspace_id) k
      where k.workspace_id = w.workspace_id and (w.events_gone_before is null or w.events_gone_before < k.since)`,
    [now, keptSince(null, now), [...own.keys()], [...own.values()].map((days) => keptSince(days, now))],
  )
}
