/** Questions about events, each with how true its answer is. */
import type { AggregatePorts } from '../../serving/workspace/aggregate.ts'
import { aggregate, newestEvent } from '../events/aggregate.ts'
import { EventsAway, TooMuch } from '../events/port.ts'
import type { System } from '../system.ts'
import { eventProgress } from './event-progress.ts'

export function aggregation({ catalog, log, events }: System): AggregatePorts['aggregation'] {
  return {
    async ask(params, scope, now, signal) {
      const [answer, watermark] = await Promise.all([
        aggregate(events, params, scope, now, signal),
        newestEvent(events, scope),
      ])
      return { ...answer, watermark }
    },
    progress: () => eventProgress(catalog, log),
    isAway: (error) => error instanceof EventsAway,
    isTooMuch: (error): error is Error => error instanceof TooMuch,
  }
}
