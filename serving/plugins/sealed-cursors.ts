/** Seals the cursors that lists give out: one that was changed, or is another list's or another workspace's, is refused. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../schemas/errors.ts'

const sealLength = 22

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its \`after\` is a place that readers keep, not the cursor of a list. */
    keptPlaces?: true
  }
}

export function registerSealedCursors(app: FastifyInstance, key: Buffer) {
  const sealOf = (request: FastifyRequest, cursor: string) => {
    const workspace = (request.params as { workspaceId?: string } | null)?.workspaceId ?? ''
    const of = `${request.routeOptions.url}\n${workspace}\n${cursor}`
    return createHmac('sha256', key).update(of).digest('base64url').slice(0, sealLength)
  }
  app.addHook('preValidation', (request, _reply, done) => {
    const query = request.query as { after?: unknown } | null
    if (typeof query?.after !== 'string' || request.routeOptions.config.keptPlaces) return done()
    const at = query.after.lastIndexOf('.')
    const [cursor, seal] = [query.after.slice(0, Math.max(0, at)), query.after.slice(at + 1)]
    const good = at > 0 && seal.length === sealLength && isEqual(seal, sealOf(request, cursor))
    if (!good)
      throw new ServiceError(request.routeOptions.config.invalid ?? 'INVALID_REQUEST', {
        message: 'after is no cursor of this list',
        field: 'after',
      })
    query.after = cursor
    done()
  })
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const { next } = (payload ?? {}) as { next?: unknown }
    done(
      null,
      typeof next === 'string' ? { ...(payload as object), next: `${next}.${sealOf(request, next)}` } : payload,
    )
  })
}

const isEqual = (a: string, b: string) => timingSafeEqual(Buffer.from(a.padEnd(sealLength)), Buffer.from(b))
