/** The OpenAPI 3.1 document, made from the routes as they are registered and the zod schemas that validate. */

import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { z } from 'zod'
import { actions } from '../../schemas/access.ts'
import { keyScopes } from '../../schemas/api-key.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { interfaceVersion } from '../../schemas/interface-version.ts'
import { makesSomething } from '../plugins/idempotency.ts'
import { exampleIds } from '../workspace/examples.ts'
import { errorsOf, type RouteErrors } from './errors-of.ts'
import type { Medium } from './route-schema.ts'
import { headers, parameters, schemas, securitySchemes } from './shared.ts'

export interface DocumentedRoute {
  readonly method: string
  readonly url: string
  readonly config: FastifyContextConfig
  readonly schema: FastifySchema
}

export type Json = { [key: string]: unknown }

const info = {
  title: 'Assay',
  version: interfaceVersion,
  description:
    'Takes product catalogs in, tests their metal, and sends them out. Every GET also answers HEAD. Lists are read with `after`, `limit` and `next`.',
}

export function openapiDocument(routes: readonly DocumentedRoute[]): Json {
  const paths: { [path: string]: Json } = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  const tags = [...new Set(routes.flatMap(({ schema }) => schema.tags ?? []))].map((name) => ({ name }))
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags,
    paths,
    components: { schemas, headers, parameters, securitySchemes },
  }
}

function operationOf(route: DocumentedRoute): Json {
  const { method, url, config, schema } = route
  const { action } = config
  const body = bodyOf(schema)
  return {
    operationId: `${method.toLowerCase()} ${url}`.replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) =>
      next.toUpperCase(),
    ),
    summary: schema.summary ?? `${method} ${url}`,
    description: [schema.description, action && `Asks for the action \`${action}\`: ${actions[action]}.`]
      .filter(Boolean)
      .join('\n\n'),
    tags: schema.tags ?? [],
    security: securityOf(route),
    ...(action ? { 'x-action': action } : {}),
    parameters: [
      ...placed('path', schema.params, { ...exampleIds, ...schema.examples?.params }),
      ...placed('query', schema.querystring, schema.examples?.query),
      { $ref: '#/components/parameters/RequestId' },
      ...(makesSomething(method, schema) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(schema.tagged && schema.tagged !== 'shows' ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(action ? [{ $ref: '#/components/parameters/ActiveBrand' }] : []),
      ...(action && namesCatalog(schema) ? [{ $ref: '#/components/parameters/ActiveCatalog' }] : []),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(route),
  }
}

/** Whether a catalog may be named beside the address, by the header or by a field that may be left out. */
function namesCatalog({ querystring, body }: FastifySchema): boolean {
  return [querystring, body].some((one) => {
    if (!one) return false
    const { properties = {}, required = [] } = jsonSchema(one, 'input') as { properties?: Json; required?: string[] }
    return 'catalog_id' in properties && !required.includes('catalog_id')
  })
}

/** Machines and people come with a token; keys only where a key may have the scope. */
function securityOf({ config: { action, person } }: DocumentedRoute): Json[] {
  if (person) return [{ bearer: [] }]
  if (!action) return []
  return keyScopes.includes(action) ? [{ bearer: [action] }, { apiKey: [action] }] : [{ bearer: [action] }]
}

function placed(place: 'path' | 'query', schema: unknown, examples: Readonly<Record<string, unknown>> = {}): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: one,
    ...(Object.hasOwn(examples, name) ? { example: examples[name] } : {}),
  }))
}

function bodyOf(schema: FastifySchema): Json | null {
  if (schema.bodies)
    return { required: true, content: Object.assign({}, ...schema.bodies.map((medium) => contentOf(medium, 'input'))) }
  if (!schema.body) return null
  const read = schema.body as z.ZodType
  const example = schema.examples?.body
  return {
    required: !read.safeParse(undefined).success,
    content: contentOf(
      { type: 'application/json', schema: read, ...(example === undefined ? {} : { example }) },
      'input',
    ),
  }
}

const contentOf = ({ type, schema, example }: Medium, io: 'input' | 'output'): Json => ({
  [type]: {
    schema: jsonSchema(schema, io),
    ...(example === undefined ? {} : { example }),
  },
})

function responsesOf(route: DocumentedRoute): Json {
  const { schema, config } = route
  const tagged = schema.tagged !== undefined && schema.tagged !== 'judges'
  const promised = Object.entries((schema.response ?? {}) as Record<string, z.ZodType>).map(
    ([status, answer]): readonly [string, Medium] => {
      const example = schema.examples?.answers?.[Number(status)] ?? schema.examples?.answer
      return [status, { type: 'application/json', schema: answer, ...(example === undefined ? {} : { example }) }]
    },
  )
  const answers = new Map<string, Medium | readonly Medium[]>([...promised, ...Object.entries(schema.answers ?? {})])
  const responses: { [status: string]: Json } = {}
  for (const [status, media] of answers)
    responses[status] = {
      description: successes[status] ?? 'OK',
      headers: {
        ...headersOf(Number(status), config.action !== undefined),
        ...(tagged && Number(status) !== 202 ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
      },
      content: Object.assign({}, ...[media].flat().map((medium) => contentOf(medium, 'output'))),
    }
  for (const [status, errors] of errorsOf(route)) {
    const other = responses[status]
    const described = errorResponse(status, errors, config.action !== undefined)
    // A status that is also an answer of the route's own, as 503 of readiness.
    responses[status] = other
      ? { ...other, content: eitherOf(other.content as Json, described.content as Json) }
      : described
  }
  return responses
}

const successes: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Taken on, and under way',
  304: 'As it was',
}

function eitherOf(one: Json, another: Json): Json {
  const [a, b] = [one, another].map((content) => (content['application/json'] as Json).schema)
  return { 'application/json': { schema: { anyOf: [a, b] } } }
}

function headersOf(status: number, counted: boolean): Json {
  const names = ['X-Request-Id']
  if (counted && status !== 401 && status !== 403)
    names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
  if (status === 429 || status === 503) names.push('Retry-After')
  if (status === 201 || status === 202) names.push('Idempotency-Replayed')
  if (status === 401) names.push('WWW-Authenticate')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function errorResponse(status: number, { form, codes }: RouteErrors, counted: boolean): Json {
  const [field, shared] = form === 'samples' ? ['error', 'SamplesError'] : ['code', 'StandardError']
  const named = { type: 'object', properties: { [field]: { enum: codes } } }
  const narrowed = form === 'samples' ? named : { type: 'object', properties: { error: named } }
  return {
    description: codes.map((code) => `\`${code}\`: ${new ServiceError(code).message}`).join('; '),
    headers: headersOf(status, counted),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: `#/components/schemas/${shared}` }, narrowed] },
      },
    },
  }
}

function jsonSchema(schema: unknown, io: 'input' | 'output'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any' })
  return made
}
