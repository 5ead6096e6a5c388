/** Recommendations of a running Assay: what events say of products, what stands in where they say nothing, and what is never recommended. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepNames } from '../../../infra/catalog/popularity-build.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { openPopularity } from '../../../infra/system/popularity.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { eventWeights, popularityDays } from '../../../schemas/recommendation.ts'
import { topics } from '../../../schemas/topics.ts'
import { daysAfter, utcDay } from '../../../schemas/utc-day.ts'
import { cutOffAfter } from '../../infra/catalog/publish-ground.ts'
import { type Answer, type Running, startAssay, workspace } from '../../running.ts'
import { makeKey } from './make-key.ts'

const base = `/api/workspace/${workspace}`
const today = utcDay(new Date())
const daysAgo = (days: number) => `${daysAfter(today, -days)}T12:00:00.000Z`

let assay: Running
let catalog: string
let brand: string
let key: string
let ids: ReadonlyMap<string, string>
let skus: ReadonlyMap<string, string>
const of = (sku: string) => ids.get(sku) ?? ''

const file = [
  'sku,title,brand,category,price,currency,availability,color,size,item_group_id',
  'MUG-1,Enamel mug with handle,Lumo,Kitchen > Mugs,12.00,EUR,in stock,blue,,',
  'MUG-2,Enamel mug large,Lumo,Kitchen > Mugs,14.00,EUR,in stock,white,,',
  'MUG-3,Enamel mug small,Lumo,Kitchen > Mugs,9.00,EUR,out of stock,white,,',
  'MUG-4,Porcelain mug,Kelo,Kitchen > Mugs,19.00,EUR,in stock,white,,',
  'PLATE-1,Porcelain plate,Kelo,Kitchen > Plates,21.00,EUR,in stock,white,,',
  'TEE-S,Cotton tee,Fleet,Clothes > Tees,20.00,EUR,in stock,red,S,TEE',
  'TEE-M,Cotton tee,Fleet,Clothes > Tees,20.00,EUR,in stock,red,M,TEE',
  'TEE-L,Cotton tee,Fleet,Clothes > Tees,20.00,EUR,in stock,red,L,TEE',
  'SHIRT,Cotton shirt,Fleet,Clothes > Shirts,40.00,EUR,in stock,red,,',
  'DRILL,Cordless drill,Orle,Tools,99.00,EUR,in stock,,,',
  'BITS,Drill bits,Orle,Tools,15.00,EUR,in stock,,,',
  'SAW,Hand saw,Orle,Tools,25.00,EUR,in stock,,,',
  '',
].join('\n')

beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  catalog = await assay.newCatalog('Shop')
  await assay.ingest(catalog, file)
  await assay.publish(catalog)
  const found = await assay.products(catalog)
  ids = new Map(found.map(({ sku, id }) => [sku ?? '', id]))
  skus = new Map(found.map(({ sku, id }) => [id, sku ?? '']))
  brand = (await assay.call('GET', `${base}/brands`)).body.brands[0].id
  key = await makeKey(assay, brand)
})
afterAll(() => assay.close())

const ask = (query: Record<string, string>, as = key): Promise<Answer> =>
  assay.call('GET', `/api/v1/recommendations?${new URLSearchParams(query)}`, undefined, {
    ...{ 'x-api-key': as, authorization: '' },
  })
type Shown = { id: string; sku: string; method: string; position: number }
async function recommended(query: Record<string, string>): Promise<[sku: string, method: string][]> {
  const { status, text, body } = await ask(query)
  if (status !== 200) throw new Error(text)
  return body.products.map(({ sku, method }: Shown) => [sku, method])
}
const only = (found: [string, string][], method: string) => found.filter(([, by]) => by === method).map(([sku]) => sku)

/** Onto the log, as they came. */
async function happened(events: readonly Partial<AgentEvent>[]): Promise<void> {
  const whole = events.map((one): AgentEvent => {
    const time = one.time ?? daysAgo(0)
    const received = new Date().toISOString()
    return { v: 1, id: randomUUID(), type: 'product_view', received, workspace, brand, ...one, time }
  })
  await assay.system.log.append(
    topics.events,
    whole.map((one) => ({ key: one.id, value: JSON.stringify(one) })),
  )
  const question = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 }
  const lag = async () => (await assay.call('POST', `${base}/dashboards/aggregate?fresh=true`, question)).body.lag
  while ((await lag()) !== 0) await sleep(100)
}
async function counted(of = brand): Promise<void> {
  const job = await assay.system.popularity.start({ workspace, brand: of })
  if (job === null) throw new Error('it is counted already')
  const ended = await assay.job(job)
  if (ended.status !== 'completed') throw new Error(ended.error?.message)
}
const session = (name: string, type: string, ...names: string[]) =>
  names.map((product) => ({ type, product, session: name }))

