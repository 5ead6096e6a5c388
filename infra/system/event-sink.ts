/** The role `events`: writes what stands on `events.agent` to the event store, in blocks, each partition from where it came to, former epochs first. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { DeadKind } from '../../schemas/dead-letter.ts'
import type { AgentEvent } from '../../schemas/event.ts'
import { keptSince } from '../../schemas/event-days.ts'
import { topics } from '../../schemas/topics.ts'
import { claimsOf } from '../../transforms/bronze/claims-of.ts'
import { decodeEvent } from '../../transforms/events/decode.ts'
import { type EventRow, flatten } from '../../transforms/events/flatten.ts'
import type { DeadRecord, Membership, PartitionShare } from '../../transforms/ports.ts'
import { advancePosition, type Claim, claimPosition } from '../catalog/advance-position.ts'
import { ownEventDays } from '../catalog/event-days.ts'
import { hasWritten, knowStore } from '../catalog/event-store-id.ts'
import { inTransaction } from '../catalog/in-transaction.ts'
import { writeDead } from '../catalog/write-dead.ts'
import { placeOf } from '../events/place.ts'
import { type EventStore, EventsAway } from '../events/port.ts'
import type { EpochReader, Log, StoredRecord } from '../log/port.ts'
import { openArrivals } from './arrivals.ts'

export const eventsGroup = 'events'

interface Parts {
  readonly pool: Pool
  readonly log: Log
  readonly store: EventStore
  readonly share: PartitionShare
  /** Where the share is leased. */
  readonly member: string | null
  readonly now?: () => Date
  readonly onError: (error: unknown) => void
}

/** A block costs the store the same with one event as with thousands: those that come singly are awaited this long (KF-50). */
const gatherMs = 500
const arrivalMs = 500
const blockEvents = 10_000
const retryMs = { first: 500, most: 10_000 }

const topic = topics.events

export function startEventSink({
  pool,
  log,
  store,
  share,
  member,
  now = () => new Date(),
  onError,
}: Parts): Membership {
  const arrival = openArrivals(() => log.ends(topic), arrivalMs)
  let known = false

  /** @returns whether this is the store that the positions are about; where it is not they begin anew, and so does who asked */
  async function isKnown(signal: AbortSignal): Promise<boolean> {
    known ||=
      (await untilDone(async () => !(await knowStore(pool, eventsGroup, await store.identity())), signal)) === true
    return known
  }

  async function run(partition: number, signal: AbortSignal): Promise<void> {
    // A store that nothing was written to is not asked, and an embedded one not started.
    if (!known && (await hasWritten(pool, eventsGroup)) && !(await isKnown(signal))) return
    for (const epoch of log.former ?? [])
      for (let one = partition; one < epoch.partitions; one += log.partitions)
        if (!(await follow(epoch, one, null, signal))) return
    await follow(log, partition, member, signal)
  }

  /** A former epoch to its end, the present one until the signal. @returns false where the partition was lost */
  async function follow(
    from: EpochReader,
    partition: number,
    owner: string | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const isPresent = from.epoch === log.epoch
    const claimed = await claimPosition(pool, eventsGroup, from.epoch, topic, partition, owner)
    if (!claimed) return false
    const claim = { group: eventsGroup, epoch: from.epoch, topic, partition, ownerEpoch: claimed.ownerEpoch }
    let next = claimed.nextOffset
    while (!signal.aborted) {
      const end = (await from.ends(topic))[partition] ?? 0
      if (end <= next && !isPresent) return true
      if (end <= next) await arrival(partition, next, signal)
      // A block that is full has nothing to await: what gathered while the store was away is written as fast as it takes it.
      if (isPresent && end - next < blockEvents) await sleep(gatherMs, undefined, { signal }).catch(() => {})
      const begin = (await from.begins(topic))[partition] ?? 0
      const records = await from.read(topic, partition, Math.max(next, begin), blockEvents)
      const last = records.at(-1)
      if (!last && !isPresent) return true
      if (!last) continue
      // What was dropped before it was read is a loss that is told; the events behind it are not kept back for it.
      if (begin > next && next > 0)
        onError(
          new Error(`${topic}, partition ${partition}: ${next} to ${begin - 1} were dropped before they were read`),
        )
      if (!(await write(claim, next, last.offset + 1, records, signal))) return false
      next = last.offset + 1
      if (isPresent) joined.passed?.(partition, next)
    }
    return false
  }

  /** @returns false where the partition was lost */
  async function write(
    claim: Claim,
    from: number,
    to: number,
    records: readonly StoredRecord[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const events: Placed[] = []
    const dead: DeadRecord[] = []
    for (const record of records) {
      const event = decodeEvent(record.value)
      if ('unread' in event) dead.push(deathOf(record, claim.epoch, event))
      else events.push({ event, place: placeOf(claim.epoch, claim.partition, record.offset) })
    }
    const rows = await stillKept(pool, events, now())
    if (rows.length > 0) {
      if (!(await isKnown(signal))) return false
      const token = `${claim.epoch}:${claim.partition}:${from}-${to}`
      // The same block with the same token, as long as it takes: the log keeps what comes meanwhile.
      if ((await untilDone(() => store.insert(rows, token), signal)) === 'stopped') return false
    }
    return inTransaction(pool, async (tx) => {
      if (!(await advancePosition(tx, claim, from, to, { former: claim.epoch !== log.epoch }))) return false
      await writeDead(tx, log, topic, dead)
      return true
    })
  }

  async function untilDone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | 'stopped'> {
    for (let pauseMs = retryMs.first; !signal.aborted; pauseMs = Math.min(pauseMs * 2, retryMs.most)) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof EventsAway)) throw error
        onError(error)
        await sleep(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
    return 'stopped'
  }

  const joined = share.join((partition, signal) => run(partition, signal))
  return joined
}

interface Placed {
  readonly event: AgentEvent
  readonly place: ReturnType<typeof placeOf>
}

/** What its workspace keeps no longer is not brought back by a log that still has it. */
async function stillKept(pool: Pool, events: readonly Placed[], now: Date): Promise<EventRow[]> {
  if (events.length === 0) return []
  const workspaces = [...new Set(events.map(({ event }) => event.workspace))]
  const own = await ownEventDays(pool, workspaces)
  const since = new Map(workspaces.map((one) => [one, keptSince(own.get(one), now).getTime()]))
  return events
    .filter(({ event: { workspace, time } }) => Date.parse(time) >= (since.get(workspace) ?? 0))
    .map(({ event, place }) => ({ ...flatten(event), ...place }))
}

const deathOf = (
  { partition, offset, key, value }: StoredRecord,
  epoch: number,
  { unread, as }: { readonly unread: string; readonly as: DeadKind },
): DeadRecord => ({
  ...{ position: { epoch, partition, offset }, key, value, claims: claimsOf(value), attempts: 1 },
  ...{ reason: unread, as },
})
