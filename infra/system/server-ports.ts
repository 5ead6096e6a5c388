/** What the Fastify tier needs of a system. */
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../schemas/errors.ts'
import { requiredBits } from '../../schemas/feeds/required-bits.ts'
import { topics } from '../../schemas/topics.ts'
import { bearerOf, principalOf } from '../../serving/plugins/access.ts'
import { memoryCounter } from '../../serving/plugins/rate-window.ts'
import { openSegmentReader } from '../../serving/search/segment-reader.ts'
import type { ServerPorts } from '../../serving/server.ts'
import { askedField } from '../../transforms/demand/asked-field.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { openSimilar } from '../../transforms/recommend/similar-documents.ts'
import { openSearcher } from '../../transforms/search/search-segments.ts'
import { products as topology } from '../../transforms/topology.ts'
import { findKey, findMemberships, findPolicy, hasBrand, touchKey } from '../catalog/access-queries.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { lockCatalog } from '../catalog/batch-lock.ts'
import { brandNamed, platformsOf, workspaceOf } from '../catalog/brands.ts'
import { countStates } from '../catalog/gauge-queries.ts'
import { giveKeyBack, keepAnswer, renewLease, takeKey } from '../catalog/idempotency.ts'
import { isMoving } from '../catalog/log-epochs.ts'
import { findPreview } from '../catalog/previews.ts'
import { sharedCounter } from '../catalog/rate-counter.ts'
import { saveScores } from '../catalog/scores.ts'
import { findSettings } from '../catalog/settings.ts'
import { isStoreAway } from '../catalog/sql-errors.ts'
import { refineJobOf } from '../catalog/stale-queries.ts'
import { findUpload, listParts } from '../catalog/uploads.ts'
import { newestEvent } from '../events/aggregate.ts'
import { demandOf } from '../events/demand.ts'
import { feedReads } from '../events/feed-reads.ts'
import { EventsAway } from '../events/port.ts'
import { epochOf } from '../log/epoch-of.ts'
import { EpochClosed } from '../log/fenced.ts'
import { LogAway } from '../log/log-away.ts'
import { notKept } from '../log/look-up-inbound.ts'
import type { System } from '../system.ts'
import { ProviderAway } from '../tokens.ts'
import { aggregation } from './aggregation.ts'
import { analytics } from './analytics.ts'
import { eventsBehind } from './event-snapshots.ts'
import { columnsWriter, exportWriter, tableWriter } from './exports.ts'
import { feedFilePorts } from './feed-file-ports.ts'
import { freshFor } from './fresh-for.ts'
import { importComparer, importFiles } from './import-files.ts'
import { readLetter } from './letter-records.ts'
import { planRoom } from './plan-room.ts'
import { openProvenance } from './provenance.ts'
import { silverPages } from './silver-pages.ts'
import { targetPorts } from './target-ports.ts'
import { tiles } from './tiles.ts'
import { webhookPorts } from './webhook-ports.ts'
import { workspacePorts } from './workspace-ports.ts'

/** A server that stands still keeps its connections and says nothing on them. */
const answersWithinMs = 2_000

/** What was revoked is out of force on every node within five seconds, the asking included. */
const accessMs = 4_000
/** Saved weights, and platforms of a brand, are in force for every reader within five seconds; single reads ask far more often. Lists and batch runs ask anew. */
const weightsMs = 1_000
/** A move of the log waits for what was taken just before it. */
const movingMs = 1_000
/** How exact the last use of a key is. */
const lastUseMs = 60_000

/** Of the search index, what is kept of what was read lately: a part of what the process may have, between that of some million products and of many. */
const [leastSearchBytes, mostSearchBytes, searchPart] = [192 * 1024 ** 2, 512 * 1024 ** 2, 32]
const searchBytes = () => {
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
  return Math.min(mostSearchBytes, Math.max(leastSearchBytes, memory / searchPart))
}

function accessPorts(
  { catalog, tokens, logger, config }: System,
  now: () => Date,
): { access: ServerPorts['access']; forget: Omit<ServerPorts['forget'], 'catalogs'> } {
  const pool = catalog.pipeline
  const ms = () => now().getTime()
  const fresh = <T>(look: (key: string) => Promise<T>) => freshFor(accessMs, ms, look)
  const touch = freshFor(lastUseMs, ms, (id) => touchKey(pool, id))
  const keys = fresh((prefix) => findKey(pool, prefix))
  const memberships = fresh((subject) => findMemberships(pool, subject))
  const policies = fresh((workspace) => findPolicy(pool, workspace))
  const brands = fresh((key) => hasBrand(pool, ...(key.split(' ') as [string, string])))
  const brandKey = (workspace: string, brand: string) => `${workspace} ${brand}`
  return {
    access: {
      verify: fresh((token) => tokens.verify(token)).atOnce,
      findKey: keys.atOnce,
      findMemberships: memberships.atOnce,
      findPolicy: policies.atOnce,
      hasBrand: (workspace, brand) => brands.atOnce(brandKey(workspace, brand)),
      publicUrl: config.publicUrl ?? null,
      touchKey: (id) => void touch(id).catch((err: unknown) => logger.warn({ err }, 'last use of a key')),
      now,
    },
    forget: {
      key: keys.forget,
      member: memberships.forget,
      policy: policies.forget,
      brand: (workspace, brand) => brands.forget(brandKey(workspace, brand)),
    },
  }
}