describe('before any event', () => {
  test('what is like a product, the best first, then the best of its category and of all; of a family one, and itself never', async () => {
    const found = await recommended({ product_id: of('MUG-1'), limit: '20' })
    expect(only(found, 'similar').slice(0, 2)).toEqual(['MUG-2', 'MUG-4'])
    expect(only(found, 'best').length).toBeGreaterThan(0)
    expect(found.map(([sku]) => sku)).not.toContain('MUG-1')
    expect(found.filter(([sku]) => sku.startsWith('TEE'))).toHaveLength(1)
    expect(found.at(-1)?.[0]).toBe('MUG-3')
    expect(await recommended({ product_id: of('TEE-S'), limit: '20' })).not.toContainEqual([
      expect.stringMatching(/^TEE/),
      expect.anything(),
    ])
  })

  test('nothing that a rule of search hides, by whichever method', async () => {
    const rule = { brand_id: brand, hide: [{ products: [of('MUG-2')] }, { categories: ['Tools'] }] }
    const { body } = await assay.call('POST', `${base}/search/rules`, rule)
    const found = [
      ...(await recommended({ product_id: of('MUG-1'), limit: '20' })),
      ...(await recommended({ limit: '20' })),
    ].map(([sku]) => sku)
    expect(found.length).toBeGreaterThan(2)
    for (const sku of ['MUG-2', 'DRILL', 'BITS', 'SAW']) expect(found).not.toContain(sku)
    await assay.call('DELETE', `${base}/search/rules/${body.rule.id}?brand_id=${brand}`)
    expect(only(await recommended({ product_id: of('MUG-1') }), 'similar')).toContain('MUG-2')
  })

  test('without a product the best, and it is said what was tried before', async () => {
    const { body } = await ask({ limit: '2' })
    expect(body.products.map(({ method, position }: Shown) => [method, position])).toEqual([
      ['best', 1],
      ['best', 2],
    ])
    expect(body.methods_tried).toEqual([
      { method: 'trending', category: null, products: 0 },
      { method: 'popular', category: null, products: 0 },
      { method: 'best', category: null, products: 2 },
    ])
  })
})

test('a family with many variants leaves room for others', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `SOCK-${i},Wool sock,Fleet,Clothes > Socks,5.00,EUR,in stock,red,${i},SOCK`,
  )
  const other = await assay.newCatalog('Socks')
  await assay.ingest(
    other,
    [
      'sku,title,brand,category,price,currency,availability,color,size,item_group_id',
      ...rows,
      'SOCK-X,Wool sock thick,Kelo,Clothes > Socks,9.00,EUR,in stock,,,',
      '',
    ].join('\n'),
  )
  await assay.publish(other)
  const [sock] = await assay.products(other, { sku: 'SOCK-7' })
  const found = await recommended({ product_id: sock?.id ?? '', catalog_id: other, limit: '1' })
  expect(found).toEqual([['SOCK-X', 'similar']])
  await assay.call('DELETE', `${base}/catalogs/${other}`)
})

