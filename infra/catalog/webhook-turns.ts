/** Deliveries as those who send them see them: made from events, taken by turns of their webhooks, noted with what came of them. */
import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { DeltaOptions, DeltaTarget } from '../../schemas/delta.ts'
import type { DeltaRange } from './webhook-deltas.ts'

export interface MadeEvent {
  readonly id: string
  readonly outboxId: number
  readonly workspace: string
  readonly brand: string
  readonly kind: string
  readonly position: string | null
  /** As it is sent. */
  readonly body: string
  readonly at: Date
}

export async function insertEvents(tx: PoolClient, events: readonly MadeEvent[]): Promise<void> {
  const column = <K extends keyof MadeEvent>(name: K) => events.map((event) => event[name])
  await tx.query(
    `insert into webhook_event (event_id, workspace_id, brand_id, kind, position, body, occurred_at)
     select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])`,
    [
      ...[column('id'), column('workspace'), column('brand'), column('kind'), column('position')],
      ...[column('body'), column('at')],
    ],
  )
}

/**
 * Webhooks are held first, as who deletes one does, and their turns after that: in the other order the two could wait for one another.
 * An event from before a webhook was made is none of its own.
 */
const dealSql = `
  with held as materialized (
    select w.webhook_id, w.workspace_id, w.brand_id, w.state, e.event_id, o.outbox_id
      from unnest($1::uuid[], $2::bigint[]) as e (event_id, outbox_id)
      join outbox o on o.outbox_id = e.outbox_id
      join webhook w on w.brand_id = o.brand_id and w.platform is not distinct from o.platform and o.kind = any (w.events)
                    and w.created_at <= o.created_at
       for key share of w),
  dealt as (
    insert into webhook_delivery (delivery_id, webhook_id, workspace_id, brand_id, event_id, sequence, created_at, state, next_at, ended_at)
    select gen_random_uuid(), h.webhook_id, h.workspace_id, h.brand_id, h.event_id, coalesce(t.sequence, 0) + h.nth,
           -- those of one round are listed in their order too
           now() + h.nth * interval '1 microsecond',
           case when h.state = 'active' then 'waiting' else 'missed' end,
           case when h.state = 'active' then $3::timestamptz end, case when h.state <> 'active' then $3 end
      from (select *, row_number() over (partition by webhook_id order by outbox_id) as nth from held) h left join webhook_turn t on t.webhook_id = h.webhook_id
    returning webhook_id, sequence, state)
  insert into webhook_turn as t (webhook_id, sequence, next_at)
  select webhook_id, max(sequence), case when bool_or(state = 'waiting') then $3 end from dealt group by webhook_id order by webhook_id
  on conflict (webhook_id) do update set sequence = excluded.sequence,
    -- what waits keeps its time; that of a retry which was called off is nobody's
    -- (the first question is asked of the turn as it is now: one that ended meanwhile has none, whatever seems to wait)
    next_at = case when t.next_at is not null
                    and exists (select from webhook_delivery d where d.webhook_id = t.webhook_id and d.state = 'waiting')
                   then t.next_at else excluded.next_at end`

/** A delivery for each webhook that wants the event, in order of the outbox. For one at a time. */
export async function dealEvents(tx: PoolClient, events: readonly MadeEvent[], now: Date): Promise<void> {
  await tx.query(dealSql, [events.map(({ id }) => id), events.map(({ outboxId }) => outboxId), now])
}

export interface Turn {
  readonly webhook: string
  readonly workspace: string
  readonly brand: string
  readonly url: string
  readonly createdBy: string
  /** Of who has it: another's note counts for nothing. */
  readonly claim: string
  /** The earliest that waits; null where none does. */
  readonly delivery: {
    readonly id: string
    readonly sequence: number
    readonly tries: number
    readonly attempts: number
    readonly kind: string
    readonly position: string | null
    /** As it is sent; null: it is made of `delta`. */
    readonly body: string | null
    readonly delta: DeltaRange | null
  } | null
  /** Of one that is sent what its catalog's publishes change. */
  readonly delta: { readonly catalog: string; readonly target: DeltaTarget; readonly options: DeltaOptions } | null
}

/** Who answered last time, who was never asked, and who did not answer: those of one lane keep those of another waiting for nothing. */
export const lanes = ['sound', 'new', 'failing'] as const
export type Lane = (typeof lanes)[number]

const due = (lane: string, now: string) => `
     from webhook_turn t join webhook w on w.webhook_id = t.webhook_id
      where t.lane = ${lane} and t.next_at <= ${now} and (t.claimed_until is null or t.claimed_until <= ${now}) and w.state = 'active'`

