/** Bounds how long a request is waited for: its stores by an answer of 503, its body by one of 408. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Streams, or works on a whole catalog: its time has no bound. */
    long?: true
  }
}

/** Thrown at a request whose time is over. */
export class Late extends Error {}

/**
 * On routes and on what is none; a route that is long is waited for, but not the body of it, where that is no file. Fastify has
 * a bound of its own, with a signal that it ends with each answer: that was a twelfth of all that an answer from memory cost.
 */
export function registerDeadlines(app: FastifyInstance, withinMs: number) {
  app.addHook('onRequest', (request, reply, done) => {
    const { long, readsFile } = request.routeOptions.config
    if (!long || (!readsFile && sendsBody(request))) {
      const late = setTimeout(end, withinMs, request, reply, long === true)
      reply.raw.on('close', () => clearTimeout(late))
    }
    done()
  })
}

const sendsBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function end(request: FastifyRequest, reply: FastifyReply, long: boolean) {
  if (reply.sent || (long && request.raw.complete)) return
  const late = new Late('the time for this request is over')
  // An answer that has begun cannot become another.
  if (reply.raw.headersSent) reply.raw.destroy(late)
  else reply.send(late)
}