describe('by what agents did', () => {
  beforeAll(async () => {
    await happened([
      // Ordered by the same customer on two days, and in one order.
      { type: 'order', product: of('DRILL'), customer: 'c1', time: daysAgo(9) },
      { type: 'order', product: 'BITS', customer: 'c1', time: daysAgo(8) },
      { type: 'order', products: [of('DRILL'), 'BITS', 'SAW'], session: 'o2' },
      { type: 'order', products: [of('DRILL'), 'SAW'], session: 'o3', customer: 'c3' },
      { type: 'order', products: [of('DRILL'), 'SAW'], session: 'o4' },
      ...['o6', 'o7'].map((one) => ({ type: 'order', products: ['DRILL', 'SAW'], session: one })),
      // Once together says nothing.
      { type: 'order', products: [of('DRILL'), of('SHIRT')], session: 'o5' },
      ...['v1', 'v2'].flatMap((one) => session(one, 'product_view', 'PLATE-1', of('SHIRT'))),
      ...session('v3', 'add_to_cart', 'PLATE-1', 'TEE-M'),
      ...session('v4', 'product_view', 'PLATE-1', 'TEE-M'),
      // Looked at for long, and not more of late.
      ...Array.from({ length: 14 }, (_, i) => session(`p${i}`, 'product_view', 'MUG-4', 'NOBODY'))
        .flat()
        .map((one, i) => ({ ...one, time: daysAgo(3 + Math.floor(i / 2)) })),
      // Of late.
      ...Array.from({ length: 4 }, (_, i) => session(`t${i}`, 'product_view', of('MUG-2'))).flat(),
      // A session that looks again and again looked once.
      ...Array.from({ length: 40 }, () => session('again', 'product_view', 'SHIRT')).flat(),
      // A walk through the catalog is nobody's choice.
      ...[1, 2].map((n) => ({
        ...{ type: 'order', session: `walk${n}`, time: daysAgo(5) },
        products: [...Array.from({ length: 60 }, (_, i) => `NO-${i}`), of('MUG-1'), of('DRILL')],
      })),
    ])
    await counted()
  })

  test('what was ordered with it, whatever it is called, what most orders of it have first', async () => {
    const found = await recommended({ product_id: of('DRILL'), method: 'together', limit: '3' })
    expect(only(found, 'together')).toEqual(['SAW', 'BITS'])
    expect(found).toHaveLength(3)
  })

  test('what was viewed with it', async () => {
    const found = await recommended({ product_id: of('PLATE-1'), method: 'viewed_together', limit: '4' })
    expect(only(found, 'viewed_together').sort()).toEqual(['SHIRT', 'TEE-M'])
  })

  test('what rises is not what was always met; what was met most is popular', async () => {
    expect((await recommended({ method: 'trending', category: 'Kitchen > Mugs', limit: '1' }))[0]).toEqual([
      'MUG-2',
      'trending',
    ])
    expect(only(await recommended({ method: 'trending', limit: '50' }), 'trending')).not.toContain('MUG-4')
    const popular = only(await recommended({ method: 'popular', limit: '50' }), 'popular')
    expect(popular[0]).toBe('DRILL')
    expect(popular).toContain('MUG-4')
  })

  test('a category leaves out all else, by level or path, in any letters', async () => {
    for (const category of ['TOOLS', 'tools', ' Tools > ']) {
      const found = await recommended({ category, limit: '50' })
      expect(found.map(([sku]) => sku).sort()).toEqual(['BITS', 'DRILL', 'SAW'])
    }
    const near = await recommended({ product_id: of('DRILL'), category: 'kitchen', limit: '50', method: 'together' })
    expect(near.map(([sku]) => sku)).not.toContain('SAW')
    expect(near.length).toBeGreaterThan(3)
    expect(await recommended({ category: 'No such thing' })).toEqual([])
  })

  test('points are those of the events, each session once a day, halved by the week', async () => {
    const { rows } = await assay.system.catalog.pipeline.query<{ id: string; points: number }>(
      'select product_id as id, points from product_popularity p join popularity using (brand_id, generation) where brand_id = $1',
      [brand],
    )
    const points = new Map(rows.map(({ id, points }) => [skus.get(id), points]))
    const worth = (weight: number, age: number) => weight * 2 ** (-age / popularityDays.half)
    const { order, product_view: view } = eventWeights
    expect(points.get('DRILL')).toBeCloseTo(worth(order, 9) + 6 * order + 2 * worth(order, 5), 3)
    expect(points.get('SHIRT')).toBeCloseTo(order + 3 * view, 3)
    expect(points.get('MUG-4')).toBeCloseTo(
      Array.from({ length: 14 }, (_, i) => worth(view, 3 + i)).reduce((sum, one) => sum + one, 0),
      3,
    )
  })

  /** Nobody takes its jobs up but the test. */
  function byHand(now: () => Date = () => new Date()) {
    const sent: string[] = []
    const jobs = {
      send: async (_: string, id: string) => void sent.push(id),
      rest: async () => {},
      close: async () => {},
    }
    const { catalog, events } = assay.system
    return { sent, ...openPopularity({ catalog, events, jobs: () => jobs, now }) }
  }
  const pointsNow = async () =>
    (
      await assay.system.catalog.pipeline.query(
        `select product_id as id, points, trend, (select array_agg(c.others order by method) from product_companions c
            where c.product_id = p.product_id and c.generation = p.generation) as others
           from product_popularity p join popularity using (brand_id, generation) where brand_id = $1 order by product_id`,
        [brand],
      )
    ).rows

  test('a count that was cut off anywhere goes on, counts nothing twice, and leaves nothing behind', async () => {
    const before = await pointsNow()
    const { start, run, sent } = byHand()
    await start({ workspace, brand })
    const [job = ''] = sent
    expect(await start({ workspace, brand })).toBe(null)
    for (const steps of [0, 1, 2, 3]) await expect(run(job, cutOffAfter(steps))).rejects.toThrow('cut off')
    expect(await pointsNow()).toEqual(before)
    await run(job, new AbortController().signal)
    expect((await assay.job(job)).status).toBe('completed')
    expect(await pointsNow()).toEqual(before)
    await sweepNames(assay.system.catalog.pipeline)
    expect((await assay.system.catalog.pipeline.query('select from popularity_name')).rowCount).toBe(0)
  })

  test('events are counted by the hour, where there are new ones, and what was counted grows old by the day', async () => {
    const clock = { ms: Date.now() + 2 * 3_600_000 }
    const { auto, run, sent } = byHand(() => new Date(clock.ms))
    while (await auto());
    expect(sent).toEqual([])
    await happened([{ type: 'product_view', product: of('PLATE-1'), session: 'late' }])
    while (await auto());
    expect(sent).toEqual([])
    clock.ms += 3_600_001
    await auto()
    expect(sent).toHaveLength(1)
    await run(sent[0] ?? '', new AbortController().signal)
    clock.ms += 2 * 3_600_000
    await auto()
    expect(sent).toHaveLength(1)
    clock.ms += 25 * 3_600_000
    await auto()
    expect(sent).toHaveLength(2)
    await run(sent[1] ?? '', new AbortController().signal)
  })

  test('of what a search finds alike, the popular comes first; a cursor keeps to the order that it began with', async () => {
    const other = await assay.newCatalog('Alike')
    const rows = Array.from({ length: 6 }, (_, i) => `W-${i},Walnut bowl,5,EUR,in stock`)
    await assay.ingest(other, ['sku,title,price,currency,availability', ...rows, ''].join('\n'))
    await assay.publish(other)
    const search = async (more: Record<string, string> = {}) =>
      (
        await assay.call(
          'GET',
          `/api/v1/search?${new URLSearchParams({ q: 'walnut bowl', limit: '2', catalog_id: other, ...more })}`,
          undefined,
          { 'x-api-key': key, authorization: '' },
        )
      ).body
    const idsOf = (body: { products: { id: string }[] }) => body.products.map(({ id }) => id)
    const first = await search()
    const all = idsOf(await search({ limit: '10' }))
    const last = all.at(-1) ?? ''
    await happened(session('w', 'order', last))
    await counted()
    expect(idsOf(await search({ limit: '10' }))[0]).toBe(last)
    const pages = [...idsOf(first)]
    for (let { next } = first; next; ) {
      const page = await search({ after: next })
      pages.push(...idsOf(page))
      next = page.next
    }
    expect(pages).toEqual(all)
    // What is indexed anew has it from the first.
    await assay.call('PATCH', `${base}/catalog/products/${last}`, { description: 'Turned by hand' })
    await assay.publish(other)
    expect(idsOf(await search({ limit: '10' }))).toContain(last)
    const { rows: kept } = await assay.system.catalog.pipeline.query(
      `select from search_column c join search_segment s using (segment_id)
        where s.catalog_id = $1 and s.ended_at is null and starts_with(c.name, 'popularity:')
          and c.name = 'popularity:' || (select generation from popularity where brand_id = $2)`,
      [other, brand],
    )
    expect(kept.length).toBe(2)
    await assay.call('DELETE', `${base}/catalogs/${other}`)
  })

  test('what is no longer published is recommended no more, although events name it', async () => {
    await assay.call('DELETE', `${base}/catalog/products/${of('SAW')}`)
    const before = await recommended({ product_id: of('DRILL'), method: 'together', limit: '50' })
    expect(before.map(([sku]) => sku)).toContain('SAW')
    await assay.publish(catalog)
    for (const query of [
      { product_id: of('DRILL'), method: 'together' },
      { method: 'popular' },
      { method: 'trending' },
    ])
      expect((await recommended({ ...query, limit: '50' })).map(([sku]) => sku)).not.toContain('SAW')
    expect((await ask({ product_id: of('SAW') })).body.error.code).toBe('DATA_001')
  })
})

