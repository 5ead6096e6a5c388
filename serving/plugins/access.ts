/** Asks every request for what its route needs: a credential in the right place, the action allowed, the brand among the bearer's. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../infra/catalog/postgres.ts'
import type { Action } from '../../schemas/access.ts'
import { looksLikeApiKey } from '../../schemas/api-key.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import { activeBrand, bodysBrand } from '../access/active-brand.ts'
import { andThen, type MaybePromise } from '../access/at-once.ts'
import { identifyPerson, type Person } from '../access/person.ts'
import { type AccessPorts, type Bearer, identify } from '../access/principal.ts'

export type { Bearer } from '../access/principal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that asks for an action. */
    bearer: Bearer | null
    /** Set on every route that asks for a person. */
    person: Person | null
    /** For answers that last: whether the bearer may still do this. */
    mayStill: () => Promise<boolean>
  }
  interface FastifyContextConfig {
    /** What the bearer must be allowed to do; a route without it is open to all. */
    action?: Action
    /** Asks for a person's token, whether or not they are a member of anything. */
    person?: true
    /** Feeds, search and tools: other error codes and limits, and API keys are on their way out there. */
    channel?: 'feed' | 'search' | 'tools'
    /** Open to all, although its path is one whose every other route asks for a credential. */
    open?: true
    /** A browser asks whether a page may ask: it sends no credential with that. */
    preflight?: true
  }
}

/** Where callers read what replaces legacy keys. */
const deprecationInfo = '/docs#machine-tokens'
const plainHost = /^[\w.:[\]-]+$/

const bearerToken = /^Bearer +([\w.~+/-]+=*)$/i
/** Keys on this prefix come in the header X-API-Key alone, and every path of it asks for a credential. */
const keyOnlyInHeader = /^\/api\/v1(\/|$)/

const codes = {
  channel: { missing: 'AUTH_001', invalid: 'AUTH_002', forbidden: 'AUTH_003', denied: 'AUTH_004' },
  others: {
    missing: 'UNAUTHORIZED',
    invalid: 'UNAUTHORIZED',
    forbidden: 'INSUFFICIENT_PERMISSIONS',
    denied: 'FORBIDDEN',
  },
} as const satisfies Record<string, Record<string, ErrorCode>>

export function registerAccess(app: FastifyInstance, ports: AccessPorts) {
  app.decorateRequest('bearer', null)
  app.decorateRequest('person', null)
  app.decorateRequest('mayStill')
  // Where all is known that access is decided by, no promise is made: most requests come within seconds of another of the same bearer.
  app.addHook('onRequest', (request, reply, done) => {
    const admitted = admit(request, reply, ports)
    if (admitted instanceof Promise) admitted.then(() => done(), done)
    else done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const named = (request.body as { brand_id?: unknown } | null | undefined)?.brand_id
    if (!request.bearer || typeof named !== 'string') return done()
    request.bearer = bodysBrand(request.bearer, named)
    const there = brandIsThere(request.bearer, ports)
    if (there instanceof Promise) there.then(() => done(), done)
    else done()
  })
}

/** @throws ServiceError where it is refused, at once or through the promise */
function admit(request: FastifyRequest, reply: FastifyReply, ports: AccessPorts): MaybePromise<void> {
  const { action, channel, person, preflight, open } = request.routeOptions.config
  if (preflight) return
  const versioned = keyOnlyInHeader.test(pathOf(request))
  if (!action && !person && (!versioned || open)) return
  const spoken = codes[channel || versioned ? 'channel' : 'others']
  const credential = credentialOf(request, versioned)
  if (credential === null) throw new ServiceError(spoken.missing)
  if (person)
    return identifyPerson(credential, ports).then((found) => {
      request.person = found
    })
  const workspace = (request.params as { workspaceId?: string } | null)?.workspaceId
  const asked = { workspace, ip: request.ip, denied: spoken.denied }
  return andThen(identify(credential, asked, ports), (identity) => {
    if (!identity) throw new ServiceError(spoken.invalid)
    if (workspace !== undefined && workspace !== identity.workspace)
      throw new ServiceError(spoken.denied, { message: 'This credential is for another workspace' })
    const legacy = identity.kind === 'key' && (channel === 'feed' || channel === 'tools')
    if (legacy) tellDeprecation(request, reply, ports.publicUrl)
    if (action && !identity.actions.has(action))
      throw new ServiceError(spoken.forbidden, { message: refusal(identity, action) })
    if (legacy && identity.brands === '*') throw tooWide()
    request.bearer = activeBrand(identity, request)
    const { brands } = request.bearer
    const stillThere = async () => identify(credential, asked, ports)
    request.mayStill = async () => {
      const now = await stillThere().catch(() => null)
      if (!now || (action && !now.actions.has(action))) return false
      return now.brands === '*' || (brands !== '*' && brands.every((brand) => now.brands.includes(brand)))
    }
    return brandIsThere(request.bearer, ports)
  })
}

/** Who has all brands may name any: one that there is not would be answered with nothing, as if it were empty. */
function brandIsThere({ workspace, brand }: Bearer, ports: AccessPorts): MaybePromise<void> {
  if (brand === null) return
  return andThen(ports.hasBrand(workspace, brand), (is) => {
    if (!is) throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
  })
}

/** As the router reads it: an address may spell any of its letters by number. */
function pathOf(request: FastifyRequest): string {
  const path = request.url.split(/[?#;]/, 1)[0] ?? ''
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The `key` query parameter is not looked at. */
function credentialOf(request: FastifyRequest, versioned: boolean): string | null {
  const header = request.headers['x-api-key']
  if (typeof header === 'string' && header !== '') return looksLikeApiKey(header) ? header : `ask_${header}`
  const token = bearerToken.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined || (versioned && looksLikeApiKey(token))) return null
  return token
}

function refusal({ kind, role }: Pick<Bearer, 'kind' | 'role'>, action: Action): string {
  const who = kind === 'key' ? 'This key' : kind === 'machine' ? 'This token' : `The role ${role}`
  return `${who} may not do this (${action})`
}

/** Legacy keys still work there, each answer saying that they are legacy. */
function tellDeprecation({ protocol, host }: FastifyRequest, reply: FastifyReply, publicUrl: string | null) {
  const own = publicUrl ?? (plainHost.test(host) ? `${protocol}://${host}` : '')
  reply
    .header('x-api-key-deprecated', 'true')
    .header('x-deprecation-info', `${own.replace(/\/$/, '')}${deprecationInfo}`)
    .header('deprecation', 'true')
}

const tooWide = () =>
  new ServiceError('AUTH_003', {
    message: 'This key is for the whole workspace; feeds and tools take a key of one brand',
  })

/** @throws never on a route that asks for a person */
export function personOf(request: FastifyRequest): Person {
  if (!request.person) throw new ServiceError('UNAUTHORIZED')
  return request.person
}

/** @throws never on a route with an action */
export function bearerOf(request: FastifyRequest): Bearer {
  if (!request.bearer) throw new ServiceError('UNAUTHORIZED')
  return request.bearer
}

export const principalOf = (bearer: Bearer): Principal => ({
  workspaceId: bearer.workspace,
  brandIds: bearer.brands,
})
