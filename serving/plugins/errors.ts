/** Every error leaves in one of two envelopes, chosen by route; what only operators may see goes to the log under the request id. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDiskFull } from '../../infra/catalog/sql-errors.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import { Late } from './deadlines.ts'
import { masked } from './log-fields.ts'
import { Refusal } from './refusal.ts'

/** Workspace and hub endpoints: `{ error: CODE, details }`. All others, and what is no endpoint: `{ error: { code, message, request_id } }`. */
export const samplesForm = /^\/api\/(workspaces?|hub)(\/|$)/

interface Told {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly field?: string | undefined
}

/** Statuses that are not here speak as 400 does. */
const byStatus: Readonly<Record<number, readonly [standard: ErrorCode, samples: ErrorCode]>> = {
  400: ['BAD_REQUEST', 'INVALID_REQUEST'],
  401: ['UNAUTHORIZED', 'UNAUTHORIZED'],
  403: ['FORBIDDEN', 'FORBIDDEN'],
  404: ['NOT_FOUND', 'NOT_FOUND'],
  409: ['CONFLICT', 'CONFLICT'],
  410: ['NOT_FOUND', 'NOT_FOUND'],
  412: ['CONFLICT', 'CONFLICT'],
  429: ['RATE_LIMITED', 'RATE_LIMIT_EXCEEDED'],
  500: ['INTERNAL', 'INTERNAL_SERVER_ERROR'],
}

export function registerErrors(app: FastifyInstance, { isStoreAway }: { isStoreAway: (error: unknown) => boolean }) {
  app.setErrorHandler((error: unknown, request, reply) => {
    // Who asked has gone, and what was done for them ended with that: nobody reads the answer, and nothing is wrong.
    if (isGone(error, reply)) {
      request.log.info('the caller hung up')
      return send(request, reply, { status: 400, code: 'BAD_REQUEST', message: 'The request broke off' })
    }
    const allowed = ofAnother(error, request, known)
    if (allowed) return refuseMethod(request, reply, allowed)
    const told = tell(error, request, isStoreAway)
    // Every request meets the same fault while it lasts: its trace says nothing new.
    if (told.status === 503) request.log.warn({ reason: error instanceof Error ? error.message : error }, told.message)
    else if (told.status >= 500) request.log.error({ err: error }, 'request failed')
    if (told.status === 503) reply.header('retry-after', '5')
    return send(request, reply, told)
  })
  const known: Known[] = []
  app.addHook('onRoute', ({ url, method }) => {
    known.push({
      url,
      pattern: new RegExp(`^${url.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`),
      methods: [method].flat(),
    })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const allowed = new Set(known.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])))
    if (allowed.size === 0)
      return send(request, reply, { status: 404, code: 'NOT_FOUND', message: `There is no ${request.method} ${path}` })
    return refuseMethod(request, reply, allowed)
  })
}

interface Known {
  readonly url: string
  readonly pattern: RegExp
  readonly methods: readonly string[]
}

const pathOf = ({ url }: FastifyRequest) => masked(url.split(/[?#]/)[0] ?? '')

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: ReadonlySet<string>) {
  const path = pathOf(request)
  const methods = [...allowed].sort().join(', ')
  const code = samplesForm.test(path) ? 'INVALID_REQUEST' : 'BAD_REQUEST'
  reply.header('allow', methods)
  return send(request, reply, { status: 405, code, message: `${path} takes ${methods}` })
}

/**
 * …/dashboards/aggregate is taken for a dashboard's id where it is asked by a method of dashboards: what is no id, and another route's own
 * address, was meant for that. @returns the methods that it takes
 */
function ofAnother(error: unknown, request: FastifyRequest, known: readonly Known[]): ReadonlySet<string> | null {
  if (!hasZodFastifySchemaValidationErrors(error) || error.validationContext !== 'params') return null
  const namesIn = (url: string) => url.split(':').length
  const [own, path] = [request.routeOptions.url ?? '', pathOf(request)]
  const others = known.filter(({ url, pattern }) => namesIn(url) < namesIn(own) && pattern.test(path))
  return others.length > 0 ? new Set(others.flatMap(({ methods }) => methods)) : null
}

const isGone = (error: unknown, { raw }: FastifyReply) =>
  error instanceof Error && error.name === 'AbortError' && raw.closed && !raw.writableFinished

/** Addresses that the router refuses before any hook has run. */
export function refuseAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  reply.header('x-request-id', request.id)
  send(request, reply, { status: error.statusCode ?? 400, code: 'BAD_REQUEST', message: error.message })
}

/** Bytes that are no HTTP request, headers without end, a client that stops in the middle: there is no request to answer by route. */
export function refuseBytes(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'The request did not come to its end in time']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'The headers are too large']
        : ['400 Bad Request', 'This is no HTTP request']
  const id = randomUUID()
  const body = JSON.stringify({ error: { code: 'BAD_REQUEST', message, request_id: id } })
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\nx-request-id: ${id}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** What is no route has the standard form; a route that is asked in a way that it does not take has its own. */
const isSamplesForm = (request: FastifyRequest, status?: number) =>
  samplesForm.test(request.routeOptions.url ?? (status === 405 ? request.url : ''))

function tell(error: unknown, request: FastifyRequest, isStoreAway: (error: unknown) => boolean): Told {
  const { invalid } = request.routeOptions.config
  if (error instanceof ServiceError)
    return { status: error.status, code: error.code, message: error.message, field: error.field }
  const place = isSamplesForm(request) ? 1 : 0
  const generic = (status: number): ErrorCode =>
    (status === 400 && invalid) || (byStatus[status]?.[place] ?? (place === 1 ? 'INVALID_REQUEST' : 'BAD_REQUEST'))
  if (error instanceof Refusal) return { status: error.status, code: generic(error.status), message: error.message }
  if (error instanceof Late && request.raw.complete === false)
    return { status: 408, code: generic(408), message: 'The body did not come to its end in time' }
  if (request.raw.aborted) return { status: 400, code: generic(400), message: 'The request broke off' }
  if (isStoreAway(error) || error instanceof Late)
    return { status: 503, code: 'SERVER_002', message: 'A store is away; try again shortly' }
  if (isDiskFull(error))
    return { status: 503, code: 'SERVER_002', message: "The server's disk is full; nothing of this request was kept" }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    const path = (first?.instancePath ?? '').replace(/^\//, '').replaceAll('/', '.')
    const unknown = (first?.params as { keys?: string[] } | undefined)?.keys?.[0]
    const field = [path, unknown].filter(Boolean).join('.') || undefined
    const where = error.validationContext === 'querystring' ? 'query' : error.validationContext
    const message = `${where}${field ? ` ${field}` : ''}: ${first?.message ?? 'is not valid'}`
    return { status: 400, code: generic(400), message, field }
  }
  // Fastify's own refusals are meant for callers; what anything else says may be internal, whatever status it claims.
  const { code, statusCode, message } = (error ?? {}) as Partial<FastifyError>
  if (code?.startsWith?.('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { status: statusCode, code: generic(statusCode), message: message ?? '' }
  return { status: 500, code: generic(500), message: 'Internal server error' }
}

function send(request: FastifyRequest, reply: FastifyReply, { status, code, message, field }: Told) {
  const id = request.id
  const body = isSamplesForm(request, status)
    ? { error: code, details: { message, ...(field ? { field } : {}), request_id: id } }
    : { error: { code, message, request_id: id } }
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The code of this route's 400, where it has one of its own. */
    invalid?: ErrorCode
  }
}
