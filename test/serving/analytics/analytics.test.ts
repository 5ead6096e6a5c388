/** What came of searches and recommendations, as its users ask for it: events recorded by the channels, and those that callers send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'
import { makeKey } from '../search/make-key.ts'

const base = `/api/workspace/${workspace}`
let assay: Running
let brand: string
let catalog: string
let key: string
let toolKey: string
let other: string
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  const catalogs = (await assay.call('GET', `${base}/catalogs`)).body.catalogs
  catalog = catalogs.find((one: { isDefault: boolean }) => one.isDefault).id
  await assay.ingest(
    catalog,
    [
      'sku,title,price,currency,availability,color',
      'M-1,Enamel mug,12.50,EUR,in stock,white',
      'M-2,Tall mug,14.50,EUR,in stock,blue',
      'M-3,Small mug,9.50,EUR,in stock,blue',
      '',
    ].join('\n'),
  )
  await assay.publish(catalog)
  brand = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
  other = (await assay.call('POST', `${base}/brands`, { name: 'Other' })).body.brand.id
  key = await makeKey(assay, brand)
  toolKey = (await assay.call('POST', `${base}/keys`, { name: 'agent', scopes: ['mcp:tools'], brand_id: brand })).body
    .secret
})
afterAll(() => assay?.close())

const asked = (path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  assay.call('GET', `${base}/${path}?${new URLSearchParams(query)}`, undefined, headers)
async function tell(path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const { status, text, body } = await asked(path, query, headers)
  if (status !== 200) throw new Error(text)
  return body
}
const searches = (query: Record<string, string> = {}) => tell('search/analytics', { brand_id: brand, ...query })
const recommended = (query: Record<string, string> = {}) =>
  tell('recommendations/analytics', { brand_id: brand, ...query })

async function send(events: readonly object[], of = brand) {
  const { status, text } = await assay.call(
    'POST',
    '/api/v1/events',
    events.map((one) => ({ brand_id: of, ...one })),
  )
  if (status !== 202) throw new Error(text)
}
const counted = () =>
  expect.poll(async () => (await searches({ fresh: '1' })).lag, { timeout: 30_000, interval: 200 }).toBe(0)

async function search(query: Record<string, string>, userAgent = 'ChatGPT-User/1.0') {
  const headers = { 'x-api-key': key, authorization: '', 'user-agent': userAgent }
  const { status, body, text } = await assay.call(
    'GET',
    `/api/v1/search?${new URLSearchParams(query)}`,
    undefined,
    headers,
  )
  if (status !== 200) throw new Error(text)
  return body
}

async function tool(name: string, args: object) {
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'OwnAgent', version: '2' } }
  const answer = await assay.app.inject({
    method: 'POST',
    url: '/api/mcp/sse',
    headers: { 'x-api-key': toolKey, accept: 'application/json' },
    payload: { method: 'tools/call', params: { name, arguments: args, _meta } },
  })
  return answer.json().result.structuredContent
}

/** Once, also when a test is tried again. */
let happened: Promise<void> | null = null

async function searchAndOpen() {
  const first = await search({ q: 'mug', limit: '2', session_id: 's1' })
  const second = await search({ q: 'mug', limit: '2', session_id: 's1', after: first.next })
  expect(second.search_id).toBe(first.search_id)
  const typed = await search({ q: ' MÜG', attributes: 'color:blue', session_id: 's2' })
  await search({ q: 'enamel mug', session_id: 's2' })
  await search({ q: 'teapot' })
  const anonymous = await assay.call('GET', `/api/search?brand_id=${brand}&q=mug`, undefined, { authorization: '' })
  const found = await tool('search_products', { query: 'tall' })
  // What is read as a search's is told as opened.
  await tool('get_product', { product_id: found.products[0].product_id, search_id: found.search_id })
  const read = `/api/v1/products/${second.products[0].id}?search_id=${second.search_id}`
  expect((await assay.call('GET', read, undefined, { 'x-api-key': key, authorization: '' })).status).toBe(200)
  const view = { type: 'product_view', product_id: first.products[1].id }
  await send([
    // Again is once, where its place is known first.
    {
      ...view,
      time: new Date(Date.now() - 1_000).toISOString(),
      metadata: { search_id: first.search_id, position: 9 },
    },
    { ...view, metadata: { search_id: first.search_id, position: 7 } },
    { type: 'product_view', product_id: typed.products[0].id, session_id: 's2' },
    // Of another brand.
    { ...view, brand_id: other, metadata: { search_id: anonymous.body.search_id } },
  ])
  await counted()
}

