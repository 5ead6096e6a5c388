/** Every response carries X-Request-Id: the caller's where it is sane, else a new UUID. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { masked } from './log-fields.ts'

/** At most 128 visible ASCII characters. */
const sane = /^[\x21-\x7e]{1,128}$/

export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  // One that has the form of a credential would stand in every log line.
  return typeof given === 'string' && sane.test(given) && masked(given) === given ? given : randomUUID()
}

export function registerRequestId(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
}
