/** The Fastify tier: plugins that every route passes, then the routes. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type DatasetPorts, datasets } from '../ingest/dataset-route.ts'
import { toolFeed } from './feeds/tool-feed.ts'
import { health, type Readiness } from './health.ts'
import { jobs } from './jobs.ts'
import { registerAccess, type VerifyToken } from './plugins/access.ts'
import { registerErrors } from './plugins/errors.ts'
import { registerRequestId, requestIdOf } from './plugins/request-id.ts'
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

export async function buildServer(ports: ServerPorts): Promise<FastifyInstance> {
  const app = Fastify({
    ...(ports.logger ? { loggerInstance: ports.logger } : { logger: false }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: 1 << 20,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: 'idle',
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  registerRequestId(app)
  registerErrors(app, ports)
  registerAccess(app, ports)
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
