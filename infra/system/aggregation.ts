/** Questions about events, each with how true its answer is. */
import { principalOf } from '../../serving/plugins/access.ts'
import type { AggregatePorts } from '../../serving/workspace/aggregate.ts'
import { type Named, scopeOf } from '../../serving/workspace/question-scope.ts'
import { aggregate, newestEvent, type Scope } from '../events/aggregate.ts'
import { EventsAway, TooMuch } from '../events/port.ts'
import type { System } from '../system.ts'
import { takeSnapshot } from './event-snapshots.ts'
import { freshFor } from './fresh-for.ts'

/** What was revoked, or a catalog that was deleted, is out of force within five seconds, the asking included. */
const scopeMs = 4_000
const watermarkMs = 60_000

export function aggregation({ catalog, log, events }: System): AggregatePorts['aggregation'] {
  // What was newest at a snapshot is told with all that is asked at it: the first of many questions asks the store.
  const watermarks = freshFor(watermarkMs, Date.now, (key) => newestEvent(events, (JSON.parse(key) as [Scope])[0]))
  const scopes = freshFor(scopeMs, Date.now, (named) => scopeOf(catalog, JSON.parse(named) as Named))
  return {
    scopeOf(bearer) {
      const named: Named = { principal: principalOf(bearer), brand: bearer.brand, catalog: bearer.catalog }
      return scopes(JSON.stringify(named))
    },
    async ask(params, scope, now, snapshot, signal) {
      const [answer, watermark] = await Promise.all([
        aggregate(events, params, scope, now, signal),
        watermarks(JSON.stringify([scope, snapshot])),
      ])
      return { ...answer, watermark }
    },
    reached: async () => void (await events.identity()),
    async progress() {
      const { text, lag } = await takeSnapshot({ catalog, log })
      return { snapshot: text, lag }
    },
    isAway: (error) => error instanceof EventsAway,
    isTooMuch: (error): error is Error => error instanceof TooMuch,
  }
}
