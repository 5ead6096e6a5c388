/** The Fastify tier: plugins that every route passes, then the routes. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type DatasetPorts, datasets } from '../ingest/dataset-route.ts'
import { type EventPorts, events } from '../ingest/events/events-route.ts'
import { datasetFetch, type FetchPorts } from '../ingest/fetch-route.ts'
import { type UploadPorts, uploads } from '../ingest/upload-route.ts'
import type { AccessPorts } from './access/principal.ts'
import type { AnalyticsPorts as SearchAnalyticsPorts } from './analytics/analytics-ports.ts'
import { recommendationAnalytics } from './analytics/recommendation-analytics.ts'
import { searchAnalytics } from './analytics/search-analytics.ts'
import { searchedQueries } from './analytics/searched-queries.ts'
import { type DistributionPorts, distribution } from './feeds/distribution.ts'
import { type AnalyticsPorts, feedAnalytics } from './feeds/feed-analytics.ts'
import { type FeedFilePorts, feedFiles } from './feeds/feed-files.ts'
import { feedGeneration, type GenerationPorts } from './feeds/feed-generation.ts'
import type { FeedPorts } from './feeds/feed-ports.ts'
import { feedTargets, type TargetPorts } from './feeds/feed-targets.ts'
import { feedValidation, type ValidationPorts } from './feeds/feed-validation.ts'
import { type ForecastPorts, feedForecast } from './feeds/forecast.ts'
import { ownProfiles } from './feeds/own-profiles.ts'
import { toolFeed } from './feeds/tool-feed.ts'
import { health, type Readiness } from './health.ts'
import { jobs } from './jobs.ts'
import { mcpChannel } from './mcp/channel.ts'
import { manifest } from './mcp/manifest.ts'
import type { McpPorts } from './mcp/mcp-ports.ts'
import { protectedResource } from './mcp/protected-resource.ts'
import { registerOpenapi } from './openapi.ts'
import { registerAccess } from './plugins/access.ts'
import { type CallerPorts, registerCallers } from './plugins/callers.ts'
import { registerConcurrency } from './plugins/concurrency.ts'
import { registerDeadlines } from './plugins/deadlines.ts'
import { refuseAddress, refuseBytes, registerErrors } from './plugins/errors.ts'
import { registerHardening } from './plugins/hardening.ts'
import { type IdempotencyPorts, registerIdempotency, replayed, sameFile } from './plugins/idempotency.ts'
import { registerLazyLog } from './plugins/lazy-log.ts'
import { type LimitPorts, registerLimits } from './plugins/limits.ts'
import { logFields } from './plugins/log-fields.ts'
import { type MetricsPorts, registerMetrics } from './plugins/metrics.ts'
import { type MovingPorts, registerMoving } from './plugins/moving.ts'
import { registerRequestId, requestIdOf } from './plugins/request-id.ts'
import { registerRequestLog } from './plugins/request-log.ts'
import { registerSealedCursors } from './plugins/sealed-cursors.ts'
import { registerStorableText } from './plugins/storable-text.ts'
import { registerTracing } from './plugins/tracing.ts'
import { publishedRead } from './search/published-read.ts'
import { type RecommendationPorts, recommendations } from './search/recommendations.ts'
import { rulePreview } from './search/rule-preview.ts'
import { searchRules } from './search/rules.ts'
import { type SearchRoutePorts, search } from './search/search.ts'
import { suggest } from './search/suggest.ts'
import { synonyms } from './search/synonyms.ts'
import { catalogChannel, feedChannel, workspaceChannel } from './webhooks/channel.ts'
import { deliveriesOf } from './webhooks/deliveries.ts'
import { deltaCreation } from './webhooks/delta-creation.ts'
import { type DispatchPorts, deltaDispatch } from './webhooks/delta-dispatch.ts'
import { signingOf } from './webhooks/signing.ts'
import { webhookCreation } from './webhooks/webhook-creation.ts'
import { type WebhookPorts, webhooksOf } from './webhooks/webhooks.ts'
import { type AggregatePorts, aggregates } from './workspace/aggregate.ts'
import { aiSpecs } from './workspace/ai-specs.ts'
import { audit } from './workspace/audit.ts'
import { brands } from './workspace/brands.ts'
import { type BulkPorts, bulk } from './workspace/bulk.ts'
import { catalogChanges } from './workspace/catalog-changes.ts'
import { type CatalogDeletionPorts, catalogDeletion } from './workspace/catalog-deletion.ts'
import { type CatalogGapPorts, catalogGaps } from './workspace/catalog-gaps.ts'
import { catalogs } from './workspace/catalogs.ts'
import { type CategoryPorts, categories } from './workspace/categories.ts'
import { type CustomerPorts, customers } from './workspace/customers.ts'
import { dashboardCreation } from './workspace/dashboard-creation.ts'
import { dashboardData } from './workspace/dashboard-data.ts'
import { dashboards } from './workspace/dashboards.ts'
import { type DeadLetterPorts, deadLetters } from './workspace/dead-letters.ts'
import { type DemandPorts, demandGaps } from './workspace/demand-gaps.ts'
import { type DuplicatePorts, duplicates } from './workspace/duplicates.ts'
import { eventRetention } from './workspace/event-retention.ts'
import { type ExportPorts, exports } from './workspace/exports.ts'
import { familyProblems } from './workspace/family-problems.ts'
import { type ForkPorts, forks } from './workspace/forks.ts'
import { gold } from './workspace/gold.ts'
import { type GradingPorts, grading } from './workspace/grading.ts'
import { type ImageCheckPorts, imageChecks } from './workspace/image-checks.ts'
import { type ImportComparePorts, importCompare } from './workspace/import-compare.ts'
import { type ImportDecisionPorts, importDecisions } from './workspace/import-decisions.ts'
import { type ImportFilePorts, importFiles } from './workspace/import-files.ts'
import { imports } from './workspace/imports.ts'
import { type InboundRoutePorts, inbound } from './workspace/inbound.ts'
import { type JobPorts, jobList } from './workspace/job-list.ts'
import { keys } from './workspace/keys.ts'
import { mediaJobs } from './workspace/media-jobs.ts'
import { members } from './workspace/members.ts'
import { type MergePorts, merges } from './workspace/merges.ts'
import { notificationStream, type StreamPorts } from './workspace/notification-stream.ts'
import { notifications } from './workspace/notifications.ts'
import { policy } from './workspace/policy.ts'
import type { ProductPorts } from './workspace/product-ports.ts'
import { products } from './workspace/products.ts'
import { type PublishPorts, publishes } from './workspace/publishes.ts'
import { type RebuildPorts, rebuild } from './workspace/rebuild.ts'
import { type ReplayPorts, replays } from './workspace/replays.ts'
import { rubric } from './workspace/rubric.ts'
import type { TablePorts } from './workspace/send-table.ts'
import { settings } from './workspace/settings.ts'
import { type SettingsPreviewPorts, settingsPreview } from './workspace/settings-preview.ts'
import { type SilverPorts, silver } from './workspace/silver.ts'
import type { TilePorts } from './workspace/tile-ports.ts'
import { type UrlImportPorts, urlImports } from './workspace/url-imports.ts'
import { type VerifyPorts, verify } from './workspace/verify.ts'
import { versions } from './workspace/versions.ts'
import { viewsKept } from './workspace/views-kept.ts'
import { type VisibilityPorts, visibility } from './workspace/visibility.ts'
import { widgetCreation } from './workspace/widget-creation.ts'
import { widgetData } from './workspace/widget-data.ts'
import { widgets } from './workspace/widgets.ts'
import { type WorkspacePorts, workspaces } from './workspace/workspaces.ts'

export interface ServerPorts
  extends JobPorts,
    StreamPorts,
    MovingPorts,
    CallerPorts,
    CatalogDeletionPorts,
    CatalogGapPorts,
    PublishPorts,
    CategoryPorts,
    VerifyPorts,
    RebuildPorts,
    ReplayPorts,
    DeadLetterPorts,
    InboundRoutePorts,
    ExportPorts,
    ForkPorts,
    MergePorts,
    DuplicatePorts,
    ImportDecisionPorts,
    ImportComparePorts,
    ImportFilePorts,
    ProductPorts,
    GradingPorts,
    SilverPorts,
    BulkPorts,
    SettingsPreviewPorts,
    UrlImportPorts,
    ImageCheckPorts,
    Omit<EventPorts, 'sameFile' | 'replayed'>,
    McpPorts,
    AggregatePorts,
    TilePorts,
    TablePorts,
    FeedPorts,
    DistributionPorts,
    FeedFilePorts,
    GenerationPorts,
    TargetPorts,
    AnalyticsPorts,
    ForecastPorts,
    ValidationPorts,
    CustomerPorts,
    VisibilityPorts,
    WebhookPorts,
    DispatchPorts,
    SearchRoutePorts,
    RecommendationPorts,
    Omit<SearchAnalyticsPorts, 'tiles'>,
    DemandPorts,
    WorkspacePorts {
  readonly catalog: ProductPorts['catalog'] & FeedPorts['catalog']
  readonly access: AccessPorts
  readonly limits: LimitPorts
  readonly idempotency: IdempotencyPorts
  /** Seals cursors; the same on every node. */
  readonly cursorKey: Buffer
  readonly metrics: MetricsPorts
  readonly readiness: Readiness
  readonly isStoreAway: (error: unknown) => boolean
  readonly datasets: Omit<DatasetPorts, 'sameFile' | 'replayed'> & FetchPorts
  readonly uploads: UploadPorts
  readonly now: () => Date
  readonly logger: FastifyBaseLogger | null
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed; none: nobody's is. */
  readonly trustedProxies?: readonly string[]
  readonly times?: Partial<typeof times>
}

