/** Who is asking: a bearer token, checked once per request, against the workspace in the path and the action of the route. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../../infra/catalog/postgres.ts'
import { type Action, may, type Role } from '../../schemas/access.ts'
import { ServiceError } from '../../schemas/errors.ts'

export interface Bearer {
  readonly subject: string
  readonly workspace: string
  readonly role: Role
  readonly brand: string | null
  readonly scope: string
}

export type VerifyToken = (token: string) => Promise<Bearer | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that asks for an action. */
    bearer: Bearer | null
  }
  interface FastifyContextConfig {
    /** What the bearer must be allowed to do; a route without it is open to all. */
    action?: Action
  }
}

const bearerToken = /^Bearer +([\w.~+/-]+=*)$/i

export function registerAccess(app: FastifyInstance, { verify }: { verify: VerifyToken }) {
  app.decorateRequest('bearer', null)
  app.addHook('onRequest', async (request) => {
    const { action } = request.routeOptions.config
    if (!action) return
    const token = bearerToken.exec(request.headers.authorization ?? '')?.[1]
    const bearer = token === undefined ? null : await verify(token)
    if (!bearer) throw new ServiceError('UNAUTHORIZED')
    const workspace = (request.params as { workspaceId?: string }).workspaceId
    if (workspace !== undefined && workspace !== bearer.workspace)
      throw new ServiceError('FORBIDDEN', { message: 'This token is for another workspace' })
    if (!may(bearer.role, action))
      throw new ServiceError('INSUFFICIENT_PERMISSIONS', {
        message: `The role ${bearer.role} may not do this (${action})`,
      })
    request.bearer = bearer
  })
}

/** @throws never on a route with an action */
export function bearerOf(request: FastifyRequest): Bearer {
  if (!request.bearer) throw new ServiceError('UNAUTHORIZED')
  return request.bearer
}

export const principalOf = (bearer: Bearer): Principal => ({
  workspaceId: bearer.workspace,
  brandIds: bearer.brand === null ? '*' : [bearer.brand],
})
