import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../infra/system/server-ports.ts'
import { buildServer, type ServerPorts } from '../../serving/server.ts'
import { type Answer, type Running, startAssay, workspace } from '../running.ts'
import { expectSamplesForm, expectStandardForm } from './envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('X-Request-Id', () => {
  const idOf = async (given: string | string[] | undefined) => {
    const headers = given === undefined ? {} : { 'x-request-id': given as string }
    return (await assay.call('GET', '/health/live', undefined, headers)).headers['x-request-id']
  }

  test('the own value of a caller comes back, up to 128 visible characters', async () => {
    for (const id of ['a', 'trace-4711', '~!"#', 'x'.repeat(128)]) expect(await idOf(id)).toBe(id)
  })

  test('a value that is none, too long, or would break a log is replaced by a new UUID', async () => {
    for (const id of [undefined, '', 'x'.repeat(129), 'two words', 'naïve', 'tab\tbed', ['a', 'b']])
      expect(await idOf(id)).toMatch(uuid)
    expect(await idOf(undefined)).not.toBe(await idOf(undefined))
  })

  test('it is on every answer, good or bad, and the same as in the error', async () => {
    const headers = { 'x-request-id': 'mine-1' }
    const answers = [
      await assay.call('GET', `${base}/catalogs`, undefined, headers),
      await assay.call('GET', `${base}/catalogs?limit=0`, undefined, headers),
      await assay.call('GET', '/nowhere', undefined, headers),
      await assay.call('GET', `${base}/catalogs`, undefined, { ...headers, authorization: '' }),
    ]
    expect(answers.map((answer) => answer.headers['x-request-id'])).toEqual(Array(4).fill('mine-1'))
    expectSamplesForm(answers[1] as Answer, 400, 'INVALID_REQUEST', 'limit')
    expectStandardForm(answers[2] as Answer, 404, 'NOT_FOUND')
    expectSamplesForm(answers[3] as Answer, 401, 'UNAUTHORIZED')
  })
})

describe('what is no route', () => {
  test('404: unknown addresses speak the standard form, wherever they are', async () => {
    for (const path of ['/', '/api', '/jobs', '/api/v1/none', '/api/mcp/none', `${base}/none`, '/api/hub/none'])
      expectStandardForm(await assay.call('GET', path), 404, 'NOT_FOUND')
  })

  test('400 and 414: an address that the router cannot read', async () => {
    expectStandardForm(await assay.call('GET', '/api/mcp/feed/%zz'), 400, 'BAD_REQUEST')
    expectStandardForm(await assay.call('GET', `/jobs/${'x'.repeat(301)}`), 414, 'BAD_REQUEST')
  })
})

describe('bodies', () => {
  const path = `${base}/catalog/products`
  const json = { 'content-type': 'application/json' }

  test('400: JSON that is broken', async () => {
    for (const text of ['{', '{"title": }', "{'title': 'x'}", '{"__proto__": {"x": 1}}', '\u0000'])
      expectSamplesForm(await assay.call('POST', path, text, json), 400, 'INVALID_REQUEST')
  })

  test('400: JSON that is no object, or no body at all where one is needed', async () => {
    for (const text of ['null', '[]', '"text"', '7', ''])
      expectSamplesForm(await assay.call('POST', path, text, json), 400, 'INVALID_REQUEST')
    expectSamplesForm(await assay.call('POST', path), 400, 'INVALID_REQUEST')
  })

  test('400: an unknown field is named', async () => {
    const answer = await assay.call('POST', path, { title: 'Mug', price: 1, colour: 'red' })
    expectSamplesForm(answer, 400, 'INVALID_REQUEST', 'colour')
    expect(answer.body.details.message).toContain('colour')
  })

  test('404, not 400: a JSON content type without a body is no broken body', async () => {
    const none = '00000000-0000-4000-8000-000000000001'
    expectSamplesForm(await assay.call('DELETE', `${path}/${none}`, undefined, json), 404, 'NOT_FOUND', 'productId')
  })

  test('415: a type of body that the route does not read', async () => {
    for (const type of ['application/xml', 'application/x-www-form-urlencoded', 'text/csv'])
      expectSamplesForm(await assay.call('POST', path, 'x', { 'content-type': type }), 415, 'INVALID_REQUEST')
  })

  test('413: a JSON body beyond one megabyte', async () => {
    const answer = await assay.call('POST', path, { title: 'Mug', price: 1, description: 'x'.repeat(1 << 20) })
    expectSamplesForm(answer, 413, 'INVALID_REQUEST')
  })
})

