/** Liveness and readiness, open to all: the process answers, and the stores that requests need answer too. */
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'

export interface Readiness {
  /** Name of each store to whether it answers now; a role of this process, to whether it is at work. */
  check(): Promise<Readonly<Record<string, boolean>>>
}

const tags = ['Health']
const json = (schema: z.ZodType, example: unknown) => ({ type: 'application/json', schema, example })
const stores = z.object({ status: z.enum(['ok', 'away']), stores: z.record(z.string(), z.boolean()) })

const live = {
  summary: 'Whether the process answers',
  tags,
  answers: { 200: json(z.object({ status: z.literal('ok') }), { status: 'ok' }) },
}
const ready = {
  summary: 'Whether the stores answer that requests need',
  tags,
  answers: {
    200: json(stores, { status: 'ok', stores: { postgres: true } }),
    503: json(stores, { status: 'away', stores: { postgres: false } }),
  },
}

export const health: FastifyPluginAsync<{ readiness: Readiness }> = async (app, { readiness }) => {
  app.get('/health/live', { schema: live }, async () => ({ status: 'ok' }))
  app.get('/health/ready', { schema: ready }, async (_request, reply) => {
    const stores = await readiness.check()
    const isReady = Object.values(stores).every(Boolean)
    if (!isReady) reply.header('retry-after', '5')
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'away', stores })
  })
}
