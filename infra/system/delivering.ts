/** Delivers what waits: webhooks take turns, those that fail or are new in slots of their own, and each sends its earliest event. */
import type { Catalog } from '../catalog/postgres.ts'
import { secretsOf } from '../catalog/webhook-secrets.ts'
import { claimTurns, dueLanes, type Lane, lanes } from '../catalog/webhook-turns.ts'
import type { Egress } from '../egress/open-egress.ts'
import type { Sealing } from '../seal.ts'
import { openNoting } from './noting.ts'
import { takeTurn } from './take-turn.ts'

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
  /** Of one delivery of a catalog's changes. */
  readonly mostBytes?: number
}

/** Those that answer need milliseconds, those that do not ten seconds: a thousand dead receivers fill their own slots and no others. */
const slots: Readonly<Record<Lane, number>> = { sound: 64, new: 32, failing: 32 }
const leaseMs = 30_000
const lastMomentMs = 2_000

export function openDelivering(parts: DeliveringParts): Delivering {
  const { catalog, now, onError } = parts
  const pool = catalog.pipeline
  const noting = openNoting(catalog, now)
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
      const taken: Promise<void> = takeTurn({ ...parts, noting }, turn, sealed, cut.signal)
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
