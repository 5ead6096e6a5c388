/** Delivers what waits: webhooks take turns, those that fail or are new in slots of their own, and each sends its earliest event. */
import { type InactiveReason, retryAfterMs } from '../../schemas/webhook.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { endWebhook, holdForEnd } from '../catalog/webhook-end.ts'
import { type SealedSecret, secretsOf } from '../catalog/webhook-secrets.ts'
import {
  claimTurns,
  dueLanes,
  endTurn,
  giveTurnBack,
  holdTurn,
  insertAttempt,
  type Lane,
  lanes,
  type NotedAttempt,
  setDelivery,
  type Turn,
} from '../catalog/webhook-turns.ts'
import type { Egress } from '../egress/open-egress.ts'
import type { Sealing } from '../seal.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { openedSecrets } from './opened-secrets.ts'

export interface Delivering {
  /** Takes turns into slots that are free, as far as any are due. @returns whether any was */
  fill(): Promise<boolean>
  /** Once nothing is under way or due. */
  idle(): Promise<void>
  /** What is under way has a moment to end; then it is given up, and sent again by another. */
  stop(): Promise<void>
}

export interface DeliveringParts {
  readonly catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  readonly egress: Pick<Egress, 'ask'>
  readonly sealing: Sealing
  readonly now: () => Date
  readonly onError: (error: unknown) => void
  /** Longer than any attempt; whoever is silent for so long has lost its turn. */
  readonly leaseMs?: number
  readonly acknowledgedWithinMs?: number
}

/** Those that answer need milliseconds, those that do not ten seconds: a thousand dead receivers fill their own slots and no others. */
const slots: Readonly<Record<Lane, number>> = { sound: 64, new: 32, failing: 32 }
const leaseMs = 30_000
const lastMomentMs = 2_000

export function openDelivering(parts: DeliveringParts): Delivering {
  const { catalog, now, onError } = parts
  const pool = catalog.pipeline
  const stopped = new AbortController()
  /** A moment after the other, so that what is about to end does not have to be sent again. */
  const cut = new AbortController()
  const atWork = new Map(lanes.map((lane) => [lane, new Set<Promise<void>>()]))
  let filling: Promise<boolean> | null = null

  async function fillLane(lane: Lane): Promise<boolean> {
    const own = atWork.get(lane) ?? new Set()
    const free = slots[lane] - own.size
    if (free <= 0 || stopped.signal.aborted) return false
    const at = now()
    const until = new Date(at.getTime() + (parts.leaseMs ?? leaseMs))
    const turns = await claimTurns(pool, { lane, limit: free, now: at, until })
    if (turns.length === 0) return false
    const secrets = await secretsOf(
      pool,
      turns.map(({ webhook }) => webhook),
      at,
    )
    for (const turn of turns) {
      const sealed = secrets.filter(({ webhook }) => webhook === turn.webhook)
      const taken: Promise<void> = deliver(parts, turn, sealed, cut.signal)
        .catch((error: unknown) => {
          if (!stopped.signal.aborted) onError(error)
        })
        .finally(() => {
          own.delete(taken)
          // Whoever waits for a slot does not wait for the next round.
          if (!stopped.signal.aborted) fill().catch(onError)
        })
      own.add(taken)
    }
    return true
  }
  async function fillLanes(): Promise<boolean> {
    let took = false
    for (const lane of await dueLanes(pool, now())) if (await fillLane(lane)) took = true
    return took
  }
  const fill = async (): Promise<boolean> => {
    filling ??= fillLanes().finally(() => {
      filling = null
    })
    return filling
  }
  const underWay = () => [...atWork.values()].flatMap((own) => [...own])
  return {
    fill,
    async idle() {
      while ((await fill()) || underWay().length > 0) await Promise.all(underWay())
    },
    async stop() {
      stopped.abort()
      await filling?.catch(() => {})
      const late = setTimeout(() => cut.abort(), lastMomentMs)
      await Promise.all(underWay())
      clearTimeout(late)
    },
  }
}

async function deliver(
  parts: DeliveringParts,
  turn: Turn,
  sealed: readonly SealedSecret[],
  signal: AbortSignal,
): Promise<void> {
  const { catalog, egress, sealing, now } = parts
  const { delivery } = turn
  if (!delivery)
    return catalog.inTransaction(catalog.pipeline, async (tx) => {
      if (await holdTurn(tx, turn)) await endTurn(tx, turn.webhook, { lane: null, now: now(), retryAt: null })
    })
  const at = now()
  const letter = { ...delivery, url: turn.url, attempt: delivery.attempts + 1 }
  const secrets = () => openedSecrets(sealing, sealed)
  try {
    const outcome = await attemptDelivery(egress, letter, secrets, { at, signal, ...within(parts) })
    await note(parts, turn, delivery, outcome)
  } catch (error) {
    // Another process need not wait until the claim has run out.
    if (signal.aborted) await giveTurnBack(catalog.pipeline, turn)
    throw error
  }
}

const within = ({ acknowledgedWithinMs }: DeliveringParts) =>
  acknowledgedWithinMs === undefined ? {} : { withinMs: acknowledgedWithinMs }

/** The contract's schedule: the first try, then one after each of these; when the last fails the webhook is inactive, and 410 ends it at once. */
async function note(
  { catalog, now }: DeliveringParts,
  turn: Turn,
  delivery: NonNullable<Turn['delivery']>,
  outcome: NotedAttempt,
): Promise<void> {
  const { webhook, workspace, brand } = turn
  const tries = delivery.tries + 1
  const after = retryAfterMs[delivery.tries]
  const reason: InactiveReason | null =
    outcome.error === null ? null : outcome.status === 410 ? 'gone' : after === undefined ? 'failed' : null
  const retryAt =
    outcome.error !== null && reason === null && after !== undefined ? new Date(now().getTime() + after) : null
  const to = outcome.error === null ? 'delivered' : reason === null ? null : 'failed'
  await catalog.inTransaction(catalog.pipeline, async (tx) => {
    if (reason !== null) await holdForEnd(tx, webhook)
    if (!(await holdTurn(tx, turn))) return
    const attempt = delivery.attempts + 1
    await insertAttempt(tx, { delivery: delivery.id, attempt, workspace, brand }, outcome)
    await setDelivery(tx, delivery.id, { to, attempts: attempt, tries, retryAt })
    if (reason !== null) await endWebhook(tx, webhook, reason, wordsOf(turn, reason, outcome, tries))
    await endTurn(tx, webhook, { lane: to === 'delivered' ? 'sound' : 'failing', now: now(), retryAt })
  })
}

function wordsOf({ webhook, url }: Turn, reason: InactiveReason, { error }: NotedAttempt, tries: number) {
  // What stands behind the path may be a secret of the receiver's.
  const { origin, pathname } = new URL(url)
  const why =
    reason === 'gone'
      ? 'The receiver answered 410: it wants no more.'
      : `${tries} attempts failed, the last with: ${error?.message ?? 'no answer'}.`
  return {
    title: 'A webhook is inactive',
    says: `Nothing more is sent to ${origin}${pathname} (webhook ${webhook}). ${why} Make it active again once the receiver answers; what it missed can be sent again.`,
  }
}
