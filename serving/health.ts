/** Liveness and readiness, open to all: the process answers, and the stores that requests need answer too. */
import type { FastifyPluginAsync } from 'fastify'

export interface Readiness {
  /** Name of each store to whether it answers now. */
  check(): Promise<Readonly<Record<string, boolean>>>
}

export const health: FastifyPluginAsync<{ readiness: Readiness }> = async (app, { readiness }) => {
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const stores = await readiness.check()
    const ready = Object.values(stores).every(Boolean)
    if (!ready) reply.header('retry-after', '5')
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'away', stores })
  })
}
