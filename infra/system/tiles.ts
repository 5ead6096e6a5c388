/** Answers widgets from the event store. */
import { ServiceError } from '../../schemas/errors.ts'
import type { TileData } from '../../schemas/tile.ts'
import type { WidgetDefinition } from '../../schemas/widget.ts'
import type { TilePorts } from '../../serving/workspace/tile-ports.ts'
import { aggregate, newestEvent, type Scope } from '../events/aggregate.ts'
import { funnel } from '../events/funnel.ts'
import { type EventStore, EventsAway, TooMuch } from '../events/port.ts'
import type { System } from '../system.ts'
import { takeSnapshot } from './event-snapshots.ts'

export function tiles(system: System): TilePorts['tiles'] {
  return {
    async snapshot() {
      // While it is away each widget says so by itself.
      await system.events.identity().catch((error: unknown) => {
        if (!(error instanceof EventsAway)) throw error
      })
      return takeSnapshot(system)
    },
    answer: (definition, scope, at, signal) => answer(whileWanted(system.events, signal), definition, scope, at),
    newest: (scope, signal) => newestEvent(whileWanted(system.events, signal), scope),
    failureOf: (error) => {
      if (error instanceof TooMuch)
        return { code: 'INVALID_REQUEST', message: `${error.message}; ask for fewer days or fewer types` }
      // Its turn did not come in time.
      if (error instanceof ServiceError) return { code: error.code, message: error.message }
      return error instanceof EventsAway
        ? { code: 'SERVER_002', message: 'The event store does not answer now; ask again' }
        : null
    },
  }
}

const whileWanted = (store: EventStore, signal: AbortSignal): Pick<EventStore, 'ask'> => ({
  ask: (sql, bound, limits) => {
    signal.throwIfAborted()
    return store.ask(sql, bound, { ...limits, signal })
  },
})

async function answer(
  store: Pick<EventStore, 'ask'>,
  definition: WidgetDefinition,
  scope: Scope,
  at: Date,
): Promise<{ readonly data: TileData; readonly rowsRead: number }> {
  if (definition.type === 'funnel') {
    const told = await funnel(store, definition.funnel, scope, at)
    return { data: { funnel: told.funnel }, rowsRead: told.rowsRead }
  }
  const { question } = definition
  const { rows, rowsRead, previous } = await aggregate(store, question, scope, at)
  const data = {
    rows: [...rows],
    ...(previous && { compared_with: { from: instant(previous.from), to: instant(previous.to) } }),
  }
  if (definition.type !== 'breakdown_bar') return { data, rowsRead }
  // Bars say what share of the whole they are, and the whole is more than the bars that are shown.
  const whole = await aggregate(store, { ...question, group_by: 'none' }, scope, at)
  const [total = null] = whole.rows.map(({ key: _, ...row }) => row)
  return { data: { ...data, total }, rowsRead: rowsRead + whole.rowsRead }
}

const instant = (ms: number) => new Date(ms).toISOString()
