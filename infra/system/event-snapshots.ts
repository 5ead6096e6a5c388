/** Names which events are in the event store for good: a snapshot, by which many questions see the same ones. */
import { topics } from '../../schemas/topics.ts'
import type { Snapshot } from '../../serving/workspace/tile-ports.ts'
import { sinkPlaces } from '../catalog/advance-position.ts'
import type { System } from '../system.ts'
import { eventsGroup } from './event-sink.ts'

/** A block is in the store before its position moves, so that what stands before the positions is there. */
export async function takeSnapshot({ catalog, log }: Pick<System, 'catalog' | 'log'>): Promise<Snapshot> {
  const topic = topics.events
  const upTo = await sinkPlaces(catalog.pipeline, eventsGroup, topic)
  const texts: string[] = []
  let lag = 0
  for (const epoch of [...(log.former ?? []), log]) {
    const passed = new Array<number>(epoch.partitions).fill(0)
    for (const place of upTo) if (place.epoch === epoch.epoch) passed[place.partition] = place.next
    const ends = await epoch.ends(topic)
    const left = ends.reduce((sum, end, i) => sum + Math.max(0, end - (passed[i] ?? 0)), 0)
    lag += left
    // A former one that was read to its end says no more.
    if (left > 0 || epoch.epoch === log.epoch) texts.push(`${epoch.epoch}:${passed.join('.')}`)
  }
  return { text: texts.join(';'), upTo, lag }
}