describe('a handler that throws', () => {
  const secret = 'password of the database'
  const thrown: readonly (readonly [string, () => unknown])[] = [
    ['an error', () => new Error(secret)],
    ['an error with a status of its own', () => Object.assign(new Error(secret), { statusCode: 404, code: secret })],
    ['a text', () => secret],
    ['null', () => null],
    ['nothing', () => undefined],
    ['an object', () => ({ message: secret, statusCode: 400 })],
  ]

  const broken = (error: () => unknown) => {
    const fail = () => Promise.reject(error())
    const ports: ServerPorts = {
      ...serverPorts(assay.system),
      logger: null,
      catalog: { withTenant: fail, readOnce: fail, copyWithTenant: fail },
    }
    return buildServer(ports)
  }

  test.each(thrown)('500: %s leaves as one envelope with nothing internal in it', async (_, error) => {
    const app = await broken(error)
    const authorization = `Bearer ${await assay.token('admin')}`
    for (const [url, form, code] of [
      [`${base}/catalogs`, expectSamplesForm, 'INTERNAL_SERVER_ERROR'],
      ['/jobs/00000000-0000-4000-8000-000000000001', expectStandardForm, 'INTERNAL'],
    ] as const) {
      const { statusCode, headers, payload } = await app.inject({ method: 'GET', url, headers: { authorization } })
      expect(payload).not.toContain(secret)
      form({ status: statusCode, headers, text: payload, body: JSON.parse(payload) }, 500, code)
    }
    await app.close()
  })

  test('500: an answer that is not what the route promises is not sent', async () => {
    const rows = [{ id: 'no uuid', name: secret, createdAt: new Date() }]
    const ports = { ...serverPorts(assay.system), logger: null }
    const app = await buildServer({ ...ports, catalog: { ...ports.catalog, withTenant: async () => rows as never } })
    const headers = { authorization: `Bearer ${await assay.token('admin')}` }
    const { statusCode, payload } = await app.inject({ method: 'GET', url: `${base}/brands`, headers })
    expect({ statusCode, error: JSON.parse(payload).error }).toEqual({
      statusCode: 500,
      error: 'INTERNAL_SERVER_ERROR',
    })
    expect(payload).not.toContain(secret)
    await app.close()
  })

  test('503: a store that is away asks to come again, in both forms', async () => {
    const app = await broken(() => Object.assign(new Error(secret), { code: 'ECONNREFUSED' }))
    const headers = { authorization: `Bearer ${await assay.token('admin')}` }
    const answer = await app.inject({ method: 'GET', url: `${base}/catalogs`, headers })
    const { statusCode: status, payload: text } = answer
    expectSamplesForm({ status, headers: answer.headers, text, body: JSON.parse(text) }, 503, 'SERVER_002')
    expect(answer.headers['retry-after']).toBe('5')
    expect(text).not.toContain(secret)
    await app.close()
  })
})

test('400: bytes that are no HTTP are told so in the standard form', async () => {
  await assay.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = assay.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.end('NONSENSE\r\n\r\n')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  const requestId = /x-request-id: (\S+)/.exec(head)?.[1]
  expect(requestId).toMatch(uuid)
  expect(JSON.parse(body)).toEqual({
    error: { code: 'BAD_REQUEST', message: 'This is no HTTP request', request_id: requestId },
  })
})
