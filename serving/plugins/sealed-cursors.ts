/** Seals the cursors that lists give out: one that was changed, or is another list's or another workspace's, is refused. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../schemas/errors.ts'
import { seal, unseal } from '../seal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its \`after\` is a place that readers keep, not the cursor of a list. */
    keptPlaces?: true
  }
}

export function registerSealedCursors(app: FastifyInstance, key: Buffer) {
  const placeOf = (request: FastifyRequest) =>
    `${request.routeOptions.url}\n${(request.params as { workspaceId?: string } | null)?.workspaceId ?? ''}`
  app.addHook('preValidation', (request, _reply, done) => {
    const query = request.query as { after?: unknown } | null
    if (typeof query?.after !== 'string' || request.routeOptions.config.keptPlaces) return done()
    const cursor = unseal(key, placeOf(request), query.after)
    if (cursor === null)
      throw new ServiceError(request.routeOptions.config.invalid ?? 'INVALID_REQUEST', {
        message: 'after is no cursor of this list',
        field: 'after',
      })
    query.after = cursor
    done()
  })
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const { next } = (payload ?? {}) as { next?: unknown }
    done(null, typeof next === 'string' ? { ...(payload as object), next: seal(key, placeOf(request), next) } : payload)
  })
}
