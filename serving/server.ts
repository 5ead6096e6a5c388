/** The Fastify tier: plugins that every route passes, then the routes. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type DatasetPorts, datasets } from '../ingest/dataset-route.ts'
import { toolFeed } from './feeds/tool-feed.ts'
import { health, type Readiness } from './health.ts'
import { jobs } from './jobs.ts'
import { registerAccess, type VerifyToken } from './plugins/access.ts'
import { refuseAddress, refuseBytes, registerErrors } from './plugins/errors.ts'
import { registerRequestId, requestIdOf } from './plugins/request-id.ts'
import { registerStorableText } from './plugins/storable-text.ts'
import { type CatalogPorts, catalogs } from './workspace/catalogs.ts'
import { gold } from './workspace/gold.ts'
import { type GradingPorts, grading } from './workspace/grading.ts'
import { type ProductPorts, products } from './workspace/products.ts'

export interface ServerPorts extends CatalogPorts, ProductPorts, GradingPorts {
  readonly catalog: ProductPorts['catalog']
  readonly verify: VerifyToken
  readonly readiness: Readiness
  readonly isStoreAway: (error: unknown) => boolean
  readonly datasets: DatasetPorts
  readonly now: () => Date
  readonly logger: FastifyBaseLogger | null
}

/** A store that stands still answers nothing and refuses nothing: who waits for it is told 503 after this. */
const answerWithinMs = 30_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Streams, or works on a whole catalog: its time has no bound. */
    long?: true
  }
}

/** What streams have to come to their end once the server is told to close. */
const closeWithinMs = 5_000

export async function buildServer(ports: ServerPorts): Promise<FastifyInstance> {
  const app = Fastify({
    ...(ports.logger ? { loggerInstance: ports.logger } : { logger: false }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: 1 << 20,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: 'idle',
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseBytes,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  acceptEmptyBodies(app)
  app.addHook('preClose', async () => {
    // A reader that has stopped reading must not keep the server from closing.
    setTimeout(() => app.server.closeAllConnections(), closeWithinMs).unref()
  })
  app.addHook('onRoute', (route) => {
    if (!route.config?.long) route.handlerTimeout = answerWithinMs
  })
  registerRequestId(app)
  registerErrors(app, ports)
  registerAccess(app, ports)
  registerStorableText(app)
  await app.register(health, { readiness: ports.readiness })
  await app.register(jobs, ports)
  await app.register(toolFeed, ports)
  const prefix = '/api/workspace/:workspaceId'
  await app.register(catalogs, { ...ports, prefix })
  await app.register(products, { ...ports, prefix })
  await app.register(gold, { grading: grading(ports), prefix })
  await app.register(datasets, { ...ports.datasets, prefix })
  return app
}

/** Clients name a JSON body also where they send none, as on DELETE: that is no body, not a broken one. */
function acceptEmptyBodies(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  )
}
