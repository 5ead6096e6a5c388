import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inboundEpoch } from '../../../infra/catalog/inbound-queries.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import type { Log, StoredRecord } from '../../../infra/log/port.ts'
import { startInbound } from '../../../infra/system/inbound.ts'
import { inboundTopic } from '../../../schemas/inbound.ts'
import { topics } from '../../../schemas/topics.ts'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { allLanes } from './all-lanes.ts'

let assay: Running
let catalog: string
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())
beforeEach(async () => {
  catalog = await assay.newCatalog()
})

const base = `/api/workspace/${workspace}`

interface Said {
  readonly key?: string
  readonly value: unknown
  readonly headers?: Record<string, string>
}
const product = (cells: Record<string, unknown>, more: Omit<Said, 'value'> = {}): Said => ({
  ...{ value: { v: 1, product: cells }, headers: { 'assay-catalog': catalog } },
  ...more,
})

/** A broker's topic of one partition, in memory; its workspace has none of these tests' names twice. */
function broker(of = workspace) {
  const topic = `${inboundTopic(of)}`
  const stored: StoredRecord[] = []
  return {
    topic,
    stored,
    write(...said: readonly Said[]) {
      for (const { key = '', value, headers = {} } of said) {
        const bytes = Buffer.from(typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))
        const none = value === null ? ({ noValue: true } as const) : {}
        stored.push({ partition: 0, offset: stored.length, key, value: bytes, headers, ...none })
      }
    },
    inbound: {
      topics: async () => [{ topic, partitions: 1, epoch: 0 }],
      epoch: async () => 0,
      begins: async () => [0],
      nameOf: inboundTopic,
      make: async () => null,
      read: async (_: string, __: number, from: number, limit: number) => stored.slice(from, from + limit),
    },
  }
}

/** Reads all that was written, from the first message on. */
async function run({ topic, stored, inbound }: ReturnType<typeof broker>, log: Log = assay.system.log) {
  const pool = assay.system.catalog.pipeline
  const sql = `select next_offset as next from sink_position where consumer_group = 'inbound' and topic = $1`
  const next = async () => (await pool.query<{ next: number }>(sql, [topic])).rows[0]?.next ?? 0
  const errors: unknown[] = []
  const { catalog: store, bulk } = assay.system
  const onError = (error: unknown) => errors.push(error)
  const resolver = startInbound({ catalog: store, log, inbound, bulk, share: allLanes, onError })
  for (const until = Date.now() + 20_000; (await next()) < stored.length && Date.now() < until; ) await sleep(10)
  await resolver.leave()
  await bulk.settled()
  return errors
}

/** A topic is read from its beginning by one test alone. */
async function newWorkspace(): Promise<string> {
  const id = `ws_${randomUUID().replaceAll('-', '')}`
  await ensureWorkspace(assay.system.catalog.pipeline, id, 'Inbound')
  return id
}
const anew = async () => {
  const id = await newWorkspace()
  const headers = { authorization: `Bearer ${await assay.token('admin', { workspace: id })}` }
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
    assay.call(method, path.startsWith('/jobs') ? path : `/api/workspace/${id}${path}`, body, headers)
  catalog = (await ask('POST', '/catalogs', { name: 'Inbound' })).body.catalog.id
  const products = async (of = catalog) =>
    (await ask('GET', `/catalog/products?limit=200&catalog_id=${of}`)).body.products.map(
      ({ sku, title, price }: Record<string, unknown>) => ({ sku, title, price }),
    )
  // The system that redrives its letters knows where it lies.
  await inboundEpoch(assay.system.catalog.pipeline, inboundTopic(id), 'postgres')
  return { id, ask, products, ...headers, ...broker(id) }
}

