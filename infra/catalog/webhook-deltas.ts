/** How far each webhook of a catalog has acknowledged what its publishes changed, and what it is sent next. */
import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { type DeltaOptions, type DeltaTarget, deltaEvent } from '../../schemas/delta.ts'
import { lastProduct } from '../../schemas/position.ts'
import type { WebhookRow } from './webhooks.ts'

/** Of one delivery: what its body is made of. */
export interface DeltaRange {
  readonly version: number
  /** What came before it, whose rows it needs to say what changed. */
  readonly base: number
  readonly publishedAt: string
  readonly full: boolean
  readonly part: number
  readonly parts: number
  /** Behind the one product and up to the other. */
  readonly after: string | null
  readonly upto: string | null
  readonly previous: string | null
  /** Names at the target that one product left and another has. */
  readonly taken: readonly string[]
  /** The job that asked for it. */
  readonly push: string | null
}

export interface DeltaState {
  readonly position: string | null
  readonly version: number
  readonly push: string | null
  readonly round: number | null
  readonly full: boolean
  readonly parts: number | null
  readonly part: number
  readonly countedTo: string | null
  readonly counted: number
  readonly countedProducts: number
  readonly countedBytes: number
  readonly publishedVersion: number
  readonly deleted: boolean
}

/** From what is published now on; in the transaction that makes the webhook. */
export async function insertDelta(tx: PoolClient, { id }: Pick<WebhookRow, 'id'>, catalog: string): Promise<void> {
  await tx.query(
    `insert into webhook_delta (webhook_id, catalog_id, workspace_id, brand_id, version, position)
     select $1, catalog_id, workspace_id, brand_id, published_version, 't.' || published_version || '.' || $3::text
       from catalog where catalog_id = $2`,
    [id, catalog, lastProduct],
  )
}

/** Whoever is behind and has no turn, or one for a retry that was called off; a webhook that was made active again is one. */
const behindSql = `
  from webhook_delta d
  join webhook w on w.webhook_id = d.webhook_id and w.state = 'active'
  join catalog c on c.catalog_id = d.catalog_id and c.deleted_at is null
  left join webhook_turn t on t.webhook_id = d.webhook_id
 where (c.published_version > d.version or d.push is not null) and t.claim is null
   and (t.next_at is null or not exists (select from webhook_delivery v where v.webhook_id = d.webhook_id and v.state = 'waiting'))`

/** See `startWhenDue`. */
export const areDeltasDue = `exists (select ${behindSql})`

/** Gives them a turn. In order, as all who hold several turns take them. */
export async function wakeDeltas(pool: Pool, now: Date): Promise<void> {
  await pool.query(
    `insert into webhook_turn as t (webhook_id, next_at)
     select d.webhook_id, $1::timestamptz ${behindSql} order by d.webhook_id
     on conflict (webhook_id) do update set next_at = excluded.next_at`,
    [now],
  )
}

/** Held until the transaction ends. */
export async function holdDelta(tx: PoolClient, webhook: string): Promise<DeltaState | null> {
  const { rows } = await tx.query<DeltaState>(
    `select d.position, d.version, d.push, d.round, d.is_full as full, d.parts, d.part, d.counted_to as "countedTo", d.counted,
            d.counted_products as "countedProducts", d.counted_bytes as "countedBytes",
            c.published_version as "publishedVersion", c.deleted_at is not null as deleted
       from webhook_delta d join catalog c on c.catalog_id = d.catalog_id where d.webhook_id = $1 for update of d`,
    [webhook],
  )
  return rows[0] ?? null
}

const freshRound = `part = 0, parts = null, counted_to = null, counted = 0, counted_products = 0, counted_bytes = 0`

export async function beginRound(tx: PoolClient, webhook: string, round: number, full: boolean): Promise<void> {
  await tx.query(`update webhook_delta set round = $2, is_full = $3, ${freshRound} where webhook_id = $1`, [
    webhook,
    round,
    full,
  ])
}

/** There was nothing to push. */
export async function endPush(tx: PoolClient, webhook: string): Promise<void> {
  await tx.query(`update webhook_delta set push = null, position = 't.0.' || $2::text where webhook_id = $1`, [
    webhook,
    lastProduct,
  ])
}

export async function setCounted(
  tx: PoolClient,
  webhook: string,
  to: { after: string | null; counted: number; products: number; bytes: number; parts: number | null },
): Promise<void> {
  await tx.query(
    `update webhook_delta set counted_to = $2, counted = $3, counted_products = $4, counted_bytes = $5, parts = $6 where webhook_id = $1`,
    [webhook, to.after, to.counted, to.products, to.bytes, to.parts],
  )
}

/** @returns the delivery's id and number */
export async function insertDeltaDelivery(
  tx: PoolClient,
  { webhook, workspace, brand }: { webhook: string; workspace: string; brand: string },
  { range, position, now }: { range: DeltaRange; position: string; now: Date },
): Promise<{ id: string; sequence: number }> {
  const [id, event] = [randomUUID(), randomUUID()]
  const turn = await tx.query<{ sequence: number }>(
    'update webhook_turn set sequence = sequence + 1 where webhook_id = $1 returning sequence',
    [webhook],
  )
  const sequence = turn.rows[0]?.sequence ?? 0
  await tx.query(
    `insert into webhook_event (event_id, workspace_id, brand_id, kind, position, occurred_at, delta) values ($1, $2, $3, $4, $5, $6, $7)`,
    [event, workspace, brand, deltaEvent, position, range.publishedAt, JSON.stringify(range)],
  )
  await tx.query(
    `insert into webhook_delivery (delivery_id, webhook_id, workspace_id, brand_id, event_id, sequence, next_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, webhook, workspace, brand, event, sequence, now],
  )
  return { id, sequence }
}

/** What was delivered moves its webhook on, if it is what was due: one that is sent again by hand is not. */
export async function advanceDeltas(tx: PoolClient, deliveries: readonly string[]): Promise<void> {
  await tx.query(
    `update webhook_delta d
        set position = e.position, version = case when l.last then d.round else d.version end,
            push = case when l.last and d.is_full then null else d.push end,
            round = case when l.last then null else d.round end, is_full = d.is_full and not l.last,
            part = case when l.last then 0 else d.part + 1 end, parts = case when l.last then null else d.parts end
       from webhook_delivery v
       join webhook_event e on e.event_id = v.event_id
      cross join lateral (select (e.delta ->> 'part')::int = (e.delta ->> 'parts')::int as last) l
      where v.delivery_id = any ($1::uuid[]) and e.delta is not null and d.webhook_id = v.webhook_id
        and d.round = (e.delta ->> 'version')::bigint and d.is_full = (e.delta ->> 'full')::boolean
        and d.part + 1 = (e.delta ->> 'part')::int and d.position is not distinct from e.delta ->> 'previous'`,
    [deliveries],
  )
}

export interface SentDelta {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly target: DeltaTarget
  readonly options: DeltaOptions
  readonly range: DeltaRange
  readonly position: string
}

/** Of a delivery, for who makes its body again; null where it is of no catalog. */
export async function findRange(tx: PoolClient, delivery: string): Promise<SentDelta | null> {
  const { rows } = await tx.query<SentDelta>(
    `select v.workspace_id as workspace, v.brand_id as brand, w.catalog_id as catalog, w.target, w.options, e.delta as range, e.position
       from webhook_delivery v join webhook_event e on e.event_id = v.event_id join webhook w on w.webhook_id = v.webhook_id
      where v.delivery_id = $1 and e.delta is not null`,
    [delivery],
  )
  return rows[0] ?? null
}
