/** The role `events`: writes what stands on `events.agent` to the event store, in blocks, each partition from where it came to. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { deadLetter, topics } from '../../schemas/topics.ts'
import { decodeEvent } from '../../transforms/events/decode.ts'
import { type EventRow, flatten } from '../../transforms/events/flatten.ts'
import type { Membership, PartitionShare } from '../../transforms/ports.ts'
import { advancePosition, type Claim, claimPosition } from '../catalog/advance-position.ts'
import { inTransaction } from '../catalog/in-transaction.ts'
import { type EventStore, EventsAway } from '../events/port.ts'
import type { Log, StoredRecord } from '../log/port.ts'
import { openArrivals } from './arrivals.ts'

export const eventsGroup = 'events'

interface Parts {
  readonly pool: Pool
  readonly log: Log
  readonly store: EventStore
  readonly share: PartitionShare
  /** Where the share is leased. */
  readonly member: string | null
  readonly onError: (error: unknown) => void
}

/** A block costs the store the same with one event as with thousands: those that come singly are awaited this long (KF-50). */
const gatherMs = 500
const arrivalMs = 500
const blockEvents = 20_000
const retryMs = { first: 500, most: 10_000 }

export function startEventSink({ pool, log, store, share, member, onError }: Parts): Membership {
  const topic = topics.events
  const arrival = openArrivals(() => log.ends(topic), arrivalMs)

  async function run(partition: number, signal: AbortSignal): Promise<void> {
    const claimed = await claimPosition(pool, eventsGroup, log.epoch, topic, partition, member)
    if (!claimed) return
    const claim = { group: eventsGroup, epoch: log.epoch, topic, partition, ownerEpoch: claimed.ownerEpoch }
    let next = claimed.nextOffset
    while (!signal.aborted) {
      if (((await log.ends(topic))[partition] ?? 0) <= next) await arrival(partition, next, signal)
      await sleep(gatherMs, undefined, { signal }).catch(() => {})
      const records = await log.read(topic, partition, next, blockEvents)
      const last = records.at(-1)
      if (!last) continue
      await tellGap(partition, next, records)
      if (!(await write(claim, next, last.offset + 1, records, signal))) return
      next = last.offset + 1
      joined.passed?.(partition, next)
    }
  }

  /** What was dropped before it was read is a loss that is told; the events behind it are not kept back for it. */
  async function tellGap(partition: number, next: number, [first]: readonly StoredRecord[]): Promise<void> {
    if (!first || first.offset === next) return
    const begin = (await log.begins(topic))[partition] ?? 0
    if (begin > next)
      onError(new Error(`${topic}, partition ${partition}: ${next} to ${begin - 1} were dropped before they were read`))
  }

  /** @returns false where the partition was lost */
  async function write(
    claim: Claim,
    from: number,
    to: number,
    records: readonly StoredRecord[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const rows: EventRow[] = []
    const dead: { key: string; value: string }[] = []
    for (const record of records) {
      const event = decodeEvent(record.value)
      if ('unread' in event) dead.push(letterOf(record, event.unread, log.epoch))
      else rows.push(flatten(event))
    }
    if (rows.length > 0) {
      const token = `${log.epoch}:${claim.partition}:${from}-${to}`
      if (!(await untilWritten(rows, token, signal))) return false
    }
    return inTransaction(pool, async (tx) => {
      if (!(await advancePosition(tx, claim, from, to))) return false
      if (dead.length > 0) await log.append(deadLetter(topic), dead, tx)
      return true
    })
  }

  /** The same block with the same token, as long as it takes: the log keeps what comes meanwhile. */
  async function untilWritten(rows: readonly EventRow[], token: string, signal: AbortSignal): Promise<boolean> {
    for (let pauseMs = retryMs.first; !signal.aborted; pauseMs = Math.min(pauseMs * 2, retryMs.most)) {
      try {
        await store.insert(rows, token)
        return true
      } catch (error) {
        onError(error)
        if (!(error instanceof EventsAway)) throw error
        await sleep(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
    return false
  }

  const joined = share.join((partition, signal) => run(partition, signal))
  return joined
}

function letterOf({ partition, offset, key, value }: StoredRecord, reason: string, epoch: number) {
  const position = { epoch, topic: topics.events, partition, offset }
  return { key, value: JSON.stringify({ v: 1, reason, position, value: value.toString('base64') }) }
}