test('what is written to the topic of a workspace is refined and scored like any product', async () => {
  const { ask, products, ...own } = await anew()
  own.write(
    product({ sku: 'A-1', title: 'Enamel mug', price: 12.5, currency: 'EUR' }),
    product({ sku: 'A-2', title: 'Oak stool', price: 99, currency: 'EUR' }),
    product({ sku: 'A-1', title: 'Enamel mug, large' }),
  )
  expect(await run(own)).toEqual([])
  expect(await products()).toEqual(
    expect.arrayContaining([
      { sku: 'A-1', title: 'Enamel mug, large', price: 12.5 },
      { sku: 'A-2', title: 'Oak stool', price: 99 },
    ]),
  )
  const { body } = await ask('GET', `/catalog/products?catalog_id=${catalog}&sku=A-1`)
  expect(body.products).toMatchObject([{ stage: 'gold', optimizationScore: expect.any(Number) }])
  const { id: mug } = body.products[0]
  const told = await ask('GET', `/catalog/products/${mug}/provenance`)
  expect(told.status).toBe(200)
  const title = told.body.fields.find(({ field }: { field: string }) => field === 'title')
  expect(title).toMatchObject({ from: { source: 'topic:inbound', row: 3 } })
  const { job } = (await ask('POST', `/catalogs/${catalog}/verify`, { all: true })).body
  for (;;) {
    const { status, result } = (await ask('GET', `/jobs/${job.id}`)).body.job
    if (status !== 'completed') continue
    expect(result).toMatchObject({ compared: 2, equal: 2, differing: 0 })
    break
  }
})

test('without a header it goes to the default catalog, and a key is what the source calls the product', async () => {
  const { ask, products, ...own } = await anew()
  const { body } = await ask('GET', '/catalogs')
  const main = body.catalogs.find((one: { isDefault: boolean }) => one.isDefault).id
  own.write(
    { key: 'mug', value: { v: 1, product: { title: 'Mug' } } },
    { key: 'mug', value: { v: 1, product: { title: 'Large mug' } } },
    { key: 'jug', value: { v: 1, product: { title: 'Jug' } } },
    { key: 'jug', value: null },
    { key: 'nothing', value: null },
  )
  expect(await run(own)).toEqual([])
  expect(await products(main)).toEqual([{ sku: null, title: 'Large mug', price: null }])
})

test('what nobody can read is dead with reason, offset and attempts, and its neighbours go on (KF-47)', async () => {
  const { ask, products, ...own } = await anew()
  own.write(
    product({ sku: 'A-1', title: 'Mug' }),
    { value: '{"', key: 'torn' },
    product({ sku: 'A-2', title: 'Theirs' }, { headers: { 'assay-workspace': workspace } }),
    product({ sku: 'A-3', title: 'Nowhere' }, { headers: { 'assay-catalog': randomUUID() } }),
    product({ title: 'Nameless' }),
    product({ sku: 'A-4', title: 'Jug' }),
  )
  expect(await run(own)).toEqual([])
  expect((await products()).map(({ sku }: { sku: string }) => sku).sort()).toEqual(['A-1', 'A-4'])
  const { body } = await ask('GET', '/dead-letters')
  const found = body.deadLetters.map((one: Record<string, never>) => [one.position, one.kind, one.attempts]).reverse()
  const at = (offset: number) => ({ epoch: 0, partition: 0, offset })
  expect(found).toEqual([
    [at(1), 'not_json', 1],
    [at(2), 'wrong_workspace', 1],
    [at(3), 'unknown_catalog', 1],
    [at(4), 'no_identity', 1],
  ])
  const other = await assay.call('GET', `${base}/dead-letters?topic=${own.topic}`)
  expect(other.body.deadLetters).toEqual([])
  const read = await ask('GET', `/dead-letters/${body.deadLetters[0].id}`)
  expect(read.body).toMatchObject({ deadLetter: { topic: own.topic, key: '' }, attempts: [{ attempt: 1 }] })
})

