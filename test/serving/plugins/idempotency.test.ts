import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepKeys } from '../../../infra/catalog/idempotency.ts'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { buildServer } from '../../../serving/server.ts'
import { type Answer, type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const under = (key: string, headers: Record<string, string> = {}) => ({ 'idempotency-key': key, ...headers })
const create = (body: object, headers: Record<string, string> = {}) =>
  assay.call('POST', `${base}/catalog/products`, body, headers)
const kept = async () => (await assay.system.catalog.pipeline.query('select * from idempotency')).rows

const isReplay = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'

describe('the same key and the same request', () => {
  test('make one product, and every answer is the first one', async () => {
    const catalog = await assay.newCatalog()
    const body = { title: 'Mug', price: 1, catalog_id: catalog }
    const key = randomUUID()
    const first = await create(body, under(key))
    expect(first.status).toBe(201)
    expect(isReplay(first)).toBe(false)
    for (let i = 0; i < 3; i++) {
      const again = await create(body, under(key))
      expect({ ...again, headers: null }).toEqual({ ...first, headers: null })
      expect(isReplay(again)).toBe(true)
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    }
    expect(await assay.products(catalog)).toHaveLength(1)
  })

  test('make one product however many come at once: each is told it is made, or that it is under way', async () => {
    const catalog = await assay.newCatalog()
    const body = { title: 'Mug', price: 1, catalog_id: catalog }
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(body, under(key))))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(({ body }) => body.product.id)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectSamplesForm(answer, 409, 'CONFLICT')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(await assay.products(catalog)).toHaveLength(1)
  })

  test('make one brand, one catalog, one member and one workspace', async () => {
    const posts = [
      [`${base}/brands`, { name: `B ${randomUUID()}` }],
      [`${base}/catalogs`, { name: 'C' }],
      [`${base}/members`, { subject: randomUUID(), role: 'viewer', all_brands: true }],
      ['/api/workspaces', { name: 'W' }],
    ] as const
    const authorization = `Bearer ${await assay.token('owner')}`
    for (const [url, body] of posts) {
      const key = randomUUID()
      const first = await assay.call('POST', url, body, under(key, { authorization }))
      const again = await assay.call('POST', url, body, under(key, { authorization }))
      expect(first.status).toBe(201)
      expect(again.text).toBe(first.text)
      expect(isReplay(again)).toBe(true)
    }
  })

  test('import a file once, however it is wrapped', async () => {
    const catalog = await assay.newCatalog()
    const url = `${base}/datasets/ingest?catalog_id=${catalog}`
    const csv = 'sku,title,price\nA,Mug,1\nB,Pan,2\n'
    const key = randomUUID()
    const first = await assay.call('POST', url, csv, under(key, { 'content-type': 'text/csv' }))
    expect(first.status).toBe(202)
    const form = (boundary: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${csv}\r\n--${boundary}--\r\n`
    for (const boundary of ['one', 'another']) {
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      const again = await assay.call('POST', url, form(boundary), under(key, type))
      expect(again.text).toBe(first.text)
      expect(isReplay(again)).toBe(true)
    }
    const other = await assay.call('POST', url, `${csv}C,Pot,3\n`, under(key, { 'content-type': 'text/csv' }))
    expectSamplesForm(other, 422, 'INVALID_REQUEST')
    const { rows } = await assay.system.catalog.pipeline.query('select from import where catalog_id = $1', [catalog])
    expect(rows).toHaveLength(1)
  })
})

test('422: the same key with another body, another query or on another route is not answered for', async () => {
  const key = randomUUID()
  const body = { title: 'Mug', price: 1 }
  await create(body, under(key))
  expectSamplesForm(await create({ ...body, price: 2 }, under(key)), 422, 'INVALID_REQUEST')
  expectSamplesForm(await assay.call('POST', `${base}/brands`, { name: 'Q' }, under(key)), 422, 'INVALID_REQUEST')
})

test('422: the same key for another brand or catalog, named by a header alone, is another request', async () => {
  const { brand } = (await assay.call('POST', `${base}/brands`, { name: `B ${randomUUID()}` })).body
  const catalog = await assay.newCatalog()
  const key = randomUUID()
  const body = { title: 'Mug', price: 1 }
  expect((await create(body, under(key))).status).toBe(201)
  expectSamplesForm(await create(body, under(key, { 'x-active-brand': brand.id })), 422, 'INVALID_REQUEST')
  expectSamplesForm(await create(body, under(key, { 'x-active-catalog': catalog })), 422, 'INVALID_REQUEST')
})

test('the same words in another order of space are the same body, and no key is no promise', async () => {
  const key = randomUUID()
  const token = `Bearer ${await assay.token('owner')}`
  const send = (payload: string, headers = {}) =>
    assay.app.inject({
      method: 'POST',
      url: `${base}/catalogs`,
      headers: { authorization: token, 'content-type': 'application/json', ...headers },
      payload,
    })
  const first = await send('{"name":"Spaced"}', under(key))
  expect((await send('{ "name" : "Spaced" }', under(key))).payload).toBe(first.payload)
  expect((await send('{"name":"Spaced"}')).json().catalog.id).not.toBe(first.json().catalog.id)
})

test('another subject’s key is another key', async () => {
  const key = randomUUID()
  const body = { name: `B ${randomUUID()}` }
  const mine = await assay.call('POST', `${base}/brands`, body, under(key))
  const other = { authorization: `Bearer ${await assay.token('owner')}` }
  const theirs = await assay.call('POST', `${base}/brands`, body, under(key, other))
  expect(isReplay(theirs)).toBe(false)
  // The name is taken: the handler ran.
  expect([mine.status, theirs.status]).toEqual([201, 409])
})

test('a request that was refused leaves its key free, whatever refused it', async () => {
  const key = randomUUID()
  expectSamplesForm(await create({ title: 'Mug' }, under(key)), 400, 'INVALID_REQUEST', 'price')
  const nowhere = randomUUID()
  expect((await create({ title: 'Mug', price: 1, catalog_id: nowhere }, under(key))).status).toBe(404)
  const viewer = { authorization: `Bearer ${await assay.token('viewer')}` }
  expect((await create({ title: 'Mug', price: 1 }, under(key, viewer))).status).toBe(403)
  expect((await create({ title: 'Mug', price: 1 }, under(key))).status).toBe(201)
})

test.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('400: %j is no key', async (key) => {
  const answer = await create({ title: 'Mug', price: 1 }, under(key))
  // A header without a value is as good as none to some servers; here it is a key that is too short.
  expectSamplesForm(answer, 400, 'INVALID_REQUEST')
})

test('409: a secret that was shown once is not shown again, is not stored, and no second key is made', async () => {
  const key = randomUUID()
  const body = { name: 'Feeds', scopes: ['mcp:feed:read'], brand_id: null }
  const first = await assay.call('POST', `${base}/keys`, body, under(key))
  expect(first.status).toBe(201)
  const before = (await assay.call('GET', `${base}/keys?limit=200`)).body.keys.length
  expectSamplesForm(await assay.call('POST', `${base}/keys`, body, under(key)), 409, 'CONFLICT')
  expect((await assay.call('GET', `${base}/keys?limit=200`)).body.keys).toHaveLength(before)
  expect(JSON.stringify(await kept())).not.toContain(first.body.secret)
})

describe('a server whose clock is ours', () => {
  let now = Date.now()
  const open = () => {
    const ports = serverPorts(assay.system)
    return buildServer({ ...ports, logger: null, idempotency: { ...ports.idempotency, now: () => new Date(now) } })
  }
  const send = async (app: Awaited<ReturnType<typeof open>>, key: string, name: string) => {
    const headers = { authorization: `Bearer ${await assay.token('owner')}`, ...under(key) }
    return app.inject({ method: 'POST', url: `${base}/catalogs`, headers, payload: { name } })
  }

  test('keeps an answer for 24 hours, and then the key is anyone’s', async () => {
    const app = await open()
    const key = randomUUID()
    const first = await send(app, key, 'Kept')
    now += 24 * 3_600_000 - 1_000
    expect((await send(app, key, 'Kept')).payload).toBe(first.payload)
    now += 2_000
    const fresh = await send(app, key, 'Another')
    expect(fresh.statusCode).toBe(201)
    expect(fresh.headers['idempotency-replayed']).toBeUndefined()
    await app.close()
  })

  test('gives the key of a process that died to who asks a minute later, and not sooner', async () => {
    const app = await open()
    const key = randomUUID()
    await send(app, key, 'Cut off')
    // As a process leaves it that is killed in the middle of a request.
    await assay.system.catalog.pipeline.query(
      `update idempotency set status = null, body = null, headers = null, lease_until = $1
        where body like '%Cut off%'`,
      [new Date(now + 60_000)],
    )
    now += 59_000
    const early = await send(app, key, 'Cut off')
    expect({ status: early.statusCode, error: early.json().error }).toEqual({ status: 409, error: 'CONFLICT' })
    now += 2_000
    expect((await send(app, key, 'Cut off')).statusCode).toBe(201)
    await app.close()
  })

  test('forgets, in bounded steps, what is over', async () => {
    const pool = assay.system.catalog.pipeline
    await pool.query(
      `insert into idempotency (key, holder, lease_until, created_at)
       select decode(md5(i::text), 'hex'), gen_random_uuid(), now(), now() - interval '25 hours' from generate_series(1, 5001) i`,
    )
    const count = async () =>
      (await pool.query(`select count(*)::int as n from idempotency where created_at < now() - interval '24 hours'`))
        .rows[0].n
    expect([await sweepKeys(pool, new Date()), await count()]).toEqual([true, 1])
    expect([await sweepKeys(pool, new Date()), await count()]).toEqual([false, 0])
  })
})

test('a product without identifiers that a cut-off request has made is not made again', async () => {
  const catalog = await assay.newCatalog()
  const body = { title: 'Nameless', price: 1, catalog_id: catalog }
  const key = randomUUID()
  await create(body, under(key))
  await assay.system.catalog.pipeline.query(
    `update idempotency set status = null, lease_until = now() - interval '1 second' where body like '%Nameless%'`,
  )
  expectSamplesForm(await create(body, under(key)), 409, 'DATA_003')
  expect(await assay.products(catalog)).toHaveLength(1)
})

test('any sequence of requests under a few keys makes as many catalogs as keys were used first', async () => {
  const name = (i: number) => `Law ${i}`
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), fc.nat(1)), { minLength: 1, maxLength: 8 }), async (story) => {
      const keys = [randomUUID(), randomUUID(), randomUUID()]
      const first = new Map<number, { name: number; text: string }>()
      for (const [key, which] of story) {
        const answer = await assay.call('POST', `${base}/catalogs`, { name: name(which) }, under(keys[key] ?? ''))
        const former = first.get(key)
        if (!former) first.set(key, { name: which, text: answer.text })
        else if (former.name === which) expect(answer.text).toBe(former.text)
        else expect(answer.status).toBe(422)
      }
      expect(new Set([...first.values()].map(({ text }) => text)).size).toBe(first.size)
    }),
    { numRuns: 15 },
  )
})

test('every POST that makes something says so in the document', async () => {
  const { paths } = (await assay.call('GET', '/openapi.json')).body
  const posts = Object.entries(paths as Record<string, { post?: { parameters: object[]; responses: object } }>)
  for (const [path, { post }] of posts) {
    if (!post) continue
    const makes = '201' in post.responses || '202' in post.responses
    const named = JSON.stringify(post.parameters).includes('parameters/IdempotencyKey')
    expect({ path, named }).toEqual({ path, named: makes })
    if (makes) expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['409', '422']))
  }
})
