/** Notes what came of deliveries, those of many webhooks in a few statements: a commit for each was most of what a delivery took. */
import type { PoolClient } from 'pg'
import { advanceDeltas } from './webhook-deltas.ts'
import type { Lane, Turn } from './webhook-turns.ts'

export interface NotedAttempt {
  readonly at: Date
  readonly ms: number
  readonly status: number | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly answerHeaders: Readonly<Record<string, string>> | null
  readonly answer: string | null
}

export interface AttemptOf extends NotedAttempt {
  readonly delivery: string
  readonly attempt: number
  readonly workspace: string
  readonly brand: string
}

export interface TurnEnd {
  readonly turn: Pick<Turn, 'webhook' | 'claim'>
  /** null: nothing was sent. */
  readonly attempt: AttemptOf | null
  /** null: it waits on, until `retryAt`. */
  readonly to: 'delivered' | 'failed' | null
  /** Since the delivery was last begun anew. */
  readonly tries: number
  readonly retryAt: Date | null
  /** null: it stays in its own. */
  readonly lane: Lane | null
  /** Looked at once more, whether anything waits or not. */
  readonly again: boolean
}

/** Webhooks before their turns and in order, as who deletes one holds them; those that end are the caller's to hold. */
const webhooksSql = 'select from webhook where webhook_id = any ($1::uuid[]) order by webhook_id for key share'

const turnsSql = `
  select t.webhook_id as id from unnest($1::uuid[], $2::uuid[]) as n (webhook_id, claim)
    join webhook_turn t on t.webhook_id = n.webhook_id and t.claim = n.claim
   order by t.webhook_id for update of t`

/** Held until the transaction ends. @returns those that are not another's by now, nor gone */
export async function holdTurns(tx: PoolClient, turns: readonly TurnEnd['turn'][]): Promise<ReadonlySet<string>> {
  const ids = turns.map(({ webhook }) => webhook)
  await tx.query(webhooksSql, [ids])
  const { rows } = await tx.query<{ id: string }>(turnsSql, [ids, turns.map(({ claim }) => claim)])
  return new Set(rows.map(({ id }) => id))
}

export async function insertAttempts(tx: PoolClient, attempts: readonly AttemptOf[]): Promise<void> {
  const column = <T>(of: (attempt: AttemptOf) => T) => attempts.map(of)
  await tx.query(
    `insert into webhook_attempt (delivery_id, attempt, workspace_id, brand_id, at, ms, status, code, says, request_headers, answer_headers, answer)
     select delivery, attempt, workspace, brand, at, ms, status, code, says, request::jsonb, headers::jsonb, answer
       from unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[], $5::timestamptz[], $6::int[], $7::int[], $8::text[], $9::text[], $10::text[],
                   $11::text[], $12::text[]) as n (delivery, attempt, workspace, brand, at, ms, status, code, says, request, headers, answer)`,
    [
      ...[column(({ delivery }) => delivery), column(({ attempt }) => attempt)],
      ...[column(({ workspace }) => workspace), column(({ brand }) => brand), column(({ at }) => at)],
      ...[column(({ ms }) => ms), column(({ status }) => status)],
      ...[column(({ error }) => error?.code ?? null), column(({ error }) => error?.message ?? null)],
      column(({ requestHeaders }) => JSON.stringify(requestHeaders)),
      column(({ answerHeaders }) => answerHeaders && JSON.stringify(answerHeaders)),
      column(({ answer }) => answer),
    ],
  )
}

/** One that a person stopped meanwhile stays stopped. */
const deliveriesSql = `
  update webhook_delivery d
     set attempts = n.attempts, tries = n.tries, state = coalesce(n.state, d.state),
         next_at = case when n.state is null and d.state = 'waiting' then n.retry_at end,
         ended_at = case when n.state is null then d.ended_at else now() end
    from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::timestamptz[]) as n (id, attempts, tries, state, retry_at)
   where d.delivery_id = n.id`

/** The next is due at once where one waits. In a statement of its own, so that what was dealt before the turns were held is seen. */
const endSql = `
  update webhook_turn t
     set claim = null, claimed_until = null, lane = coalesce(n.lane, t.lane),
         next_at = case when n.again or exists (select from webhook_delivery d where d.webhook_id = t.webhook_id and d.state = 'waiting')
                        then coalesce(n.retry_at, $5) end
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bool[]) as n (webhook_id, lane, retry_at, again)
   where t.webhook_id = n.webhook_id`

/** Of turns that are held. */
export async function noteEnds(tx: PoolClient, ends: readonly TurnEnd[]): Promise<void> {
  const sent = ends.flatMap((end) => (end.attempt ? [{ ...end, attempt: end.attempt }] : []))
  if (sent.length > 0) {
    await insertAttempts(
      tx,
      sent.map(({ attempt }) => attempt),
    )
    await tx.query(deliveriesSql, [
      sent.map(({ attempt }) => attempt.delivery),
      sent.map(({ attempt }) => attempt.attempt),
      sent.map(({ tries }) => tries),
      sent.map(({ to }) => to),
      sent.map(({ retryAt }) => retryAt),
    ])
    const delivered = sent.flatMap(({ to, again, attempt }) => (to === 'delivered' && again ? attempt.delivery : []))
    if (delivered.length > 0) await advanceDeltas(tx, delivered)
  }
}

/** After all else that the transaction does for them. */
export async function endTurns(tx: PoolClient, ends: readonly TurnEnd[], now: Date): Promise<void> {
  await tx.query(endSql, [
    ends.map(({ turn }) => turn.webhook),
    ends.map(({ lane }) => lane),
    ends.map(({ retryAt }) => retryAt),
    ends.map(({ again }) => again),
    now,
  ])
}
