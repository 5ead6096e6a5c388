/** Refuses what would add to the log while that is moved to another epoch; what is read is read on. */
import type { FastifyInstance } from 'fastify'
import type { Action } from '../../schemas/access.ts'
import { ServiceError } from '../../schemas/errors.ts'

export interface MovingPorts {
  /** Whether this process may add nothing more to its epoch of the log; as it was at most a second ago. */
  readonly isMoving: () => Promise<boolean>
}

const appending: ReadonlySet<Action> = new Set(['products:write', 'imports:write', 'catalogs:write', 'replays:write'])

export function registerMoving(app: FastifyInstance, { isMoving }: MovingPorts) {
  // Where there is nothing to await no promise is made: this is asked of each request.
  app.addHook('onRequest', ({ method, routeOptions: { config } }, _reply, done) => {
    if (method === 'GET' || config.action === undefined || !appending.has(config.action)) return done()
    isMoving().then((is) => done(is ? moving() : undefined), done)
  })
}

const moving = () =>
  new ServiceError('SERVER_002', { message: 'The log is being moved; nothing new is taken until that is done' })