describe('who sees what', () => {
  test('another brand and another workspace get nothing of it, by whatever parameter, and their events count for nothing', async () => {
    await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
    const second = (await assay.call('POST', `${base}/brands`, { name: 'Second' })).body.brand.id
    const strangers = [
      await assay.token('owner', { workspace: 'ws_other' }),
      await assay.token('owner', { brand: second }),
    ]
    const methods = ['similar', 'together', 'viewed_together', 'trending', 'popular', 'best']
    for (const token of strangers) {
      const call = (path: string) =>
        assay.call('GET', `/api/v1/recommendations?${path}`, undefined, { authorization: `Bearer ${token}` })
      expect((await call('')).body.products).toEqual([])
      for (const method of methods)
        expect((await call(`product_id=${of('DRILL')}&method=${method}`)).body.error.code).toBe('DATA_001')
      expect((await call(`catalog_id=${catalog}`)).body.error.code).toBe('DATA_002')
      expect((await call(`brand_id=${brand}`)).status).toBe(403)
    }
    await happened(session('s', 'order', of('MUG-3')).map((one) => ({ ...one, brand: second })))
    await counted(second)
    await counted()
    const { rows } = await assay.system.catalog.pipeline.query(
      'select from product_popularity where product_id = $1 or brand_id = $2',
      [of('MUG-3'), second],
    )
    expect(rows).toEqual([])
  })
})

