import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let main: string
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  const { body } = await assay.call('GET', `/api/workspace/${workspace}/brands`)
  main = body.brands.find((brand: { name: string }) => brand.name === 'main').id
})
afterAll(() => assay.close())

const dayMs = 86_400_000
const daysAgo = (days: number, ms = 0) => new Date(Date.now() - days * dayMs - ms).toISOString()

async function newBrand(): Promise<string> {
  const { body } = await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: `B ${randomUUID()}` })
  return body.brand.id
}

const send = (events: object | string | Buffer, headers: Record<string, string> = {}) =>
  assay.call('POST', '/api/v1/events', typeof events === 'string' ? Buffer.from(events) : events, {
    'content-type': 'application/json',
    ...headers,
  })

/** Until everything that was sent is counted. */
async function counted(): Promise<void> {
  await expect
    .poll(async () => (await ask({ group_by: 'none', aggregation: 'count' }, main, { query: 'fresh=true' })).lag, {
      timeout: 30_000,
      interval: 200,
    })
    .toBe(0)
}

async function asked(question: object, brand: string, { query = '', headers = {} } = {}) {
  const body = { event_types: null, time_window_days: 30, ...question }
  return assay.call('POST', `/api/workspace/${workspace}/dashboards/aggregate?${query}`, body, {
    'x-active-brand': brand,
    ...headers,
  })
}

async function ask(question: object, brand: string, more = {}) {
  const { status, text, body } = await asked(question, brand, more)
  if (status !== 200) throw new Error(text)
  return body
}

describe('events that are sent', () => {
  test('are counted, summed and averaged by what the question groups by', async () => {
    const brand = await newBrand()
    const one = { type: 'order', session_id: 's1', amount: 12.5, product_id: 'MUG-1', metadata: { material: 'oak' } }
    const sent = [
      one,
      { ...one, amount: '7.25', session_id: 's2', time: daysAgo(1) },
      { ...one, product_id: 'POT-1', metadata: { material: 'ash', count: 3 } },
      { type: 'product_view', session_id: 's1' },
    ].map((event) => ({ ...event, brand_id: brand }))
    const { status, body } = await send(sent)
    expect([status, body]).toEqual([202, { accepted: 4, refused: [] }])
    await counted()
    const rows = async (question: object) => (await ask(question, brand)).rows
    expect(await rows({ group_by: 'none', aggregation: 'count' })).toEqual([{ key: null, value: 4 }])
    expect(await rows({ group_by: 'none', aggregation: 'count_distinct' })).toEqual([{ key: null, value: 2 }])
    expect(await rows({ group_by: 'none', aggregation: 'sum', value_field: 'amount' })).toEqual([
      { key: null, value: 32.25, secondary: 4 },
    ])
    expect(await rows({ group_by: 'none', aggregation: 'avg', value_field: 'amount' })).toEqual([
      { key: null, value: 10.75, secondary: 4 },
    ])
    expect(await rows({ group_by: 'event_type', aggregation: 'count' })).toEqual([
      { key: 'order', value: 3 },
      { key: 'product_view', value: 1 },
    ])
    expect(await rows({ group_by: 'product_id', aggregation: 'count', event_types: ['order'] })).toEqual([
      { key: 'MUG-1', value: 2 },
      { key: 'POT-1', value: 1 },
    ])
    expect(await rows({ group_by: 'metadata.material', aggregation: 'count' })).toEqual(
      [
        { key: 'oak', value: 2 },
        { key: null, value: 1 },
        { key: 'ash', value: 1 },
      ].sort((a, b) => b.value - a.value || (a.key === null ? 1 : -1)),
    )
    const days = await rows({ group_by: 'day', aggregation: 'count', time_window_days: 2 })
    expect(days).toEqual([
      { key: daysAgo(1).slice(0, 10), value: 1 },
      { key: daysAgo(0).slice(0, 10), value: 3 },
    ])
  })

  test('count once, however often they are sent', async () => {
    const brand = await newBrand()
    const event = { id: randomUUID(), time: daysAgo(2), type: 'order', amount: 10, session_id: 's', brand_id: brand }
    await send([event, event])
    await send(event)
    await counted()
    const question = { group_by: 'none', value_field: 'amount' }
    const values = ['count', 'count_distinct', 'sum', 'avg'].map(
      async (aggregation) => (await ask({ ...question, aggregation }, brand)).rows[0].value,
    )
    expect(await Promise.all(values)).toEqual([1, 1, 10, 10])
  })

  test('are taken or refused one by one, as lines and packed', async () => {
    const lines = [
      { type: 'search' },
      { type: 'Search!' },
      { type: 'search', amount: 'much' },
      { type: 'search', time: daysAgo(500) },
      { type: 'search', time: daysAgo(-1) },
      { type: 'search', id: randomUUID() },
      { type: 'search', product_id: 'a\0b' },
      { type: 'search', brand_id: randomUUID() },
      { type: 'search', catalog_id: randomUUID() },
      { type: 'search', surprise: 1 },
      { type: 'search', metadata: { "x'); drop table events; --": '1' } },
      { type: 'search', metadata: { a: 'x'.repeat(900), b: 'x'.repeat(900), c: 'x'.repeat(1_000) } },
    ].map((event) => JSON.stringify(event))
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 'x'.repeat(900)]))
    lines.push(JSON.stringify({ type: 'search', metadata: many }), '{"type":"search","metadata":{"__proto__":"x"}}')
    const body = gzipSync([...lines, '{"type":', ''].join('\n'))
    const answer = await send(body, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' })
    expect(answer.status).toBe(202)
    expect(answer.body.accepted).toBe(2)
    const told = answer.body.refused.map(({ index, field }: { index: number; field?: string }) => [index, field])
    expect(told.slice(0, 8)).toEqual([
      [1, 'type'],
      [2, 'amount'],
      [3, 'time'],
      [4, 'time'],
      [5, 'time'],
      [6, undefined],
      [7, 'brand_id'],
      [8, 'catalog_id'],
    ])
    expect(told.map(([index]: [number]) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14])
  })

  test('none of which can be taken are an error that says why; a body that is none is too', async () => {
    const refused = await send({ type: 'Search!' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(refused.body.error.message).toMatch(/event 0, type/)
    expect((await send('{')).status).toBe(400)
    expect((await send('[]')).status).toBe(400)
    expect((await send(JSON.stringify(Array.from({ length: 10_001 }, () => ({ type: 'search' }))))).status).toBe(413)
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '))
    expect((await send(bomb, { 'content-encoding': 'gzip' })).status).toBe(413)
  })

  test('come from pages of any shop with a key that can do nothing else', async () => {
    const asked = await assay.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/events',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([204, '*'])
    const order = { name: 'Pages', scopes: ['events:write'], brand_id: main }
    const owner = { authorization: `Bearer ${await assay.token('owner')}` }
    const { body } = await assay.call('POST', `/api/workspace/${workspace}/keys`, order, owner)
    const withKey = { authorization: '', 'x-api-key': body.secret ?? body.key.secret }
    const sent = await send({ type: 'product_view' }, withKey)
    expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([202, '*'])
    const read = await assay.call('GET', `/api/workspace/${workspace}/brands`, undefined, withKey)
    expect(read.status).toBe(403)
  })
})

