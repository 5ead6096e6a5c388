/** How far the event store has come: what it has of the log, and what it has not. */
import { topics } from '../../schemas/topics.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Log } from '../log/port.ts'
import { eventsGroup } from './event-sink.ts'

export async function eventProgress(
  { pipeline }: Pick<Catalog, 'pipeline'>,
  log: Pick<Log, 'epoch' | 'partitions' | 'ends'>,
): Promise<{ readonly snapshot: string; readonly lag: number }> {
  const passed = await sinkPositions(pipeline, eventsGroup, log.epoch, topics.events, log.partitions)
  const ends = await log.ends(topics.events)
  const lag = ends.reduce((sum, end, i) => sum + Math.max(0, end - (passed[i] ?? 0)), 0)
  return { snapshot: `${log.epoch}:${passed.join('.')}`, lag }
}
