/** Events to be told outside: written in the transaction of their cause, told in the order in which they were written. */
import type { Pool, PoolClient } from 'pg'

export interface OutboxEvent {
  readonly kind: string
  /** The same for the same cause: an event is written once. */
  readonly cause: string
  readonly workspace: string
  readonly brand: string
  readonly body: unknown
  /** Of an event of a feed; null: of the workspace. */
  readonly platform?: string | null
  readonly catalog?: string | null
  /** Behind the published version that it is about. */
  readonly position?: string | null
}

/** In place of a subscription: of every one of the brand that wants such events. */
const everySubscription = '*'

export async function insertOutbox(
  tx: PoolClient,
  { kind, cause, workspace, brand, body, platform = null, catalog = null, position = null }: OutboxEvent,
): Promise<void> {
  await tx.query(
    `insert into outbox (subscription, kind, cause, workspace_id, brand_id, body, platform, catalog_id, position)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    [everySubscription, kind, cause, workspace, brand, JSON.stringify(body), platform, catalog, position],
  )
}

export interface UntoldEvent {
  readonly id: number
  readonly kind: string
  readonly workspace: string
  readonly brand: string
  readonly platform: string | null
  readonly position: string | null
  readonly body: Record<string, unknown>
  readonly at: Date
  /** Somebody subscribes to it. */
  readonly wanted: boolean
}

/** A condition: whether there is anything to tell. */
export const areEventsUntold = 'exists (select from outbox where told_at is null)'

/**
 * For one at a time: of two who told at once, the later event could come before the earlier one.
 * @returns none also where another process tells
 */
export async function takeUntold(tx: PoolClient, limit: number): Promise<UntoldEvent[]> {
  const lock = `select pg_try_advisory_xact_lock(hashtextextended('outbox', 0)) as held`
  if (!(await tx.query<{ held: boolean }>(lock)).rows[0]?.held) return []
  const { rows } = await tx.query<UntoldEvent>(
    `select outbox_id as id, kind, workspace_id as workspace, brand_id as brand, platform, position, body, created_at as at,
            exists (select from webhook w where w.brand_id = o.brand_id and w.platform is not distinct from o.platform
                       and o.kind = any (w.events)) as wanted
       from outbox o where told_at is null order by outbox_id limit $1`,
    [limit],
  )
  return rows
}

export async function setTold(tx: PoolClient, ids: readonly number[]): Promise<void> {
  await tx.query('update outbox set told_at = now() where outbox_id = any ($1::bigint[])', [ids])
}

export async function sweepOutbox(pool: Pool, days: number): Promise<void> {
  await pool.query('delete from outbox where told_at < now() - make_interval(days => $1)', [days])
}
