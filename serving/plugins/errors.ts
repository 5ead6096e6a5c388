/** Every error leaves in one of two envelopes, chosen by route; what only operators may see goes to the log under the request id. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'

/** Workspace and hub endpoints: `{ error: CODE, details }`. All others: `{ error: { code, message, request_id } }`. */
const samplesForm = /^\/api\/(workspace|hub)(\/|$)/

interface Told {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly field: string | undefined
}

const byStatus: Readonly<Record<number, readonly [standard: ErrorCode, samples: ErrorCode]>> = {
  400: ['BAD_REQUEST', 'INVALID_REQUEST'],
  401: ['UNAUTHORIZED', 'UNAUTHORIZED'],
  403: ['FORBIDDEN', 'FORBIDDEN'],
  404: ['NOT_FOUND', 'NOT_FOUND'],
  409: ['CONFLICT', 'CONFLICT'],
  412: ['CONFLICT', 'CONFLICT'],
  429: ['RATE_LIMITED', 'RATE_LIMIT_EXCEEDED'],
}

/** Routes outside `/api/v1`, feeds and tools speak the general codes where the table has a structured one. */
export function registerErrors(app: FastifyInstance, { isStoreAway }: { isStoreAway: (error: unknown) => boolean }) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const told = tell(error, request, isStoreAway)
    if (told.status >= 500) request.log.error({ err: error }, 'request failed')
    if (told.status === 503) reply.header('retry-after', '5')
    return send(request, reply, told)
  })
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, {
      status: 404,
      code: 'NOT_FOUND',
      message: `There is no ${request.method} ${request.url.split('?')[0]}`,
      field: undefined,
    }),
  )
}

const isSamplesForm = (request: FastifyRequest) => samplesForm.test(request.url)

function tell(error: FastifyError, request: FastifyRequest, isStoreAway: (error: unknown) => boolean): Told {
  if (error instanceof ServiceError)
    return { status: error.status, code: error.code, message: error.message, field: error.field }
  const samples = isSamplesForm(request)
  const generic = (status: number): ErrorCode => {
    const pair = byStatus[status] ?? byStatus[400]
    return pair ? pair[samples ? 1 : 0] : 'BAD_REQUEST'
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    const path = (first?.instancePath ?? '').replace(/^\//, '').replaceAll('/', '.')
    const unknown = (first?.params as { issue?: { keys?: string[] } } | undefined)?.issue?.keys?.[0]
    const field = unknown ?? (path === '' ? undefined : path)
    const code = request.routeOptions.config.invalid ?? generic(400)
    const where = error.validationContext === 'querystring' ? 'query' : error.validationContext
    return {
      status: 400,
      code,
      message: `${where}${field ? ` ${field}` : ''}: ${first?.message ?? 'is not valid'}`,
      field,
    }
  }
  if (isStoreAway(error))
    return { status: 503, code: 'SERVER_002', message: 'A store is away; try again shortly', field: undefined }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return { status, code: generic(status), message: error.message, field: undefined }
  return {
    status: 500,
    code: samples ? 'INTERNAL_SERVER_ERROR' : 'INTERNAL',
    message: 'Internal server error',
    field: undefined,
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { status, code, message, field }: Told) {
  const id = request.id
  const body = isSamplesForm(request)
    ? { error: code, details: { message, ...(field ? { field } : {}), request_id: id } }
    : { error: { code, message, ...(field ? { field } : {}), request_id: id } }
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The code of this route's 400, where it has one of its own. */
    invalid?: ErrorCode
  }
}
