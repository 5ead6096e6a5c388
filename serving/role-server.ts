/** What a process without the role `api` answers: whether it lives, whether it is ready, and its metrics. */
import Fastify, { type FastifyInstance } from 'fastify'
import { health, type Readiness } from './health.ts'
import { registerErrors } from './plugins/errors.ts'
import { type MetricsPorts, registerMetrics } from './plugins/metrics.ts'
import { registerRequestId, requestIdOf } from './plugins/request-id.ts'

export interface RoleServerPorts {
  readonly readiness: Readiness
  readonly metrics: MetricsPorts
  readonly isStoreAway: (error: unknown) => boolean
}

/** A probe sends a line and waits seconds at most. */
const requestWithinMs = 10_000

export async function buildRoleServer(ports: RoleServerPorts): Promise<FastifyInstance> {
  const app = Fastify({
    requestTimeout: requestWithinMs,
    bodyLimit: 1_024,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: true,
  })
  registerRequestId(app)
  registerErrors(app, ports)
  registerMetrics(app, ports.metrics)
  await app.register(health, { readiness: ports.readiness })
  return app
}
