/** What the Fastify tier needs of a system. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../schemas/errors.ts'
import { profileFor } from '../../schemas/feeds/registry.ts'
import { bearerOf, principalOf } from '../../serving/plugins/access.ts'
import { memoryCounter } from '../../serving/plugins/rate-window.ts'
import type { ServerPorts } from '../../serving/server.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { findKey, findMemberships, findPolicy, touchKey } from '../catalog/access-queries.ts'
import { lockCatalog } from '../catalog/batch-lock.ts'
import { sharedCounter } from '../catalog/rate-counter.ts'
import { saveScores } from '../catalog/scores.ts'
import { findSettings } from '../catalog/settings.ts'
import { isStoreAway } from '../catalog/sql-errors.ts'
import { brandNamed, defaultCatalog, findCatalog } from '../catalog/tenants.ts'
import type { System } from '../system.ts'
import { freshFor } from './fresh-for.ts'

/** A server that stands still keeps its connections and says nothing on them. */
const answersWithinMs = 2_000

/** Platforms that a feed-ready product must be valid for where none is configured for the brand. */
const defaultPlatform = profileFor('google')

/** What was revoked is out of force on every node within this time. */
const accessMs = 5_000

function accessPorts({ catalog, tokens, logger }: System): ServerPorts['access'] {
  const pool = catalog.pipeline
  const fresh = <T>(look: (key: string) => Promise<T>) => freshFor(accessMs, Date.now, look)
  return {
    verify: (token) => tokens.verify(token),
    findKey: fresh((prefix) => findKey(pool, prefix)),
    findMemberships: fresh((subject) => findMemberships(pool, subject)),
    findPolicy: fresh((workspace) => findPolicy(pool, workspace)),
    touchKey: (id) => void touchKey(pool, id).catch((err: unknown) => logger.warn({ err }, 'last use of a key')),
    now: () => new Date(),
  }
}

export function serverPorts(system: System): ServerPorts {
  const { catalog, imports, publishing, config, logger } = system
  const pool = catalog.pipeline
  return {
    catalog,
    access: accessPorts(system),
    limits: { counter: config.nodes > 1 ? sharedCounter(pool) : memoryCounter(), now: () => new Date() },
    isStoreAway,
    now: () => new Date(),
    logger,
    requiredProfiles: defaultPlatform?.bit ?? 0,
    weights: async (workspace) => {
      const found = await findSettings(pool, workspace)
      if (!found) throw new ServiceError('FORBIDDEN', { message: 'There is no such workspace' })
      return found.weights
    },
    save: (id, scores) => saveScores(pool, id, scores, rubricVersion),
    lock: (id) => lockCatalog(system.databaseUrl, id),
    edits: imports,
    publish: (row, by, changelog) =>
      publishing.start({ catalog: row.id, workspace: row.workspaceId, brand: row.brandId }, by, changelog),
    readiness: {
      async check() {
        const late = new AbortController()
        const answers = await Promise.race([
          pool.query('select 1').then(
            () => true,
            () => false,
          ),
          sleep(answersWithinMs, false, { signal: late.signal }).catch(() => false),
        ])
        late.abort()
        return { postgres: answers }
      },
    },
    datasets: {
      maxUploadBytes: config.maxUploadBytes,
      accept: (offer) => imports.accept(offer),
      async target(request, catalogId) {
        const bearer = bearerOf(request)
        const row = await catalog.withTenant(principalOf(bearer), async (tx) => {
          if (catalogId !== undefined) return findCatalog(tx, catalogId)
          const brand = bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
          return brand === null ? null : defaultCatalog(tx, brand)
        })
        if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
        return { workspace: bearer.workspace, brand: row.brandId, catalog: row.id, by: bearer.subject }
      },
    },
  }
}
