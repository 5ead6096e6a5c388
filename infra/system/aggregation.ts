/** Questions about events, each with how true its answer is. */
import { topics } from '../../schemas/topics.ts'
import type { AggregatePorts } from '../../serving/workspace/aggregate.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { aggregate, newestEvent } from '../events/aggregate.ts'
import { EventsAway, TooMuch } from '../events/port.ts'
import type { System } from '../system.ts'
import { eventsGroup } from './event-sink.ts'

export function aggregation({ catalog, log, events }: System): AggregatePorts['aggregation'] {
  return {
    async ask(params, scope, now, signal) {
      const [answer, watermark] = await Promise.all([
        aggregate(events, params, scope, now, signal),
        newestEvent(events, scope),
      ])
      return { ...answer, watermark }
    },
    async progress() {
      const passed = await sinkPositions(catalog.pipeline, eventsGroup, log.epoch, topics.events, log.partitions)
      const ends = await log.ends(topics.events)
      const lag = ends.reduce((sum, end, i) => sum + Math.max(0, end - (passed[i] ?? 0)), 0)
      return { snapshot: `${log.epoch}:${passed.join('.')}`, lag }
    },
    isAway: (error) => error instanceof EventsAway,
    isTooMuch: (error): error is Error => error instanceof TooMuch,
  }
}