describe('searches', () => {
  test('of which there is none are told as none', async () => {
    const { totals, watermark, ...rest } = await searches({ time_window_days: '1' })
    expect(totals).toMatchObject({ searches: 0, clicks: 0, click_through: null, mean_results: null })
    expect(watermark).toBeNull()
    expect(rest).toMatchObject({ top_queries: [], channels: [], filters: [], refinements: [], cache_hit: false })
  })

  test('of every channel are counted once, with what was opened of them', async () => {
    happened ??= searchAndOpen()
    await happened

    const told = await searches({ fresh: 'true' })
    expect(told.totals).toMatchObject({ searches: 6, zero_hits: 1, clicked: 3, unclicked: 2, clicks: 4 })
    expect(told.totals.mean_position).toBeCloseTo((3 + 9 + 1 + 1) / 4)
    expect(told.top_queries[0]).toMatchObject({
      query: 'mug',
      searches: 3,
      share: 0.5,
      clicked: 2,
      mean_results: 8 / 3,
    })
    expect(told.zero_hits).toMatchObject([{ query: 'teapot', searches: 1, zero_hits: 1, click_through: null }])
    expect(told.no_click.map(({ query }: { query: string }) => query)).toEqual(['enamel mug', 'mug'])
    expect(told.click_positions).toMatchObject({
      clicks: 4,
      positions: [{ position: 1 }, { position: 3 }, { position: 9 }],
    })
    expect(told.refinements).toEqual([{ query: 'MÜG', next: 'enamel mug', times: 1 }])
    expect(told.filters).toEqual([
      { filter: 'color', searches: 1, share: 1 / 6, values: [{ value: 'blue', searches: 1 }] },
    ])
    const by = told.channels.map(({ channel, agent, searches: n }: Record<string, unknown>) => [channel, agent, n])
    expect(by.sort()).toEqual(
      [
        ['search', 'ChatGPT', 4],
        ['anonymous_search', null, 1],
        ['tools', 'OwnAgent', 1],
      ].sort(),
    )
    expect((await searches({ channel: 'tools' })).top_queries).toMatchObject([
      { query: 'tall', clicked: 1, mean_position: 1 },
    ])
    expect((await searches({ agent: '' })).totals.searches).toBe(1)
    expect((await searches({ query: 'mug' })).totals.searches).toBe(3)
    expect((await searches({ catalog_id: catalog })).totals.searches).toBe(6)
  })

  test('the same question is answered from what is kept, and asked anew where something came', async () => {
    const question = { time_window_days: '7', time_zone: 'Europe/Berlin' }
    const first = await searches(question)
    expect(await searches(question)).toEqual({ ...first, cache_hit: true })
    expect((await searches({ ...question, fresh: 'true' })).cache_hit).toBe(true)
    await send([{ type: 'search', metadata: { query: 'later', results: 1 } }])
    await counted()
    expect(await searches(question)).toMatchObject({ cache_hit: true, totals: first.totals })
    const anew = await searches({ ...question, fresh: '1' })
    expect(anew).toMatchObject({ cache_hit: false, lag: 0 })
    expect(anew.totals.searches).toBe(first.totals.searches + 1)
    expect(anew.snapshot).not.toBe(first.snapshot)
  })

  test('all queries are told page by page', async () => {
    const page = (query: Record<string, string>) =>
      tell('search/analytics/queries', { brand_id: brand, limit: '2', ...query })
    const first = await page({})
    const second = await page({ after: first.next })
    const names = [...first.queries, ...second.queries].map(({ query }: { query: string }) => query)
    expect(new Set(names).size).toBe(4)
    expect((await page({ sort: 'zero_hits' })).queries).toMatchObject([{ query: 'teapot' }])
    const wrong = await asked('search/analytics/queries', { brand_id: brand, after: first.next, sort: 'no_click' })
    expectSamplesForm(wrong, 400, 'INVALID_REQUEST', 'after')
  })
})