const times = {
  /** A store that stands still answers nothing and refuses nothing: who waits for it is told 503 after this. So is, with 408, whose body takes longer. */
  answerWithinMs: 30_000,
  /** Headers are a few kilobytes: who takes longer holds a connection for nothing. */
  headersWithinMs: 15_000,
  /** The largest file, 10 GB, at 6 Mbit/s; what is smaller is bounded by `answerWithinMs`. */
  requestWithinMs: 4 * 3_600_000,
  /** Nothing came or went: the sender is gone, or the reader has stopped reading. */
  silentForMs: 120_000,
  /** How late the limits above are noticed. */
  checkEveryMs: 5_000,
}

/** As answers of single questions are kept. */
const viewMs = 60_000

/** What streams have to come to their end once the server is told to close. */
const closeWithinMs = 5_000

export async function buildServer(ports: ServerPorts): Promise<FastifyInstance> {
  const { answerWithinMs, headersWithinMs, requestWithinMs, silentForMs, checkEveryMs } = { ...times, ...ports.times }
  const app = Fastify({
    ...(ports.logger ? { loggerInstance: ports.logger.child({}, { serializers: logFields }) } : { logger: false }),
    trustProxy: ports.trustedProxies?.length ? [...ports.trustedProxies] : false,
    requestTimeout: requestWithinMs,
    connectionTimeout: silentForMs,
    http: { headersTimeout: headersWithinMs, connectionsCheckingInterval: checkEveryMs },
    genReqId: requestIdOf,
    requestIdHeader: false,
    // Fastify's own lines have the whole address; ours are one a request.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1 << 20,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: 'idle',
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseBytes,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.addHook('preClose', async () => {
    // A reader that has stopped reading must not keep the server from closing.
    setTimeout(() => app.server.closeAllConnections(), closeWithinMs).unref()
  })
  if (ports.logger) registerLazyLog(app)
  registerDeadlines(app, answerWithinMs)
  registerTracing(app)
  registerRequestId(app)
  registerRequestLog(app)
  registerErrors(app, ports)
  registerHardening(app)
  registerConcurrency(app, ports.limits)
  registerAccess(app, ports.access)
  registerLimits(app, ports.limits)
  registerCallers(app, ports)
  registerMoving(app, ports)
  registerStorableText(app)
  registerSealedCursors(app, ports.cursorKey)
  registerIdempotency(app, ports.idempotency)
  registerOpenapi(app)
  registerMetrics(app, ports.metrics)
  await app.register(health, { readiness: ports.readiness })
  await app.register(jobs, ports)
  await app.register(toolFeed, ports)
  await app.register(feedValidation, ports)
  await app.register(feedForecast, ports)
  await app.register(feedAnalytics, ports)
  await app.register(feedFiles, ports)
  await app.register(feedGeneration, ports)
  for (const part of [search, suggest, publishedRead, recommendations]) await app.register(part, ports)
  await app.register(events, { ...ports, sameFile, replayed })
  for (const channel of [feedChannel, workspaceChannel])
    for (const part of [webhooksOf, webhookCreation, signingOf, deliveriesOf]) await app.register(part(channel), ports)
  for (const part of [webhooksOf, signingOf, deliveriesOf]) await app.register(part(catalogChannel), ports)
  await app.register(deltaCreation, ports)
  await app.register(deltaDispatch, ports)
  for (const part of [mcpChannel, manifest, protectedResource]) await app.register(part, ports)
  await app.register(workspaces, ports)
  const prefix = '/api/workspace/:workspaceId'
  await app.register(brands, { ...ports, prefix })
  await app.register(distribution, { ...ports, prefix })
  await app.register(feedTargets, { ...ports, prefix })
  await app.register(ownProfiles, { ...ports, prefix })
  for (const part of [synonyms, searchRules, rulePreview]) await app.register(part, { ...ports, prefix })
  for (const part of [searchAnalytics, searchedQueries, recommendationAnalytics])
    await app.register(part, { ...ports, prefix })
  await app.register(aggregates, { ...ports, prefix })
  for (const part of [dashboards, dashboardCreation, widgets, widgetCreation])
    await app.register(part, { ...ports, prefix })
  const viewOf = viewsKept(viewMs, ports.now, ports.tiles.snapshot)
  await app.register(dashboardData, { ...ports, viewOf, prefix })
  await app.register(widgetData, { ...ports, viewOf, prefix })
  await app.register(aiSpecs, { ...ports, prefix })
  await app.register(members, { ...ports, prefix })
  await app.register(keys, { ...ports, prefix })
  await app.register(policy, { ...ports, prefix })
  await app.register(audit, { ...ports, prefix })
  await app.register(visibility, { ...ports, prefix })
  await app.register(demandGaps, { ...ports, prefix })
  await app.register(customers, { ...ports, prefix })
  await app.register(settings, { ...ports, prefix })
  await app.register(eventRetention, { ...ports, prefix })
  await app.register(settingsPreview, { ...ports, prefix })
  await app.register(catalogs, { ...ports, prefix })
  await app.register(catalogGaps, { ...ports, prefix })
  await app.register(catalogDeletion, { ...ports, prefix })
  await app.register(publishes, { ...ports, prefix })
  await app.register(verify, { ...ports, prefix })
  await app.register(rebuild, { ...ports, prefix })
  await app.register(replays, { ...ports, prefix })
  await app.register(catalogChanges, { ...ports, prefix })
  await app.register(versions, { ...ports, prefix })
  await app.register(categories, { ...ports, prefix })
  await app.register(deadLetters, { ...ports, prefix })
  await app.register(inbound, { ...ports, prefix })
  await app.register(exports, { ...ports, prefix })
  await app.register(forks, { ...ports, prefix })
  await app.register(merges, { ...ports, prefix })
  await app.register(duplicates, { ...ports, prefix })
  await app.register(familyProblems, { ...ports, prefix })
  await app.register(products, { ...ports, prefix })
  await app.register(bulk, { ...ports, prefix })
  await app.register(urlImports, { ...ports, prefix })
  await app.register(imageChecks, { ...ports, prefix })
  await app.register(rubric, { ...ports, prefix })
  await app.register(gold, { grading: grading(ports), prefix })
  await app.register(silver, { ...ports, prefix })
  await app.register(jobList, { ...ports, prefix })
  await app.register(mediaJobs, { ...ports, prefix })
  await app.register(notifications, { ...ports, prefix })
  await app.register(notificationStream, { ...ports, prefix })
  await app.register(datasetFetch, { ...ports.datasets, prefix })
  await app.register(imports, { ...ports, prefix })
  await app.register(importCompare, { ...ports, prefix })
  await app.register(importFiles, { ...ports, prefix })
  await app.register(importDecisions, { ...ports, prefix })
  await app.register(datasets, { ...ports.datasets, sameFile, replayed, prefix })
  await app.register(uploads, { ...ports.uploads, prefix })
  return app
}
