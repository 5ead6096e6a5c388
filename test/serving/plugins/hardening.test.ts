import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import type { Offer } from '../../../ingest/accept.ts'
import { buildServer } from '../../../serving/server.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'

let assay: Running
let token: string
let port: number
beforeAll(async () => {
  assay = await startAssay()
  token = await assay.token('admin')
  const ports = serverPorts(assay.system)
  const times = { answerWithinMs: 1_500, headersWithinMs: 300, silentForMs: 600, checkEveryMs: 50 }
  const app = await buildServer({ ...ports, logger: null, times })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
  impatient = app
})
let impatient: Awaited<ReturnType<typeof buildServer>>
afterAll(async () => {
  await impatient.close()
  await assay.close()
})

const base = `/api/workspace/${workspace}`
const products = `${base}/catalog/products`
const json = { 'content-type': 'application/json' }

/** Everything that comes back until the server closes. */
async function answerTo(talk: (socket: Socket) => void): Promise<{ status: number; body: unknown; ms: number }> {
  const began = Date.now()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  talk(socket)
  let text = ''
  try {
    for await (const chunk of socket.setEncoding('utf8')) text += chunk
  } catch (error) {
    // Whoever is cut off while a byte of theirs is under way is told so by a reset, behind the answer.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const isJson = body.startsWith('{')
  return { status: Number(head.split(' ')[1] ?? 0), body: isJson ? JSON.parse(body) : null, ms: Date.now() - began }
}
const standard = { error: { code: 'BAD_REQUEST', message: expect.any(String), request_id: expect.any(String) } }
const samples = { error: 'INVALID_REQUEST', details: { message: expect.any(String), request_id: expect.any(String) } }
const headOf = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${more}`

describe('400', () => {
  test('JSON that nests deeper than anything meant for reading, without a stack that breaks', async () => {
    const nested = (depth: number) =>
      `{"title":"x","price":1,"attributes":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`
    for (const depth of [63, 10_000, 400_000])
      expectSamplesForm(await assay.call('POST', products, nested(depth), json), 400, 'INVALID_REQUEST')
    expect((await assay.call('POST', products, nested(62), json)).status).toBe(201)
    const brackets = { title: `x[[{{"'${'[{'.repeat(100)}\\"`, price: 1 }
    expect((await assay.call('POST', products, brackets)).status).toBe(201)
    const gold = `${base}/catalogs/${await assay.newCatalog()}/batch/gold`
    const deep = `{"scope":"all","productIds":${'['.repeat(9_000)}${']'.repeat(9_000)}}`
    expectSamplesForm(await assay.call('POST', gold, deep, json), 400, 'VALIDATION_ERROR')
  })

  test('keys that reach for prototypes, at any depth and however they are written', async () => {
    const bodies = [
      '{"title":"x","price":1,"__proto__":{"admin":true}}',
      '{"title":"x","price":1,"attributes":{"a":[{"__proto__":{"admin":true}}]}}',
      '{"title":"x","price":1,"attributes":{"\\u005f_proto__":{"admin":true}}}',
      '{"title":"x","price":1,"attributes":{"constructor":{"prototype":{"admin":true}}}}',
      '{"title":"x","price":1,"constructor":1}',
      '{"title":"x","price":1,"prototype":1}',
    ]
    for (const body of bodies) {
      const { status, body: told } = await assay.call('POST', products, body, json)
      expect({ status, error: told.error }).toEqual({ status: 400, error: 'INVALID_REQUEST' })
    }
    expect({} as { admin?: true }).not.toHaveProperty('admin')
  })
})

const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))))

describe('JSON in another encoding', () => {
  test('400: bytes that are not UTF-8, on every kind of route, in a value or a key, cut short or overlong', async () => {
    const catalog = await assay.newCatalog()
    for (const body of [
      bytes('{"title":"', 0xff, '","price":1}'),
      bytes('{"title":"M', 0xfc, 'sli","price":1}'),
      bytes('{"', 0xff, '":"x"}'),
      bytes('{"title":"', 0xc3, '","price":1}'),
      bytes('{"title":"', 0xc0, 0xaf, '","price":1}'),
      bytes('{"title":"', 0xed, 0xa0, 0x80, '","price":1}'),
      Buffer.from('\ufeff{"title":"Mug","price":1}', 'utf16le'),
    ])
      for (const [method, path] of [
        ['POST', products],
        ['PATCH', `${products}/00000000-0000-4000-8000-000000000001`],
        ['POST', `${products}/bulk`],
        ['POST', `${base}/catalogs`],
        ['PUT', `${base}/settings/pipeline`],
        ['POST', `${base}/catalogs/${catalog}/batch/gold`],
      ] as const) {
        const answer = await assay.call(method, path, body, json)
        expect({ path, status: answer.status }).toEqual({ path, status: 400 })
        expect(answer.body.details.message).toBe('The body is not UTF-8')
      }
    const { products: listed } = (await assay.call('GET', products)).body
    expect(listed.filter(({ title }: { title: string }) => title?.includes('\ufffd'))).toEqual([])
  })

  test('415: another charset, by whatever name; UTF-8 said in any way is taken', async () => {
    const body = '{"title":"Müsli","price":1}'
    for (const charset of ['iso-8859-1', 'ISO-8859-1', '"utf-16"', 'utf-16le', 'windows-1252'])
      for (const type of [`application/json; charset=${charset}`, `application/json;Charset=${charset}`])
        expectSamplesForm(await assay.call('POST', products, body, { 'content-type': type }), 415, 'INVALID_REQUEST')
    for (const type of ['', '; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; charset=utf8']) {
      const answer = await assay.call('POST', products, body, { 'content-type': `application/json${type}` })
      expect(answer).toMatchObject({ status: 201, body: { product: { title: 'Müsli' } } })
    }
    const marked = await assay.call('POST', products, `\ufeff${body}`, json)
    expect(marked).toMatchObject({ status: 201, body: { product: { title: 'Müsli' } } })
  })
})

describe('415', () => {
  test('a packed body, of JSON or of a file: nothing is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(1 << 24, ' '))
    const catalog = await assay.newCatalog()
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'GZIP', 'gzip, gzip'])
      for (const [path, type] of [
        [products, 'application/json'],
        [`${base}/datasets/ingest?catalog_id=${catalog}`, 'text/csv'],
      ] as const) {
        const headers = { 'content-type': type, 'content-encoding': encoding }
        const answer = await assay.call('POST', path, bomb, headers)
        expectSamplesForm(answer, 415, 'INVALID_REQUEST')
        expect(answer.headers['accept-encoding']).toBe('identity')
      }
    const plain = { 'content-encoding': 'identity' }
    expect((await assay.call('POST', products, { title: 'Mug', price: 1 }, plain)).status).toBe(201)
  })
})

describe('431', () => {
  test('headers without number, in the envelope of the route', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`x-h-${i}`, '1']))
    const head = headOf(products, 'connection: close\r\ncontent-length: 2\r\n')
    const lines = Object.keys(many).map((name) => `${name}: 1\r\n`)
    expect(await answerTo((socket) => socket.write(`${head}${lines.join('')}\r\n{}`))).toMatchObject({
      status: 431,
      body: samples,
    })
    expectStandardForm(await assay.call('GET', '/jobs/x', undefined, many), 431, 'BAD_REQUEST')
  })

  test('headers without end', async () => {
    const answer = await answerTo((socket) =>
      socket.write(`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'y'.repeat(70_000)}`),
    )
    expect(answer).toMatchObject({ status: 431, body: standard })
  })
})

describe('408', () => {
  test('headers that come drop by drop', async () => {
    const answer = await answerTo((socket) => {
      socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n')
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 100)
      socket.once('close', () => clearInterval(drip))
    })
    expect(answer).toMatchObject({ status: 408, body: standard })
    expect(answer.ms).toBeLessThan(3_000)
  })

  test('a body that comes drop by drop', async () => {
    const answer = await answerTo((socket) => {
      socket.write(headOf(products, 'connection: close\r\ncontent-length: 1000\r\n\r\n{'))
      const drip = setInterval(() => socket.write(' '), 100)
      socket.once('close', () => clearInterval(drip))
    })
    expect(answer).toMatchObject({ status: 408, body: samples })
    expect(answer.ms).toBeLessThan(5_000)
  })
})

test('a sender that falls silent is let go, also in the middle of a file', async () => {
  const head = `POST ${base}/datasets/ingest HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: text/csv\r\n`
  const answer = await answerTo((socket) => socket.write(`${head}content-length: 1000\r\n\r\nsku,title\n`))
  expect(answer.ms).toBeLessThan(5_000)
  expect((await assay.call('GET', '/health/live')).status).toBe(200)
})

test('202: a file that takes longer to look at than a sender may be silent is answered all the same', async () => {
  const ports = serverPorts(assay.system)
  const accept = async (offer: Offer) => {
    for await (const _ of offer.body);
    await sleep(1_500)
    return '9e4d3c2b-1a0f-4e8d-9c7b-6a5f4e3d2c43'
  }
  const slow = await buildServer({
    ...{ ...ports, datasets: { ...ports.datasets, accept } },
    logger: null,
    times: { silentForMs: 300, checkEveryMs: 50 },
  })
  const url = await slow.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
  const form = new FormData()
  form.set('file', new Blob(['sku,title\nA,Mug\n']), 'a.csv')
  const catalog = await assay.newCatalog()
  for (const sent of [
    { headers, body: 'sku,title\nA,Mug\n' },
    { headers: { authorization: headers.authorization }, body: form },
  ])
    expect(
      (await fetch(`${url}${base}/datasets/ingest?catalog_id=${catalog}`, { method: 'POST', ...sent })).status,
    ).toBe(202)
  await slow.close()
})

test('413: a body that says it is too large is not waited for', async () => {
  const answer = await answerTo((socket) =>
    socket.write(headOf(products, 'connection: close\r\ncontent-length: 99999999\r\n\r\n')),
  )
  expect(answer).toMatchObject({ status: 413, body: samples })
})

test.each([
  ['a route that does its work in any time', (catalog: string) => `${base}/catalogs/${catalog}/batch/gold`, 408],
  ['what is no route', () => '/nope', 408],
  ['a route without a credential', () => products, 401],
])(
  'a body that drips on without an end is cut off: %s',
  async (what, pathOf, status) => {
    const path = pathOf(await assay.newCatalog())
    const head = what.includes('without a credential')
      ? headOf(path, 'content-length: 1000\r\n\r\n{').replace(/authorization.*\r\n/, '')
      : headOf(path, 'content-length: 1000\r\n\r\n{')
    let drip: NodeJS.Timeout | undefined
    const answer = await answerTo((socket) => {
      socket.write(head)
      drip = setInterval(() => socket.write(' '), 200)
    })
    clearInterval(drip)
    expect(answer.status).toBe(status)
    expect(answer.ms).toBeLessThan(8_000)
  },
  15_000,
)
