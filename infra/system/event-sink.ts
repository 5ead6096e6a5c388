/** The role `events`: writes what stands on `events.agent` to the event store, in blocks, each partition from where it came to, former epochs first. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { breaths } from '../../ingest/events/breaths.ts'
import type { DeadKind } from '../../schemas/dead-letter.ts'
import type { AgentEvent } from '../../schemas/event.ts'
import { topics } from '../../schemas/topics.ts'
import { claimsOf } from '../../transforms/bronze/claims-of.ts'
import { decodeEvent } from '../../transforms/events/decode.ts'
import { lineWriter } from '../../transforms/events/line-writer.ts'
import type { DeadRecord, Membership, PartitionShare } from '../../transforms/ports.ts'
import { advancePosition, type Claim, claimPosition, holdsPosition } from '../catalog/advance-position.ts'
import { hasWritten } from '../catalog/event-store-id.ts'
import { inTransaction } from '../catalog/in-transaction.ts'
import { writeDead } from '../catalog/write-dead.ts'
import { placeOf } from '../events/place.ts'
import { type EventStore, EventsAway } from '../events/port.ts'
import type { EpochReader, Log, StoredRecord } from '../log/port.ts'
import { type ArrivalsTold, openArrivals } from './arrivals.ts'
import type { FreshLines, Run } from './fresh-lines.ts'
import { insertTogether } from './insert-together.ts'
import { passTogether } from './pass-together.ts'
import { stillKept } from './still-kept.ts'

export const eventsGroup = 'events'

interface Parts {
  readonly pool: Pool
  readonly log: Log
  readonly store: EventStore
  /** Of what this process appends itself; what is not there is read from the log. */
  readonly fresh: FreshLines
  readonly share: PartitionShare
  /** Where the share is leased. */
  readonly member: string | null
  /** Where the log's engine tells of what comes. */
  readonly told?: ArrivalsTold | undefined
  readonly now?: () => Date
  readonly onError: (error: unknown) => void
}

/** A block costs the store the same with one event as with thousands: a partition has one in this time, and what comes meanwhile is of the next (KF-50). */
const gatherMs = 500
const arrivalMs = 100
/** Once nothing has come for some seconds: an idle server looks no more often. */
const quietMs = 500
/** One that waits looks so often whether its partition is still its own. */
const heldMs = 5_000
/** Of 10,000 events each costs the engine a fifth more than of 50,000, of 2,500 twice as much; the bytes, as they stand on the log, bound what a block holds in memory. */
const block = { fewest: 1_000, first: 10_000, most: 20_000, bytes: 16 * 1024 * 1024 }
const retryMs = { first: 500, most: 10_000 }

const topic = topics.events