test('a message puts its product into the group that it names, like the row of a file, and one that names none leaves it there (KF-23)', async () => {
  const { ask, products: _, ...own } = await anew()
  const kinds = async () => {
    const { body } = await ask('GET', `/catalog/products?limit=200&catalog_id=${catalog}`)
    const told = body.products.map(
      ({ sku, kind, itemGroupId }: ProductResource) => `${sku} ${kind} ${itemGroupId}`,
    ) as string[]
    return told.sort()
  }
  const says = async (...all: Record<string, unknown>[]) => {
    own.write(...all.map((cells) => product(cells)))
    expect(await run(own)).toEqual([])
    return kinds()
  }
  const file = 'sku,item_group_id,title,color,price\nT-S,T-1,Shirt,Red,5\nT-M,T-1,Shirt,Blue,5\n'
  const started = await assay.call('POST', `/api/workspace/${own.id}/datasets/ingest?catalog_id=${catalog}`, file, {
    authorization: own.authorization,
    'content-type': 'text/csv',
  })
  await vi.waitFor(async () => expect(await kinds()).toHaveLength(3), 10_000)
  expect(started.status).toBe(202)

  expect(
    await says(
      { sku: 'T-L', title: 'Shirt', color: 'Green', item_group_id: 'T-1' },
      { sku: 'T-1', title: 'Shirts', price: 5 },
      { sku: 'S-9', title: 'Sock' },
      { sku: 'N-S', title: 'Cap', brand: 'Lumo', item_group_id: 'N' },
    ),
  ).toEqual([
    'N-S single N',
    'S-9 single null',
    'T-1 parent null',
    'T-L variant T-1',
    'T-M variant T-1',
    'T-S variant T-1',
  ])
  const ofN = ['N parent null', 'N-M variant N', 'N-S variant N']
  const ofT = ['T-1 parent null', 'T-L variant T-1', 'T-M variant T-1', 'T-S variant T-1']
  const more = { sku: 'N-M', title: 'Cap', item_group_id: 'N' }
  expect(await says(more, { sku: 'T-L', price: 6 }, { sku: 'N-S', price: 3 })).toEqual([
    ...ofN,
    'S-9 single null',
    ...ofT,
  ])
  // Of a group that one batch brings whole, with the product that names it.
  const whole = ['B-S', 'B', 'B-M'].map((sku) => ({ sku, title: 'Belt', ...(sku !== 'B' && { item_group_id: 'B' }) }))
  const ofB = ['B parent null', 'B-M variant B', 'B-S variant B']
  expect(await says(...whole)).toEqual([...ofB, ...ofN, 'S-9 single null', ...ofT])
  const out = ['N-S', 'N-M', 'B-S'].map((sku) => ({ sku, item_group_id: '__CLEAR__' }))
  const left = ['B parent null', 'B-M variant B', 'B-S single null', 'N-M single null', 'N-S single null']
  expect((await says(...out)).filter((one) => one !== 'N parent null')).toEqual([...left, 'S-9 single null', ...ofT])
  await vi.waitFor(async () => expect(await kinds()).not.toContain('N parent null'), 10_000)
  // One that names its own SKU is a variant, as its row would be, also when it comes alone.
  await says({ sku: 'Q', title: 'Bag', item_group_id: 'Q' })
  await says({ sku: 'Q-2', title: 'Bag', item_group_id: 'Q' }, { sku: 'Q', title: 'Bag', item_group_id: 'Q' })
  await says(...['R-2', 'R'].map((sku) => ({ sku, title: 'Bag', item_group_id: 'R' })))
  const ofThemselves = ['Q variant Q', 'Q-2 variant Q', 'R variant R', 'R-2 variant R']
  expect((await kinds()).filter((one) => /^[QR]/.test(one))).toEqual(ofThemselves)
  const { job } = (await ask('POST', `/catalogs/${catalog}/verify`, { all: true })).body
  await vi.waitFor(async () => {
    const { result } = (await ask('GET', `/jobs/${job.id}`)).body.job
    expect(result).toMatchObject({ differing: 0, lost: 0 })
  }, 10_000)
})

test('a catalog of another workspace is not reached, whatever the header says', async () => {
  const theirs = catalog
  const { ask, ...own } = await anew()
  own.write(product({ sku: 'X-1', title: 'Taken over' }, { headers: { 'assay-catalog': theirs } }))
  await run(own)
  expect(await assay.products(theirs)).toEqual([])
  expect((await ask('GET', '/dead-letters')).body.kinds).toMatchObject([{ kind: 'unknown_catalog', count: 1 }])
})