function metricsPorts(system: System): ServerPorts['metrics'] {
  const { catalog, log, config } = system
  const pool = catalog.pipeline
  return {
    token: config.metricsToken ?? null,
    lag: async () => {
      const passed = await sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
      return (await log.ends(topics.bronze)).map((end, partition) => Math.max(0, end - (passed[partition] ?? 0)))
    },
    eventsLag: () => eventsBehind(system),
    states: () => countStates(pool),
    pools: () =>
      Object.fromEntries(
        (['api', 'pipeline'] as const).map((name) => {
          const { totalCount: total, idleCount: idle, waitingCount: waiting } = catalog[name]
          return [name, { total, idle, waiting }]
        }),
      ),
  }
}

/** @param now what time it is for access and limits */
export function serverPorts(system: System, now = () => new Date()): ServerPorts {
  const { catalog, imports, publishing, config, logger } = system
  const pool = catalog.pipeline
  const weightsInForce = async (workspace: string) => {
    const found = await findSettings(pool, workspace)
    if (!found) throw new ServiceError('FORBIDDEN', { message: 'There is no such workspace' })
    return { weights: found.weights, number: found.weightsNumber }
  }
  const requiredProfiles = freshFor(weightsMs, Date.now, async (brand) => requiredBits(await platformsOf(pool, brand)))
  const mainBrand = freshFor(accessMs, Date.now, (workspace) => brandNamed(pool, workspace, 'main'))
  const isMovingNow = freshFor(movingMs, Date.now, () => isMoving(pool, system.log.epoch))
  const { access, forget } = accessPorts(system, now)
  const questions = aggregation(system)
  const segments = openSegmentReader(searchBytes())
  const recordFor: ServerPorts['recordFor'] = (workspace, request, event) => {
    const { id, appended } = system.collecting.record(workspace, request.headers['user-agent'] ?? '', event)
    appended.catch((err: unknown) => logger.error({ err }, 'an event was not recorded'))
    return id
  }
  return {
    catalog,
    access,
    forget: {
      ...forget,
      catalogs: questions.forgetScopes,
      brand: (workspace, id) => {
        forget.brand(workspace, id)
        requiredProfiles.forget(id)
      },
    },
    ...workspacePorts(catalog),
    ...webhookPorts(system, now),
    ...feedFilePorts(system),
    dispatch: system.dispatching.start,
    limits: {
      counter: config.nodes === 1 ? memoryCounter() : sharedCounter(pool),
      now,
      rates: { workspace: [{ by: 'credential', seconds: 60, limit: config.workspaceRate }] },
    },
    cursorKey: system.cursorKey,
    idempotency: {
      now,
      take: (claim) => takeKey(pool, claim),
      renew: (key, holder, until) => renewLease(pool, key, holder, until),
      keep: (claim, answer) => keepAnswer(pool, claim, answer),
      giveBack: (key, holder) => giveKeyBack(pool, key, holder),
      onError: (err) => logger.warn({ err }, 'an answer for its Idempotency-Key'),
    },
    isStoreAway: (error) =>
      [ProviderAway, EpochClosed, LogAway, EventsAway].some((of) => error instanceof of) || isStoreAway(error),
    isMoving: () => isMovingNow(''),
    called: system.others.called,
    trustedProxies: config.trustedProxies,
    now,
    logger,
    metrics: metricsPorts(system),
    requiredProfiles,
    weights: async (workspace) => (await weightsInForce(workspace)).weights,
    recentWeights: freshFor(weightsMs, Date.now, weightsInForce),
    partitionOf: (product, epoch) => epochOf(system.log, epoch).partitionOf(product),
    save: (id, scores, at) => saveScores(pool, id, scores, { rubricVersion, at }),
    // A job that refines is a batch run too, until it has ended: one whose process died is taken over.
    lock: async (id) => ((await refineJobOf(pool, id)) === null ? lockCatalog(system.databaseUrl, id) : null),
    bulkEdits: system.bulkEdits,
    urlImports: { start: system.urlImports.start, check: (address) => system.egress.check(address, { http: true }) },
    checkImages: (order) => system.imageChecks.start(order),
    productsLeft: planRoom(pool).productsLeft,
    silver: ({ id, workspaceId }) => silverPages(system, workspaceId, id),
    edits: system.edits,
    provenance: openProvenance(system),
    lives: system.lives,
    taxonomy: system.taxonomy,
    writeExport: exportWriter(join(config.dataFolder, 'spool')),
    writeColumns: columnsWriter(join(config.dataFolder, 'spool')),
    writeTable: tableWriter(join(config.dataFolder, 'spool')),
    jobControl: system.jobControl,
    publish: (row, by, changelog, notify) =>
      publishing.start({ catalog: row.id, workspace: row.workspaceId, brand: row.brandId }, by, changelog, { notify }),
    fork: (order) => system.forking.start(order),
    verify: (order) => system.verifying.start(order),
    rebuild: (order) => system.rebuilding.start(order),
    replays: { ...system.promoting, start: (order) => system.replaying.start(order) },
    redrive: (order) => system.redriving.start(order),
    readLetter: async (letter) => {
      const read = await readLetter(letter, system)
      if ('missing' in read) return read
      const { partition, offset } = letter
      const found = read.records.find((one) => one.partition === partition && one.offset === offset)
      return found ? { value: found.value } : { missing: notKept }
    },
    inbound: {
      nameOf: system.inbound.nameOf,
      make: (workspace, partitions) => system.inbound.make(workspace, partitions ?? system.log.partitions),
    },
    merges: system.merging,
    holding: system.holding,
    duplicates: system.duplicates,
    undoing: system.undoing,
    importFiles,
    compareImports: importComparer(join(config.dataFolder, 'spool')),
    restore: ({ id, workspaceId, brandId }, version, by, notify) =>
      system.restoring.start({ catalog: id, workspace: workspaceId, brand: brandId, version, by, notify }),
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
        return { postgres: answers, ...(system.transforms && { transforms: system.transforms.isMember() }) }
      },
    },
    datasets: {
      ...targetPorts(system),
      accept: (offer) => imports.accept(offer),
      fetch: (offer) => imports.fetch(offer),
      checkAddress: (address) => system.egress.check(address),
      preview: (offer) => imports.preview(offer),
      acceptPreviewed: (row, wanted) => imports.acceptPreviewed(row, wanted),
      findPreview: (request, id) => catalog.withTenant(principalOf(bearerOf(request)), (tx) => findPreview(tx, id)),
    },
    aggregation: questions,
    tiles: tiles(system),
    analytics: analytics(system),
    visibility: system.visibility,
    demand: async (scope) => {
      const [demand, watermark] = await Promise.all([
        demandOf(system.events, { ...scope, fieldOf: (name) => askedField(name).name }),
        newestEvent(system.events, scope),
      ])
      return { ...demand, watermark }
    },
    record: (request, event) => recordFor(bearerOf(request).workspace, request, event),
    recordFor,
    search: { catalog, segments, searcher: openSearcher() },
    recommend: { catalog, segments, similar: openSimilar() },
    workspaceOf: freshFor(weightsMs, Date.now, (brand) => workspaceOf(pool, brand)),
    recordCall(request, { brand, ...event }) {
      const { workspace } = bearerOf(request)
      const tell = async () => {
        const of = brand ?? (await mainBrand(workspace))
        if (of !== null) recordFor(workspace, request, { ...event, brand: of })
      }
      tell().catch((err: unknown) => logger.error({ err }, 'an event was not recorded'))
    },
    mcp: {
      issuer: (config.oidc?.issuer as string | undefined) ?? null,
      isBehindProxy: config.trustedProxies.length > 0,
    },
    eraseCustomer: (workspace, customer) => system.collecting.erase(workspace, customer),
    feeds: system.feeding,
    forecast: (order) => system.forecasting.start(order),
    validateFeed: (order) => system.validating.start(order),
    feedReads: (scope) => feedReads(system.events, scope),
    collect: (request, sent) => {
      const bearer = bearerOf(request)
      const { brand, catalog } = bearer
      const userAgent = request.headers['user-agent'] ?? ''
      return system.collecting.collect({ principal: principalOf(bearer), brand, catalog, userAgent }, sent)
    },
    uploads: {
      ...targetPorts(system),
      ...system.uploads,
      find: (request, id) => catalog.withTenant(principalOf(bearerOf(request)), (tx) => findUpload(tx, id)),
      parts: (request, id) => catalog.withTenant(principalOf(bearerOf(request)), (tx) => listParts(tx, id)),
    },
  }
}
