/** Names which events are in the event store for good: a snapshot, by which many questions see the same ones. */
import { topics } from '../../schemas/topics.ts'
import type { Snapshot } from '../../serving/workspace/tile-ports.ts'
import { sinkPlaces } from '../catalog/advance-position.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Log } from '../log/port.ts'
import { eventsGroup } from './event-sink.ts'

interface Parts {
  readonly catalog: Pick<Catalog, 'pipeline'>
  readonly log: Pick<Log, 'epoch' | 'partitions' | 'begins' | 'ends' | 'former'>
}

/**
 * A block is in the store before its position moves, so that what stands before the positions is there. Former epochs count too: while a store
 * that came back empty is filled from them, each step is another snapshot, and what was answered before is not given again.
 */
export async function takeSnapshot({ catalog, log }: Parts): Promise<Snapshot> {
  const topic = topics.events
  const upTo = await sinkPlaces(catalog.pipeline, eventsGroup, topic)
  const texts: string[] = []
  let lag = 0
  for (const epoch of [...(log.former ?? []), log]) {
    const passed = new Array<number>(epoch.partitions).fill(0)
    for (const place of upTo) if (place.epoch === epoch.epoch) passed[place.partition] = place.next
    const left = await behind(epoch, passed)
    lag += left
    // A former one that was read to its end says no more.
    if (left > 0 || epoch.epoch === log.epoch) texts.push(`${epoch.epoch}:${passed.join('.')}`)
  }
  return { text: texts.join(';'), upTo, lag }
}

/** What stands before an epoch's beginning in the same partitions is a former one's. */
async function behind(epoch: Pick<Log, 'begins' | 'ends'>, passed: readonly number[]): Promise<number> {
  const ends = await epoch.ends(topics.events)
  if (ends.every((end, i) => end <= (passed[i] ?? 0))) return 0
  const begins = await epoch.begins(topics.events)
  return ends.reduce((sum, end, i) => sum + Math.max(0, end - Math.max(passed[i] ?? 0, begins[i] ?? 0)), 0)
}