describe('what is refused', () => {
  test.each([
    [{ method: 'similar' }, 400, 'SEARCH_001'],
    [{ method: 'magic' }, 400, 'SEARCH_001'],
    [{ product_id: 'MUG-1' }, 400, 'SEARCH_001'],
    [{ limit: '0' }, 400, 'SEARCH_001'],
    [{ fields: 'secret' }, 400, 'SEARCH_001'],
    [{ product_id: '00000000-0000-4000-8000-000000000001' }, 404, 'DATA_001'],
    [{ catalog_id: '00000000-0000-4000-8000-000000000001' }, 404, 'DATA_002'],
  ])('%j', async (query, status, code) => {
    const answer = await ask(query)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })

  test('whatever is sent is answered or refused', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('', '1', 'a > b', '>', randomUUID()),
    )
    const names = fc.constantFrom('product_id', 'category', 'method', 'limit', 'catalog_id', 'fields', 'brand_id')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { maxKeys: 3 }), async (query) => {
        expect((await ask(query)).status).toBeLessThan(500)
      }),
      { numRuns: 40 },
    )
  })
})

test('each answer is told: an event for each method with its products in order, one that says so where there are none', async () => {
  const some = (await ask({ product_id: of('DRILL'), method: 'together', limit: '8', fields: 'id' })).body
  const none = (await ask({ category: 'No such thing', method: 'popular' })).body
  expect(Object.keys(some.products[0]).sort()).toEqual(['id', 'method', 'position'])
  const told: AgentEvent[] = []
  const methods = new Set(some.products.map(({ method }: Shown) => method))
  for (let left = 200; left > 0 && told.length < methods.size + 1; left--) {
    await sleep(20)
    told.length = 0
    for (let partition = 0; partition < assay.system.log.partitions; partition++)
      for (const { value } of await assay.system.log.read(topics.events, partition, 0, 10_000)) {
        const event: AgentEvent = JSON.parse(String(value))
        const id = event.metadata?.recommendation_id
        if (id === some.recommendation_id || id === none.recommendation_id) told.push(event)
      }
  }
  for (const method of methods) {
    const of = some.products.filter((one: Shown) => one.method === method)
    const event = told.find(({ metadata }) => metadata?.method === method && metadata?.results !== '0')
    expect(event).toMatchObject({
      ...{ type: 'recommendation_shown', brand, products: of.map(({ id }: Shown) => id) },
      metadata: {
        ...{ channel: 'recommendations', recommendation_id: some.recommendation_id, product: ids.get('DRILL') },
        positions: of.map(({ position }: Shown) => position).join(','),
      },
    })
  }
  const empty = told.find(({ metadata }) => metadata?.recommendation_id === none.recommendation_id)
  expect(empty).toMatchObject({ type: 'recommendation_shown', metadata: { method: 'popular', results: '0' } })
  expect(empty?.products).toBeUndefined()
})
