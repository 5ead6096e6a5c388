/** Questions about events, each with how true its answer is. */
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

/** Ids have no blank in them, and lists of them are joined by commas. */
function namedBy(key: string): Named {
  const [workspaceId = '', brands = '', brand, catalog] = key.split(' ')
  const brandIds = brands === '*' ? brands : brands.split(',').filter(Boolean)
  return { principal: { workspaceId, brandIds }, brand: brand || null, catalog: catalog || null }
}

export function aggregation({ catalog, log, events }: System): AggregatePorts['aggregation'] {
  // What was newest at a snapshot is told with all that is asked at it: the first of many questions asks the store.
  const watermarks = freshFor(watermarkMs, Date.now, (key) => newestEvent(events, (JSON.parse(key) as [Scope])[0]))
  const scopes = freshFor(scopeMs, Date.now, (key) => scopeOf(catalog, namedBy(key)))
  return {
    scopeOf(bearer) {
      const { workspace, brands, brand, catalog } = bearer
      return scopes.atOnce(`${workspace} ${brands} ${brand ?? ''} ${catalog ?? ''}`)
    },
    forgetScopes: scopes.forgetAll,
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
