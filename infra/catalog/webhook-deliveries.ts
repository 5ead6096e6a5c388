/** What was sent to a webhook, and what became of it, as its keepers read it. Under policy. */
import type { PoolClient } from 'pg'
import type { DeliveryState } from '../../schemas/webhook.ts'

export interface DeliveryRow {
  readonly id: string
  readonly webhookId: string
  /** Counts the events of one webhook; null: a ping. */
  readonly sequence: number | null
  readonly event: string
  readonly position: string | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  /** Of the last attempt. */
  readonly status: number | null
  readonly error: { code: string; message: string } | null
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly micros: number
}

export interface AttemptRow {
  readonly attempt: number
  readonly at: Date
  readonly ms: number
  readonly status: number | null
  readonly error: { code: string; message: string } | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly answerHeaders: Readonly<Record<string, string>> | null
  readonly answer: string | null
}

const errorOf = (of: string) =>
  `case when ${of}.code is not null then json_build_object('code', ${of}.code, 'message', ${of}.says) end`

const deliverySql = `
  select d.delivery_id as id, d.webhook_id as "webhookId", d.sequence, e.kind as event, e.position, d.state, d.attempts,
         d.next_at as "nextAttemptAt", a.status, ${errorOf('a')} as error, d.created_at as "createdAt", d.ended_at as "endedAt",
         (extract(epoch from d.created_at) * 1000000)::bigint as micros
    from webhook_delivery d
    join webhook_event e on e.event_id = d.event_id
    left join webhook_attempt a on a.delivery_id = d.delivery_id and a.attempt = d.attempts`

/** Newest first. @param after the place that the page before ended with */
export async function listDeliveries(
  tx: PoolClient,
  webhook: string,
  { state, after, limit }: { state: DeliveryState | null; after: { micros: number; id: string } | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await tx.query<DeliveryRow>(
    `${deliverySql}
      where d.webhook_id = $1 and ($2::text is null or d.state = $2)
        and ($3::bigint is null or (d.created_at, d.delivery_id) < (to_timestamp(0) + $3 * interval '1 microsecond', $4::uuid))
      order by d.created_at desc, d.delivery_id desc limit $5`,
    [webhook, state, after?.micros ?? null, after?.id ?? null, limit],
  )
  return rows
}

export async function findDelivery(tx: PoolClient, webhook: string, id: string): Promise<DeliveryRow | null> {
  const { rows } = await tx.query<DeliveryRow>(`${deliverySql} where d.webhook_id = $1 and d.delivery_id = $2`, [
    webhook,
    id,
  ])
  return rows[0] ?? null
}

/** The body as it was sent, null where it is made when it is; and each attempt. */
export async function deliveryLog(
  tx: PoolClient,
  id: string,
): Promise<{ body: string | null; attempts: readonly AttemptRow[] } | null> {
  const bodies = await tx.query<{ body: string | null }>(
    'select e.body from webhook_delivery d join webhook_event e on e.event_id = d.event_id where d.delivery_id = $1',
    [id],
  )
  const attempts = await tx.query<AttemptRow>(
    `select attempt, at, ms, status, ${errorOf('a')} as error, request_headers as "requestHeaders", answer_headers as "answerHeaders", answer
       from webhook_attempt a where delivery_id = $1 order by attempt`,
    [id],
  )
  const [found] = bodies.rows
  return found ? { body: found.body, attempts: attempts.rows } : null
}
