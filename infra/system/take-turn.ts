/** One turn of a webhook: its earliest event is sent, or of a catalog's the next of its changes, and what came of it is noted. */
import { type InactiveReason, retryAfterMs } from '../../schemas/webhook.ts'
import type { NotedAttempt } from '../catalog/delivery-notes.ts'
import type { SealedSecret } from '../catalog/webhook-secrets.ts'
import { giveTurnBack, type Turn } from '../catalog/webhook-turns.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import type { DeliveringParts } from './delivering.ts'
import { type Delivery, deltaBody, NotKept, nextDelta } from './delta-parts.ts'
import type { End, Noting } from './noting.ts'
import { openedSecrets } from './opened-secrets.ts'

interface Parts extends DeliveringParts {
  readonly noting: Noting
}

const nothingSent = { attempt: null, to: null, tries: 0, retryAt: null, lane: null, inactive: null } as const

export async function takeTurn(
  parts: Parts,
  turn: Turn,
  sealed: readonly SealedSecret[],
  signal: AbortSignal,
): Promise<void> {
  const { noting, catalog } = parts
  const next = turn.delivery ?? (turn.delta ? await nextDelta(parts, turn, turn.delta) : 'none')
  if (next === 'lost') return
  if (next === 'none' || next === 'more') return noting.note({ ...nothingSent, turn, again: next === 'more' })
  if (next === 'behind')
    return noting.note({
      ...nothingSent,
      turn,
      again: false,
      inactive: { reason: 'behind', words: wordsOf(turn, 'behind', null, 0) },
    })
  try {
    const outcome = await send(parts, turn, next, sealed, signal)
    await noting.note(endOf(parts, turn, next, outcome))
  } catch (error) {
    // Another process need not wait until the claim has run out.
    if (signal.aborted) await giveTurnBack(catalog.pipeline, turn)
    throw error
  }
}

async function send(
  parts: Parts,
  turn: Turn,
  delivery: Delivery,
  sealed: readonly SealedSecret[],
  signal: AbortSignal,
): Promise<NotedAttempt> {
  const { egress, sealing, now, acknowledgedWithinMs: withinMs } = parts
  const at = now()
  const body = await bodyOf(parts, turn, delivery)
  if (typeof body !== 'string') return { ...unsent, at, error: { code: 'not_kept', message: body.message } }
  const letter = { ...delivery, url: turn.url, attempt: delivery.attempts + 1, body }
  const secrets = () => openedSecrets(sealing, sealed)
  return attemptDelivery(egress, letter, secrets, { at, signal, ...(withinMs === undefined ? {} : { withinMs }) })
}

const unsent = { ms: 0, status: null, requestHeaders: {}, answerHeaders: null, answer: null } as const

async function bodyOf(parts: Parts, turn: Turn, { body, delta, position }: Delivery): Promise<string | NotKept> {
  if (body !== null || !delta || !turn.delta) return body ?? ''
  return deltaBody(parts, turn, turn.delta, delta, position ?? '').catch((error: unknown) => {
    if (error instanceof NotKept) return error
    throw error
  })
}

/** The contract's schedule: the first try, then one after each of these; when the last fails the webhook is inactive, and 410 ends it at once. */
function endOf({ now }: Parts, turn: Turn, delivery: Delivery, outcome: NotedAttempt): End {
  const { workspace, brand } = turn
  const { error } = outcome
  const tries = delivery.tries + 1
  const after = retryAfterMs[delivery.tries]
  // Nobody was asked: that is no fault of the receiver.
  const unsendable = error?.code === 'not_kept'
  const reason =
    error === null || unsendable ? null : outcome.status === 410 ? 'gone' : after === undefined ? 'failed' : null
  const waits = error !== null && !unsendable && reason === null && after !== undefined
  return {
    turn,
    attempt: { ...outcome, delivery: delivery.id, attempt: delivery.attempts + 1, workspace, brand },
    to: error === null ? 'delivered' : waits ? null : 'failed',
    tries,
    retryAt: waits ? new Date(now().getTime() + after) : null,
    lane: error === null ? 'sound' : unsendable ? null : 'failing',
    again: turn.delta !== null,
    inactive: reason === null ? null : { reason, words: wordsOf(turn, reason, outcome, tries) },
  }
}

function wordsOf({ webhook, url }: Turn, reason: InactiveReason, outcome: NotedAttempt | null, tries: number) {
  // What stands behind the path may be a secret of the receiver's.
  const { origin, pathname } = new URL(url)
  const why = {
    gone: 'The receiver answered 410: it wants no more.',
    failed: `${tries} attempts failed, the last with: ${outcome?.error?.message ?? 'no answer'}.`,
    behind: 'The versions of the catalog that it has not been sent are no longer kept.',
    paused: '',
  }[reason]
  const then =
    reason === 'behind'
      ? 'Ask for a full push: it makes the webhook active again.'
      : 'Make it active again once the receiver answers; what it missed can be sent again.'
  return {
    title: 'A webhook is inactive',
    says: `Nothing more is sent to ${origin}${pathname} (webhook ${webhook}). ${why} ${then}`,
  }
}