export function startEventSink({
  pool,
  log,
  store,
  fresh,
  share,
  member,
  told,
  now = () => new Date(),
  onError,
}: Parts): Membership {
  const arrival = openArrivals(() => log.ends(topic), { pauseMs: arrivalMs, mostMs: quietMs, told })
  // The same block with the same token, as long as it takes: the log keeps what comes meanwhile.
  const insert = insertTogether((lines, token, signal) => untilDone(() => store.insert(lines, token), signal))
  const pass = passTogether((places) => store.pass(places))
  let known = false

  /** Until the store is there, and with it what the positions are: where it has less than they say, they go back. */
  async function isKnown(signal: AbortSignal): Promise<boolean> {
    known ||= (await untilDone(() => store.identity(), signal)) !== 'stopped'
    return known
  }

  async function run(partition: number, signal: AbortSignal): Promise<void> {
    // A store that nothing was written to is not asked, and an embedded one not started.
    if (!known && (await hasWritten(pool, eventsGroup)) && !(await isKnown(signal))) return
    for (const epoch of log.former ?? [])
      for (let one = partition; one < epoch.partitions; one += log.partitions)
        if (!(await follow(epoch, one, null, signal))) return
    fresh.follow(partition)
    await follow(log, partition, member, signal).finally(() => fresh.leave(partition))
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
    let atOnce = block.first
    let turn = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      const end = (await from.ends(topic))[partition] ?? 0
      if (end <= next && !isPresent) return true
      if (end <= next) {
        const late = AbortSignal.timeout(heldMs)
        await arrival(partition, next, AbortSignal.any([signal, late]))
        // Whoever reached a store that has less than it had has taken the position back.
        if (!signal.aborted && !(await holdsPosition(pool, claim, next))) return false
        if (signal.aborted || late.aborted || ((await from.ends(topic))[partition] ?? 0) <= next) continue
      }
      // A block that is full has nothing to await: what gathered while the store was away is written as fast as it takes it.
      if (isPresent && end - next < atOnce) await untilTime((turn + 1) * gatherMs, signal)
      // All partitions have their turns at the same times, so that what they have is written together.
      turn = Math.floor(performance.now() / gatherMs)
      const run = isPresent ? await takeFresh(partition, next, end) : null
      if (run) {
        if (!(await put(claim, next, run.to, run.lines, [], signal))) return false
        next = run.to
        joined.passed?.(partition, next)
        continue
      }
      const begin = (await from.begins(topic))[partition] ?? 0
      const records = await from.read(topic, partition, Math.max(next, begin), atOnce)
      const last = records.at(-1)
      if (!last && !isPresent) return true
      if (!last) continue
      atOnce = likeThese(records)
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

  /** What is kept no longer is left out event by event, as it is read from the log. */
  async function takeFresh(partition: number, next: number, end: number): Promise<Run | null> {
    const run = fresh.take(partition, next, end)
    if (!run) return null
    const isKept = await stillKept(
      pool,
      run.earliest.map(({ workspace }) => workspace),
      now(),
    )
    return run.earliest.every(isKept) ? run : null
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
    const breath = breaths()
    for (const record of records) {
      const pause = breath()
      if (pause) await pause
      const event = decodeEvent(record.value)
      if ('unread' in event) dead.push(deathOf(record, claim.epoch, event))
      else events.push({ event, place: placeOf(claim.epoch, claim.partition, record.offset) })
    }
    const isKept = await stillKept(
      pool,
      events.map(({ event }) => event.workspace),
      now(),
    )
    const kept = events.filter(({ event }) => isKept(event))
    const writer = lineWriter(kept.length)
    for (const { event, place } of kept) writer.add(event, place)
    return put(claim, from, to, kept.length > 0 ? [writer.bytes()] : [], dead, signal)
  }

  /** @returns false where the partition was lost */
  async function put(
    claim: Claim,
    from: number,
    to: number,
    lines: readonly Uint8Array[],
    dead: readonly DeadRecord[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (lines.length > 0) {
      const token = `${claim.epoch}:${claim.partition}:${from}-${to}`
      if ((await insert(lines, token, signal)) === 'stopped') return false
    }
    const isTold = known || lines.length > 0
    const place = { epoch: claim.epoch, partition: claim.partition, next: to }
    const advance = () =>
      inTransaction(pool, async (tx) => {
        if (!(await advancePosition(tx, claim, from, to, { former: claim.epoch !== log.epoch }))) return false
        await writeDead(tx, log, topic, dead)
        // Before the position moves, and by nobody who has lost it: the store never has less than both say.
        if (isTold) await pass(place)
        return true
      })
    return (await untilDone(advance, signal)) === true
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

/** @param at of the clock of performance */
const untilTime = (at: number, signal: AbortSignal) =>
  sleep(Math.max(0, at - performance.now()), undefined, { signal }).catch(() => {})

/** How many make a block, if those that come are as large as these. */
function likeThese(records: readonly StoredRecord[]): number {
  const bytes = records.reduce((sum, { value }) => sum + value.length, 0)
  return Math.min(block.most, Math.max(block.fewest, Math.floor((block.bytes * records.length) / bytes)))
}

interface Placed {
  readonly event: AgentEvent
  readonly place: ReturnType<typeof placeOf>
}

const deathOf = (
  { partition, offset, key, value }: StoredRecord,
  epoch: number,
  { unread, as }: { readonly unread: string; readonly as: DeadKind },
): DeadRecord => ({
  ...{ position: { epoch, partition, offset }, key, value, claims: claimsOf(value), attempts: 1 },
  ...{ reason: unread, as },
})
