/** Questions about events, each with how true its answer is. */
import type { AggregatePorts } from '../../serving/workspace/aggregate.ts'
import { aggregate, newestEvent } from '../events/aggregate.ts'
import { TooMuch } from '../events/port.ts'
import type { System } from '../system.ts'
import { eventProgress } from './event-progress.ts'

export function aggregation({ catalog, log, events }: System): AggregatePorts['aggregation'] {
  return {
    async ask(params, scope, now) {
      const [{ rows, rowsRead }, watermark] = await Promise.all([
        aggregate(events, params, scope, now),
        newestEvent(events, scope),
      ])
      return { rows, rowsRead, watermark }
    },
    progress: () => eventProgress(catalog, log),
    isTooMuch: (error) => error instanceof TooMuch,
  }
}