describe('a question', () => {
  test('over nothing answers 0, and an average no rows (KF-53)', async () => {
    const brand = await newBrand()
    for (const aggregation of ['count', 'count_distinct', 'sum', 'avg'])
      for (const value_field of ['amount', 'session_id']) {
        const none = await ask({ group_by: 'none', aggregation, value_field }, brand)
        expect(none.rows).toEqual(aggregation === 'avg' ? [] : [{ key: null, value: 0 }])
        expect((await ask({ group_by: 'day', aggregation, value_field }, brand)).rows).toEqual([])
      }
  })

  test('has its days in UTC, today being one of them (KF-54)', async () => {
    const brand = await newBrand()
    const midnight = Math.floor(Date.now() / dayMs) * dayMs
    const times = [midnight, midnight - 1].map((ms) => new Date(ms).toISOString().replace('Z', '+00:00'))
    await send(times.map((time) => ({ type: 'search', time, brand_id: brand })))
    await counted()
    const keys = async (time_window_days: number) =>
      (await ask({ group_by: 'day', aggregation: 'count', time_window_days }, brand)).rows.map(
        ({ key }: { key: string }) => key,
      )
    expect(await keys(1)).toEqual([new Date(midnight).toISOString().slice(0, 10)])
    expect(await keys(2)).toHaveLength(2)
  })

  test('asked again is answered from what is kept, and only the very same one (KF-35)', async () => {
    const [one, two] = [await newBrand(), await newBrand()]
    const question = { group_by: 'none', aggregation: 'count', event_types: ['search', 'order'] }
    expect((await ask(question, one)).cache_hit).toBe(false)
    expect((await ask({ ...question, event_types: ['order', 'search', 'order'] }, one)).cache_hit).toBe(true)
    expect((await ask(question, two)).cache_hit).toBe(false)
    const catalogId = await assay.newCatalog()
    const inCatalog = { headers: { 'x-active-catalog': catalogId } }
    expect((await ask(question, main, inCatalog)).cache_hit).toBe(false)
    expect((await ask(question, main)).cache_hit).toBe(false)
    await send({ type: 'order', brand_id: one })
    await counted()
    expect((await ask(question, one)).rows).toEqual([{ key: null, value: 0 }])
    expect(await ask(question, one, { query: 'fresh=true' })).toMatchObject({
      cache_hit: false,
      rows: [{ key: null, value: 1 }],
    })
  })

  test('may be narrowed, put into a time zone, compared and filled; what is asked so is kept apart', async () => {
    const brand = await newBrand()
    const order = { type: 'order', brand_id: brand, metadata: { material: 'oak' } }
    await send([order, { ...order, metadata: { material: 'ash' } }, { ...order, time: daysAgo(3) }])
    await counted()
    const question = { group_by: 'day', aggregation: 'count', time_window_days: 2 }
    expect(Object.keys(await ask(question, brand))).not.toContain('compared_with')
    const oak = { filters: [{ field: 'metadata.material', equals: 'oak' }] }
    const more = { ...oak, compare: 'previous_period', step: 'fill', time_zone: 'Pacific/Kiritimati' }
    const answer = await ask({ ...question, ...more }, brand)
    expect(answer.cache_hit).toBe(false)
    const told = answer.rows.map(({ key, ...row }: { key: string }) => row)
    expect(told).toEqual([
      { value: 0, previous: 1, change: -1 },
      { value: 1, previous: 0, change: null },
    ])
    expect(Date.parse(answer.compared_with.from)).toBeLessThan(Date.parse(answer.compared_with.to))
    const wrong = await asked({ ...question, filters: [{ field: 'amount', gte: 'much' }] }, brand)
    expect([wrong.status, wrong.body.details.field]).toEqual([400, 'filters.0.gte'])
  })

  test('names what is unknown in its query, and is never of all brands', async () => {
    const question = { group_by: 'none', aggregation: 'count' }
    const { status, body } = await asked(question, main, { query: 'frsh=true' })
    expect([status, body.details.field]).toEqual([400, 'frsh'])
    for (const all of ['all', 'ALL']) expectSamplesForm(await asked(question, all), 400, 'INVALID_REQUEST', 'brand_id')
    expect((await asked(question, 'all', { query: `brand_id=${main}` })).status).toBe(200)
  })

  test('says what it groups by where it says nothing of it, or something else', async () => {
    const told = async (more: object) => (await asked({ aggregation: 'count', ...more }, main)).body.details.message
    const groups = 'is one of none, event_type, session, day, hour, product_id, or metadata.<key>'
    expect(await told({ group_by: 'week' })).toContain(`body group_by: ${groups}`)
    expect(await told({})).toContain(`body group_by: is missing; it ${groups}`)
    const filtered = (filters: unknown) => told({ group_by: 'none', filters })
    expect(await filtered({})).toContain('body filters: is a list of conditions')
    expect(await filtered([{ field: 'type', equals: {} }])).toContain('filters.0.equals: is a text of at most 1,000')
    expect(await filtered([{ field: 'type', in: [] }])).toContain('filters.0.in: is a list of 1 to 100 values')
  })

  test('about a catalog that was deleted is answered no more, at once', async () => {
    const catalogId = await assay.newCatalog()
    const question = { group_by: 'none', aggregation: 'count' }
    const inCatalog = { headers: { 'x-active-catalog': catalogId } }
    for (const hit of [false, true, true]) expect((await ask(question, main, inCatalog)).cache_hit).toBe(hit)
    const path = `/api/workspace/${workspace}/catalogs/${catalogId}`
    expect((await assay.call('DELETE', path)).status).toBe(202)
    expect((await asked(question, main, inCatalog)).status).toBe(404)
  })

  test('of another tenant is refused, also where an answer is kept', async () => {
    const question = { group_by: 'none', aggregation: 'count' }
    await ask(question, main)
    // As it is kept by how it was asked.
    for (let i = 0; i < 2; i++) expect((await ask(question, main)).cache_hit).toBe(true)
    const foreign = await assay.token('admin', { workspace: 'ws_other' })
    expect((await asked(question, main, { headers: { authorization: `Bearer ${foreign}` } })).status).toBe(403)
    expect((await asked(question, randomUUID())).status).toBe(403)
    const catalogId = await assay.newCatalog()
    const other = await newBrand()
    expect((await asked(question, other, { headers: { 'x-active-catalog': catalogId } })).status).toBe(404)
  })

  test.each(['nonsense', null, 'currency', 4])(
    'that counts ignores what is said of a value: %j',
    async (value_field) => {
      for (const aggregation of ['count', 'count_distinct']) {
        const without = await ask({ group_by: 'event_type', aggregation }, main)
        const answer = await asked({ group_by: 'event_type', aggregation, value_field }, main)
        expect([answer.status, answer.body.rows, answer.body.cache_hit]).toEqual([200, without.rows, true])
      }
    },
  )

  test.each([
    [{ group_by: 'week' }],
    [{ aggregation: 'sum', value_field: 'nonsense' }],
    [{ aggregation: 'avg', value_field: null }],
    [{ group_by: "metadata.x'; drop table events" }],
    [{ group_by: 'metadata.X' }],
    [{ aggregation: 'max' }],
    [{ aggregation: 'sum' }],
    [{ aggregation: 'avg', value_field: 'currency' }],
    [{ time_window_days: 0 }],
    [{ time_window_days: 366 }],
    [{ limit: 1_001 }],
    [{ event_types: ['Order'] }],
    [{ event_types: Array.from({ length: 51 }, (_, i) => `t${i}x`) }],
    [{ brand_id: randomUUID() }],
    [{ filters: [{ field: 'amount', gte: 'x' }] }],
    [{ time_zone: 'Mars/Olympus' }],
    [{ compare: 'last_year' }],
    [{ step: 'fill' }],
  ])('that is none is 400: %j', async (wrong) => {
    const { status } = await asked({ group_by: 'none', aggregation: 'count', ...wrong }, main)
    expect(status).toBe(400)
  })
})
