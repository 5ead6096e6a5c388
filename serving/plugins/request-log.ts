/** One line for every request: who asked which route, how it ended, how long it took. No address: credentials have been seen in them. */
import type { FastifyInstance } from 'fastify'

export function registerRequestLog(app: FastifyInstance) {
  app.addHook('onResponse', ({ id, method, routeOptions, bearer }, reply, done) => {
    app.log.info(
      {
        reqId: id,
        method,
        route: routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        workspace: bearer?.workspace ?? null,
        subject: bearer?.subject ?? null,
      },
      'request',
    )
    done()
  })
}
