import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startAssay } from '../running.ts'
import { type ApiDocument, checkOf, type Operation, operationsOf, readDocument } from './operations.ts'

const wellKnown = ['', '/api/mcp', '/api/mcp/sse'].map((of) => `/.well-known/oauth-protected-resource${of}`)

let assay: Running
let document: ApiDocument
let operations: Operation[]
beforeAll(async () => {
  assay = await startAssay()
  document = await readDocument(assay)
  operations = operationsOf(document)
})
afterAll(() => assay.close())

const nameOf = ({ method, path }: Operation) => `${method} ${path}`

test('the document is valid OpenAPI 3.1 in the eyes of a public validator', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  expect(validator.version).toBe('3.1')
})

test('every registered route is in it', () => {
  const printed = assay.app.printRoutes({ commonPrefix: false }).matchAll(/\((?<methods>[A-Z, ]+)\)/g)
  const answered = [...printed].flatMap(({ groups }) => (groups?.methods ?? '').split(', '))
  expect(operations).toHaveLength(answered.filter((method) => method !== 'HEAD' && method !== 'OPTIONS').length)
  for (const { method, path } of operations)
    expect(assay.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }), `${method} ${path}`).toBe(true)
})

test('every route says what it does, under a tag, and operation ids are unique', () => {
  const silent = operations.filter(
    ({ summary, tags, method }) => tags.length === 0 || summary.startsWith(`${method} /`),
  )
  expect(silent.map(nameOf)).toEqual([])
  const ids = Object.values<Record<string, ApiDocument>>(document.paths).flatMap((byMethod) =>
    Object.values(byMethod).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('a route that asks for an action says so, and who may send what; what is open to all is known by name', () => {
  for (const operation of operations.filter(({ action }) => action))
    expect(operation.security, nameOf(operation)).toContainEqual({ bearer: [operation.action] })
  const open = operations.filter(({ security }) => security.length === 0).map(({ path }) => path)
  expect(open.sort()).toEqual([
    ...wellKnown,
    '/api/search',
    '/api/v1/manifest',
    '/docs',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/openapi.json',
  ])
})

describe('examples', () => {
  test('each JSON body and each answer in JSON has one', () => {
    const without = operations.filter(({ path, body, responses }) => {
      if (path === '/openapi.json' || path === '/docs') return false
      const media = [
        body?.content['application/json'],
        ...Object.entries(responses)
          .filter(([status]) => status < '300')
          .map(([, answer]) => Object.values(answer.content ?? {})[0]),
      ]
      return media.some((one) => one && one.example === undefined)
    })
    expect(without.map(nameOf)).toEqual([])
  })

  test('each holds against its own schema', () => {
    const faults: string[] = []
    const hold = (what: string, schema: Parameters<typeof checkOf>[1], example: unknown) => {
      if (example === undefined) return
      const { error } = checkOf(document, schema).safeParse(example)
      if (error) faults.push(`${what}: ${error.message}`)
    }
    for (const operation of operations) {
      const name = nameOf(operation)
      for (const one of operation.parameters) hold(`${name} ${one.name}`, one.schema, one.example)
      const contents = [operation.body?.content, ...Object.values(operation.responses).map(({ content }) => content)]
      for (const content of contents)
        for (const [type, { schema, example }] of Object.entries(content ?? {}))
          hold(`${name} ${type}`, schema, example)
    }
    for (const [name, schema] of Object.entries<ApiDocument>(document.components.schemas))
      for (const example of schema.examples) hold(name, schema, example)
    expect(faults).toEqual([])
  })

  test('each path parameter has one', () => {
    const missing = operations.flatMap((operation) =>
      operation.parameters
        .filter((one) => one.in === 'path' && one.example === undefined)
        .map(({ name }) => `${nameOf(operation)} ${name}`),
    )
    expect(missing).toEqual([])
  })
})

describe('the page', () => {
  test('it shows every route, loads nothing and runs nothing', async () => {
    const { status, text, headers } = await assay.call('GET', '/docs', undefined, { authorization: '' })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const { method, path } of operations) expect(text).toContain(`<code>${method} ${path}</code>`)
    expect(text).not.toMatch(/<script|<link|<img|src=|@import|url\(/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('it has the place that answers to legacy keys lead to', async () => {
    const { text } = await assay.call('GET', '/docs')
    expect(text).toContain('id="machine-tokens"')
  })
})