const dueSql = `select lane from unnest($2::text[]) as l (lane) where exists (select ${due('l.lane', '$1')})`

/** See `DueWork`. */
export const areTurnsDue = `exists (select from unnest(array['${lanes.join("', '")}']) as l (lane) where exists (select ${due('l.lane', 'now()')}))`

/** One question for all, since most of the time nothing is due. */
export async function dueLanes(pool: Pool, now: Date): Promise<Lane[]> {
  const { rows } = await pool.query<{ lane: Lane }>({ name: 'due lanes', text: dueSql, values: [now, lanes] })
  return rows.map(({ lane }) => lane)
}

const claimSql = `
  update webhook_turn set claim = $1, claimed_until = $2
   where webhook_id in (
     select t.webhook_id ${due('$3', '$4')}
      order by t.next_at limit $5 for update of t skip locked)
  returning webhook_id as id`

const headsSql = `
  select w.webhook_id as webhook, w.workspace_id as workspace, w.brand_id as brand, w.url, w.created_by as "createdBy", $2::uuid as claim,
         case when d.delivery_id is not null then json_build_object('id', d.delivery_id, 'sequence', d.sequence, 'tries', d.tries,
           'attempts', d.attempts, 'kind', e.kind, 'position', e.position, 'body', e.body, 'delta', e.delta) end as delivery,
         case when w.catalog_id is not null then json_build_object('catalog', w.catalog_id, 'target', w.target, 'options', w.options) end as delta
    from webhook w
    left join lateral (
      select * from webhook_delivery where webhook_id = w.webhook_id and state = 'waiting' order by sequence limit 1) d on true
    left join webhook_event e on e.event_id = d.event_id
   where w.webhook_id = any ($1::uuid[])`

export async function claimTurns(
  pool: Pool,
  { lane, limit, now, until }: { lane: Lane; limit: number; now: Date; until: Date },
): Promise<Turn[]> {
  const claim = randomUUID()
  const { rows: claimed } = await pool.query<{ id: string }>(claimSql, [claim, until, lane, now, limit])
  if (claimed.length === 0) return []
  return (await pool.query<Turn>(headsSql, [claimed.map(({ id }) => id), claim])).rows
}

export async function giveTurnBack(pool: Pool, { webhook, claim }: Pick<Turn, 'webhook' | 'claim'>): Promise<void> {
  const sql = 'update webhook_turn set claim = null, claimed_until = null where webhook_id = $1 and claim = $2'
  await pool.query(sql, [webhook, claim])
}

/** Whoever lives on the database alone has nobody whose claims it must wait out. */
export async function releaseTurns(pool: Pool): Promise<void> {
  await pool.query('update webhook_turn set claim = null, claimed_until = null where claim is not null')
}

/** A delivery outside of the order, which has been tried once. */
export async function insertPing(
  tx: PoolClient,
  { webhook, workspace, brand }: Pick<Turn, 'webhook' | 'workspace' | 'brand'>,
  { id, event, state }: { id: string; event: Omit<MadeEvent, 'outboxId'>; state: 'delivered' | 'failed' },
): Promise<void> {
  await insertEvents(tx, [{ ...event, outboxId: 0 }])
  await tx.query(
    `insert into webhook_delivery (delivery_id, webhook_id, workspace_id, brand_id, event_id, state, tries, attempts, ended_at)
     values ($1, $2, $3, $4, $5, $6, 1, 1, now())`,
    [id, webhook, workspace, brand, event.id, state],
  )
}

const againSql = `
  update webhook_delivery set state = 'waiting', tries = 0, next_at = $4, ended_at = null
   where webhook_id = $1 and sequence between $2 and $3 and state <> 'waiting'`

/** Deliveries begin anew, each under the id that it has; those that wait for a retry are due now. @returns how many */
export async function sendAgain(
  tx: PoolClient,
  webhook: string,
  { from, to }: { from: number; to: number },
  now: Date,
): Promise<number> {
  const { rowCount } = await tx.query(againSql, [webhook, from, to, now])
  await tx.query(
    `update webhook_turn set next_at = $2
      where webhook_id = $1 and exists (select from webhook_delivery where webhook_id = $1 and state = 'waiting')`,
    [webhook, now],
  )
  return rowCount ?? 0
}

export async function sweepDeliveries(pool: Pool, days: number): Promise<void> {
  await pool.query(
    `delete from webhook_delivery where state <> 'waiting' and created_at < now() - make_interval(days => $1)`,
    [days],
  )
  // A day later: what waits since then has been given up long before.
  await pool.query(`delete from webhook_event where created_at < now() - make_interval(days => $1)`, [days + 1])
}
