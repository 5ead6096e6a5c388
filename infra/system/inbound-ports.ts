/** What the resolver of inbound topics needs of a system. */

import { inboundContext } from '../../ingest/inbound/inbound-context.ts'
import type { InboundPorts } from '../../ingest/inbound/take-messages.ts'
import { mappingOf } from '../../transforms/bronze/mapping-of.ts'
import { identities } from '../catalog/identities.ts'
import { advanceInbound, inboundContextOf, inboundTarget } from '../catalog/inbound-queries.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { findSettings } from '../catalog/settings.ts'
import { isUniqueViolation } from '../catalog/sql-errors.ts'
import { findUnsent, keepUnsent, markSent } from '../catalog/unsent.ts'
import { writeDead } from '../catalog/write-dead.ts'
import type { Log } from '../log/port.ts'
import { freshFor } from './fresh-for.ts'
import { groupPorts } from './group-ports.ts'
import { planRoom } from './plan-room.ts'

/** How old the count of products may be by which a plan is judged. */
const roomMs = 5_000
/** Sources are names, of which someone may make ever more. */
const mostContexts = 10_000

export function inboundPorts(catalog: Catalog, log: Log): InboundPorts {
  const pool = catalog.pipeline
  const known = identities(pool)
  const contexts = new Map<string, Promise<number>>()
  return {
    pool,
    log,
    isUniqueViolation,
    identities: known,
    register: (of, { insert, share, gain }) =>
      catalog.inTransaction(pool, async (tx) => {
        await known.insert(tx, of, insert)
        await known.share(tx, of, share)
        await known.gain(tx, of, gain)
      }),
    inTransaction: catalog.inTransaction,
    now: () => new Date(),
    ...groupPorts(pool, log),
    target: (workspace, id) => inboundTarget(pool, workspace, id),
    context(target, source) {
      const name = `${target.catalog} ${source}`
      const numbered = contexts.get(name)
      if (numbered) return numbered
      const found = inboundContextOf(pool, { ...target, source }, inboundContext)
      // One that could not be asked for is asked for again.
      found.catch(() => contexts.delete(name))
      if (contexts.size > mostContexts) contexts.clear()
      contexts.set(name, found)
      return found
    },
    mapping: async (workspace, source) => {
      const silver = (await findSettings(pool, workspace))?.silver
      return silver ? mappingOf(silver, source) : {}
    },
    room: freshFor(roomMs, Date.now, planRoom(pool).productsLeft),
    advance: advanceInbound,
    unsent: { keep: keepUnsent, find: (sender) => findUnsent(pool, sender), markSent },
    writeDead: (tx, topic, dead) => writeDead(tx, log, topic, dead),
  }
}
