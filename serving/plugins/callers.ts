/** Tells that somebody calls, so that work which can wait gives way to them. */
import type { FastifyInstance } from 'fastify'

export interface CallerPorts {
  readonly called: () => void
}

/** Whoever only follows a job is no caller: that job would give way to them. */
export function registerCallers(app: FastifyInstance, { called }: CallerPorts) {
  app.addHook('onRequest', (request, _reply, done) => {
    if ((request.bearer || request.person) && request.routeOptions.config.action !== 'jobs:read') called()
    done()
  })
}
