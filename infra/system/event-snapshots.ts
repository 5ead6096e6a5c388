/** Names which events are in the event store for good: a snapshot, by which many questions see the same ones. */
import { createHmac } from 'node:crypto'
import { topics } from '../../schemas/topics.ts'
import type { Snapshot } from '../../serving/workspace/tile-ports.ts'
import { decodeEvent } from '../../transforms/events/decode.ts'
import { sinkPlaces } from '../catalog/advance-position.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { readSecret } from '../catalog/secrets.ts'
import type { EpochReader, Log } from '../log/port.ts'
import { eventsGroup } from './event-sink.ts'

interface Parts {
  readonly catalog: Pick<Catalog, 'pipeline'>
  readonly log: Pick<Log, 'epoch' | 'partitions' | 'begins' | 'ends' | 'read' | 'former'>
}

interface Left {
  readonly epoch: Pick<EpochReader, 'read'>
  readonly partition: number
  readonly from: number
  readonly events: number
}

const nameLength = 22
const keys = new WeakMap<object, Promise<Buffer>>()

/**
 * A block is in the store before its position moves, so that what stands before the positions is there. Former epochs count too: while a store
 * that came back empty is filled from them, each step is another snapshot, and what was answered before is not given again. All tenants' events
 * stand in the same partitions, so the name does not show places, and what is not counted yet is told as time. A store that has less than the
 * positions say takes them back when it is reached (`identity`): who asks about what is in it reaches it first.
 */
export async function takeSnapshot({ catalog, log }: Parts): Promise<Snapshot> {
  const { upTo, texts, left } = await stateOf({ catalog, log })
  const lag = await secondsBehind(left, Date.now())
  return { text: nameOf(await keyOf(catalog.pipeline), texts.join(';')), upTo, lag }
}

/** Of all tenants, for who runs the system. The store is not reached for it. */
export async function eventsBehind(parts: Parts): Promise<number> {
  const { left } = await stateOf(parts)
  return left.reduce((sum, { events }) => sum + events, 0)
}

async function stateOf({ catalog, log }: Parts) {
  const upTo = await sinkPlaces(catalog.pipeline, eventsGroup, topics.events)
  const texts: string[] = []
  const left: Left[] = []
  for (const epoch of [...(log.former ?? []), log]) {
    const passed = new Array<number>(epoch.partitions).fill(0)
    for (const place of upTo) if (place.epoch === epoch.epoch) passed[place.partition] = place.next
    const behind = await leftOf(epoch, passed)
    left.push(...behind)
    // A former one that was read to its end says no more.
    if (behind.length > 0 || epoch.epoch === log.epoch) texts.push(`${epoch.epoch}:${passed.join('.')}`)
  }
  return { upTo, texts, left }
}

/** What stands before an epoch's beginning in the same partitions is a former one's. */
async function leftOf(
  epoch: Pick<EpochReader, 'begins' | 'ends' | 'read'>,
  passed: readonly number[],
): Promise<Left[]> {
  const ends = await epoch.ends(topics.events)
  if (ends.every((end, i) => end <= (passed[i] ?? 0))) return []
  const begins = await epoch.begins(topics.events)
  return ends.flatMap((end, partition) => {
    const from = Math.max(passed[partition] ?? 0, begins[partition] ?? 0)
    return end > from ? [{ epoch, partition, from, events: end - from }] : []
  })
}

/** Since the oldest that is not counted was taken; at least one where there is any, also one that nobody can read. */
async function secondsBehind(left: readonly Left[], now: number): Promise<number> {
  const oldest = await Promise.all(
    left.map(async ({ epoch, partition, from }) => {
      const [record] = await epoch.read(topics.events, partition, from, 1)
      const event = record && decodeEvent(record.value)
      return event && 'received' in event ? Date.parse(event.received) : now
    }),
  )
  return oldest.length === 0 ? 0 : Math.max(1, Math.ceil((now - Math.min(...oldest)) / 1_000))
}

const nameOf = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, nameLength)

/** The same on all nodes, so that the same name is the same events wherever it was asked for. */
function keyOf(pool: Catalog['pipeline']): Promise<Buffer> {
  const known = keys.get(pool) ?? readSecret(pool, 'snapshots')
  keys.set(pool, known)
  known.catch(() => keys.delete(pool))
  return known
}