test('what died is redriven to where it came: a newer message and an edit since then stay', async () => {
  const { ask, products, ...own } = await anew()
  const { pipeline } = assay.system.catalog
  const finished = async (path: string, body: unknown) => {
    const started = await ask('POST', path, body)
    expect(started.status).toBe(202)
    for (;;) {
      const { job } = (await ask('GET', `/jobs/${started.body.job.id}`)).body
      if (job.status === 'completed' || job.status === 'failed') return job.result
      await sleep(20)
    }
  }
  own.write(product({ sku: 'A-1', title: 'First' }))
  await run(own)
  await pipeline.query('update catalog set deleted_at = now() where catalog_id = $1', [catalog])
  own.write(
    product({ sku: 'A-1', title: 'Old', brand: 'Lumo', color: 'blue' }),
    product({ sku: 'A-1', color: 'red' }),
    product({ sku: 'A-9', title: 'New' }),
  )
  await run(own)
  await pipeline.query('update catalog set deleted_at = null where catalog_id = $1', [catalog])
  own.write(product({ sku: 'A-1', title: 'Newer' }))
  await run(own)
  const [{ id }] = (await ask('GET', `/catalog/products?catalog_id=${catalog}`)).body.products
  expect((await ask('PATCH', `/catalog/products/${id}`, { brand: 'Edited' })).status).toBe(200)

  // The system that redrives them reads the topic where it lies.
  const reads = vi.spyOn(assay.system.inbound, 'read').mockImplementation(own.inbound.read)
  const dry = await finished('/dead-letters/redrive', { topic: own.topic, dry_run: true })
  expect(dry).toMatchObject({ matched: 3, created: 1, updated: 2, stillDead: 0 })
  expect(await products()).toHaveLength(1)
  const done = await finished('/dead-letters/redrive', { kind: 'unknown_catalog' })
  expect(done).toMatchObject({ matched: 3, redriven: 3, created: 1, updated: 2, stillDead: 0 })
  expect(await finished('/dead-letters/redrive', { all: true })).toMatchObject({ matched: 0, redriven: 0 })
  reads.mockRestore()

  const told = (await ask('GET', `/catalog/products/${id}/provenance`)).body.fields
  const value = (name: string) => told.find(({ field }: { field: string }) => field === name)?.value
  expect(['title', 'brand', 'color'].map(value)).toEqual(['Newer', 'Edited', 'red'])
  const topicOf = (name: string) => told.find(({ field }: { field: string }) => field === name)?.from.topic
  expect(['title', 'brand', 'color'].map(topicOf)).toEqual([own.topic, null, own.topic])
  expect((await products()).map(({ sku }: { sku: string }) => sku).sort()).toEqual(['A-1', 'A-9'])
  expect((await ask('GET', `/catalog/products/${id}/explain`)).status).toBe(200)
  expect(await finished(`/catalogs/${catalog}/verify`, { all: true })).toMatchObject({ compared: 2, equal: 2 })
})

test('what died between its neighbours of one batch is redriven to between them', async () => {
  const { ask, ...own } = await anew()
  const gone = (await ask('POST', '/catalogs', { name: 'Gone' })).body.catalog.id
  const { pipeline } = assay.system.catalog
  own.write(
    product({ sku: 'A-1', title: 'One', brand: 'One', color: 'One' }),
    product({ sku: 'A-1', title: 'Two', brand: 'Two' }, { headers: { 'assay-catalog': gone } }),
    product({ sku: 'A-1', title: 'Three' }),
  )
  await pipeline.query('update catalog set deleted_at = now() where catalog_id = $1', [gone])
  await run(own)
  const { rows } = await pipeline.query<{ place: { ends: number[] } }>(
    'select place from dead_record where topic = $1',
    [own.topic],
  )
  const sql = `select layers from products where catalog_id = $1`
  const found = await pipeline.query<{ layers: Buffer }>(sql, [catalog])
  const [layer] = JSON.parse(found.rows[0]?.layers.toString() ?? '').layers
  const offsets = layer.from.map(({ offset }: { offset: number }) => offset).sort()
  const partition = assay.system.log.partitionOf(
    (await ask('GET', `/catalog/products?catalog_id=${catalog}`)).body.products[0].id,
  )
  expect(offsets).toEqual([expect.any(Number), rows[0]?.place.ends[partition]])
})

