/** Every error that a route can answer with, by status: what access, limits, parsing and stores refuse, and its handler's own. */
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import { samplesForm } from '../plugins/errors.ts'
import { makesSomething } from '../plugins/idempotency.ts'
import type { DocumentedRoute } from './document.ts'

export interface RouteErrors {
  /** Samples form: `{ error: CODE, details }`; else the standard form. */
  readonly form: 'samples' | 'standard'
  readonly codes: readonly ErrorCode[]
}

/** Statuses under which a route is not yet known, so that its form is the standard one. */
const beforeTheRoute: ReadonlySet<number> = new Set([414])

export function errorsOf({ url, method, config, schema }: DocumentedRoute): ReadonlyMap<number, RouteErrors> {
  const form = samplesForm.test(url) ? 'samples' : 'standard'
  const invalid = config.invalid ?? (form === 'samples' ? 'INVALID_REQUEST' : 'BAD_REQUEST')
  const unread = form === 'samples' ? 'INVALID_REQUEST' : 'BAD_REQUEST'
  const found = new Map<number, ErrorCode[]>()
  const add = (status: number, ...codes: ErrorCode[]) => {
    const known = found.get(status) ?? []
    found.set(status, [...known, ...codes.filter((code) => !known.includes(code))])
  }
  if (config.person) {
    add(401, 'UNAUTHORIZED')
    add(403, 'INSUFFICIENT_PERMISSIONS', 'FORBIDDEN')
  }
  if (config.action) {
    const channel = config.channel !== undefined
    // Whatever answers there speaks of access as channels do.
    const spoken = channel || url.startsWith('/api/v1/')
    if (spoken) add(401, 'AUTH_001', 'AUTH_002')
    else add(401, 'UNAUTHORIZED')
    if (spoken) add(403, 'AUTH_003', 'AUTH_004', 'FORBIDDEN')
    else add(403, 'INSUFFICIENT_PERMISSIONS', 'FORBIDDEN')
    add(400, invalid, 'INVALID_REQUEST')
    add(429, channel ? 'RATE_001' : form === 'samples' ? 'RATE_LIMIT_EXCEEDED' : 'RATE_LIMITED')
  }
  if (schema.params || schema.querystring || schema.body) add(400, invalid)
  // A parameter with a slash in it leads to another route or to none; a very long one is refused unread.
  if (url.includes(':')) {
    add(404, 'NOT_FOUND')
    add(414, 'BAD_REQUEST')
  }
  if (method !== 'GET' && method !== 'HEAD') {
    add(400, invalid)
    if (!config.long) add(408, unread)
    add(413, unread)
  }
  if (makesSomething(method, schema)) {
    add(409, 'CONFLICT')
    add(422, unread)
  }
  // A packed body is refused on every route, and so are headers without number.
  add(415, unread)
  add(431, unread)
  add(429, 'RATE_002')
  add(500, form === 'samples' ? 'INTERNAL_SERVER_ERROR' : 'INTERNAL')
  add(503, 'SERVER_002')
  for (const one of schema.errors ?? []) {
    if (typeof one === 'string') add(new ServiceError(one).status, one)
    else add(one.status, one.code)
  }
  const sorted = [...found].sort(([a], [b]) => a - b)
  return new Map(
    sorted.map(([status, codes]) => [status, { form: beforeTheRoute.has(status) ? 'standard' : form, codes }]),
  )
}