describe('recommendations', () => {
  test('are told with what was opened, put into a cart and ordered after it', async () => {
    const shown = {
      type: 'recommendation_shown',
      metadata: { channel: 'recommendations', method: 'similar', recommendation_id: 'r1' },
    }
    const click = { type: 'recommendation_click', session_id: 's9', product_id: 'P2' }
    await send([
      { ...shown, product_ids: ['P1', 'P2'] },
      { ...shown, product_ids: ['P3'], metadata: { method: 'trending' } },
    ])
    await send([{ ...click, metadata: { recommendation_id: 'r1', method: 'made up', position: 2 } }])
    await send([{ type: 'add_to_cart', session_id: 's9', product_id: 'P2' }])
    await send([
      { type: 'order', session_id: 's9', product_ids: ['P2', 'P7'] },
      { type: 'order', session_id: 's9', product_id: 'P7' },
    ])
    await counted()
    const told = await recommended({ fresh: '1' })
    const one = { shown: 1, clicked: 1, click_through: 1, clicks: 1, added_to_cart: 1, orders: 1, mean_position: 2 }
    expect(told.totals).toEqual({ ...one, shown: 2, products_shown: 3, click_through: 0.5 })
    expect(told.methods).toEqual([
      { method: 'similar', products_shown: 2, ...one },
      {
        ...{ method: 'trending', shown: 1, products_shown: 1, clicked: 0, clicks: 0 },
        ...{ click_through: 0, mean_position: null, added_to_cart: 0, orders: 0 },
      },
    ])
    expect(told.products[0]).toEqual({
      product_id: 'P2',
      shown: 1,
      click_through: 1,
      clicks: 1,
      added_to_cart: 1,
      orders: 1,
      mean_position: 2,
    })
    expect(
      told.positions.map(({ position, shown: n, clicks }: Record<string, number>) => [position, n, clicks]),
    ).toEqual([
      [1, 2, 0],
      [2, 1, 1],
    ])
    expect(told.days).toHaveLength(30)
    expect(told.days.at(-1)).toMatchObject({ shown: 2, clicks: 1, added_to_cart: 1, orders: 1 })
    // Over both changes of its clock.
    const year = await recommended({ time_zone: 'Europe/Berlin', time_window_days: '365' })
    expect(year.days).toHaveLength(365)
    expect(year.days.reduce((sum: number, { shown: n }: { shown: number }) => sum + n, 0)).toBe(2)
    expect((await recommended({ method: 'similar' })).totals).toMatchObject({ shown: 1, orders: 1 })
    expect((await recommended({ channel: 'recommendations' })).totals.shown).toBe(1)
  })
})

describe('whose they are', () => {
  const paths = ['search/analytics', 'search/analytics/queries', 'recommendations/analytics']

  test('another brand has none of them, by whatever name it is asked for', async () => {
    await send(
      [
        { type: 'search', metadata: { query: 'secret', results: 1 } },
        { type: 'recommendation_shown', product_ids: ['secret'] },
      ],
      other,
    )
    await counted()
    for (const path of paths) {
      const own = await tell(path, { brand_id: other, fresh: '1' })
      expect(JSON.stringify(own)).toContain('secret')
      for (const query of [{}, { query: 'secret' }, { channel: '' }, { method: '' }, { agent: '' }])
        if (path !== 'search/analytics/queries' || !('query' in query || 'method' in query)) {
          const answer = await asked(path, { brand_id: brand, fresh: '1', ...query } as Record<string, string>)
          if (answer.status === 200) expect(answer.text).not.toContain('secret')
          else expect(answer.status).toBe(400)
        }
      const pinned = await assay.token('viewer', { brand: other })
      expectSamplesForm(
        await asked(path, { brand_id: brand }, { authorization: `Bearer ${pinned}` }),
        403,
        'FORBIDDEN',
        'brand_id',
      )
      expectSamplesForm(
        await asked(path, { catalog_id: catalog }, { authorization: `Bearer ${pinned}` }),
        404,
        'CATALOG_NOT_FOUND',
        'catalog_id',
      )
      expectSamplesForm(
        await asked(path, { brand_id: other, catalog_id: catalog }),
        404,
        'CATALOG_NOT_FOUND',
        'catalog_id',
      )
      expectSamplesForm(await asked(path, { brand_id: 'all' }), 400, 'INVALID_REQUEST', 'brand_id')
      expect((await asked(path, {}, { authorization: '', 'x-api-key': key })).status).toBe(403)
    }
  })

  test.each(paths)('odd parameters of %s are refused or are texts, and never a fault of ours', async (path) => {
    const text = path === 'recommendations/analytics' ? 'method' : path === 'search/analytics' ? 'query' : 'agent'
    for (const value of ["x'; drop table events; --", '{workspace:String}', '\\', 'a'.repeat(999), ''])
      expect((await tell(path, { brand_id: brand, channel: value, agent: value, [text]: value })).lag).toBe(0)
    const refused = ['time_zone', 'time_window_days', 'limit', 'catalog_id', 'fresh', 'after', 'unknown']
    for (const name of refused)
      for (const value of ["x'; --", '🧦', '', '-1', '1e1'])
        expect((await asked(path, { brand_id: brand, [name]: value })).status, `${name}=${value}`).toBe(400)
    expect((await assay.call('GET', `${base}/${path}?channel=%00`)).status).toBe(400)
  })
})