test('an append whose position was not kept is done again and has its effect once', async () => {
  const { products, ask, ...own } = await anew()
  const { log } = assay.system
  own.write(
    product({ sku: 'A-1', title: 'One' }),
    product({ sku: 'A-1', title: 'Two' }),
    product({ sku: 'A-2', title: 'Three' }),
  )
  let failed = false
  // As brokers are, apart from the catalog's transaction, which then fails.
  const apart: Log = {
    ...log,
    async append(topic, records) {
      const ranges = await log.append(topic, records)
      if (topic !== topics.bronze || failed) return ranges
      failed = true
      await assay.system.bulk.settled()
      const { body } = await ask('GET', `/catalog/products?catalog_id=${catalog}&sku=A-1`)
      const path = `/catalog/products/${body.products[0].id}`
      expect((await ask('PATCH', path, { title: 'Edited' })).status).toBe(200)
      throw new Error('the connection was lost')
    },
  }
  expect(await run(own, apart)).toHaveLength(1)
  expect(await products()).toEqual(
    expect.arrayContaining([
      { sku: 'A-1', title: 'Edited', price: null },
      { sku: 'A-2', title: 'Three', price: null },
    ]),
  )
  const sql = `select sum(created)::int as created, sum(updated)::int as updated, sum(unchanged)::int as unchanged
    from import_outcome where brand_id = (select brand_id from catalog where catalog_id = $1)`
  expect((await assay.system.catalog.pipeline.query(sql, [catalog])).rows).toEqual([
    { created: 2, updated: 1, unchanged: 0 },
  ])
})

test('two that read one topic at once take each message once', async () => {
  const { products, ...own } = await anew()
  own.write(...Array.from({ length: 300 }, (_, i) => product({ sku: `A-${i % 100}`, title: `Mug ${i}` })))
  await Promise.all([run(own), run(own), run(own)])
  expect(await products()).toHaveLength(100)
  const sql = `select sum(created + updated + unchanged)::int as n, count(distinct import_id)::int as streams
    from import_outcome where brand_id = (select brand_id from catalog where catalog_id = $1)`
  expect((await assay.system.catalog.pipeline.query(sql, [catalog])).rows).toEqual([{ n: 300, streams: 1 }])
})

test('the embedded log can be written to in the same way', async () => {
  const { log } = assay.system
  const value = JSON.stringify({ v: 1, product: { sku: 'E-1', title: 'Embedded' } })
  await log.append(inboundTopic(workspace), [{ key: randomUUID(), value }])
  const { body } = await assay.call('GET', `${base}/catalogs`)
  const main = body.catalogs.find((one: { isDefault: boolean }) => one.isDefault).id
  for (const until = Date.now() + 15_000; Date.now() < until; await sleep(50))
    if ((await assay.products(main)).length > 0) break
  expect(await assay.products(main)).toMatchObject([{ sku: 'E-1', title: 'Embedded' }])
})

test('a lone comma in an amount is told and not guessed; a number is what it is', async () => {
  const { ask, ...own } = await anew()
  own.write(
    product({ sku: 'A-1', title: 'Mug', price: '1,299', currency: 'EUR' }),
    product({ sku: 'A-2', title: 'Jug', price: 1.299, currency: 'EUR' }),
  )
  await run(own)
  const { body } = await ask('GET', `/catalog/products?catalog_id=${catalog}`)
  const prices = Object.fromEntries(body.products.map((one: Record<string, never>) => [one.sku, one.price]))
  expect(prices).toEqual({ 'A-1': null, 'A-2': 1.299 })
})
