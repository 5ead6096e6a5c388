import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findJob } from '../../../infra/catalog/job-table.ts'
import { sweepVisible } from '../../../infra/catalog/visibility-queries.ts'
import { type EventStore, EventsAway } from '../../../infra/events/port.ts'
import { NotYet } from '../../../infra/not-yet.ts'
import { openVisibility } from '../../../infra/system/visibility.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { topics } from '../../../schemas/topics.ts'
import { daysAfter, utcDay } from '../../../schemas/utc-day.ts'
import { mulberry32 } from '../../faults/mulberry.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { cutOffAfter } from '../catalog/publish-ground.ts'

const base = `/api/workspace/${workspace}`
let assay: Running
let brand: string
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  const { body } = await assay.call('GET', `${base}/brands`)
  brand = body.brands[0].id
})
afterAll(() => assay.close())

const today = utcDay(new Date())
const ago = (days: number) => daysAfter(today, -days)
const noon = (day: string) => `${day}T12:00:00.000Z`
const { signal } = new AbortController()

const head = 'sku,title,description,brand,price,currency,availability,condition,link,image,gtin'
const good = (sku: string) =>
  `${sku},Mug ${sku},A large enamel mug for the garden and the house,Lumo,12.50,EUR,in stock,new,https://shop.example/${sku},https://shop.example/${sku}.jpg,`

/** A published catalog that was there ten days ago. @returns its id, and its products by SKU */
async function published(lines: readonly string[]): Promise<{ id: string; ids: ReadonlyMap<string, string> }> {
  const id = await assay.newCatalog()
  await assay.ingest(id, [head, ...lines, ''].join('\n'))
  await assay.publish(id)
  const sql = `update catalog set created_at = now() - interval '10 days' where catalog_id = $1`
  await assay.system.catalog.pipeline.query(sql, [id])
  const found = await assay.products(id)
  return { id, ids: new Map(found.map((one) => [one.sku ?? '', one.id])) }
}

/** Onto the log, as they came on their day. */
async function happened(catalog: string | null, day: string, events: readonly Partial<AgentEvent>[]): Promise<void> {
  const whole = events.map((one): AgentEvent => {
    const at = { time: noon(day), received: noon(day) }
    return { v: 1, id: randomUUID(), type: 'search', ...at, workspace, brand, ...(catalog && { catalog }), ...one }
  })
  const { log } = assay.system
  await log.append(
    topics.events,
    whole.map((one) => ({ key: one.id, value: JSON.stringify(one) })),
  )
  const ask = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 }
  const lag = async () => (await assay.call('POST', `${base}/dashboards/aggregate?fresh=true`, ask)).body.lag
  await expect.poll(lag, { timeout: 30_000, interval: 200 }).toBe(0)
}

/** By a clock of the test's own; nobody takes its jobs up but the test. */
function at(clock: string, asks: Pick<EventStore, 'ask'> = assay.system.events) {
  const events = { identity: () => assay.system.events.identity(), ask: asks.ask }
  const sent: string[] = []
  const jobs = {
    send: async (_kind: string, id: string) => void sent.push(id),
    rest: async () => {},
    close: async () => {},
  }
  const { catalog, log } = assay.system
  const visibility = openVisibility({ catalog, log, events, jobs: () => jobs, now: () => new Date(clock) })
  return { ...visibility, sent }
}

/** The jobs of this catalog among those that the day's own made. */
async function daily(clock: string, catalog: string): Promise<string[]> {
  const visibility = at(clock)
  while (await visibility.auto());
  const own: string[] = []
  for (const id of visibility.sent) {
    if ((await findJob(assay.system.catalog.pipeline, id))?.catalog === catalog) own.push(id)
    await visibility.run(id, signal)
  }
  return own
}

const series = async (catalog: string, query: Record<string, string> = {}) =>
  (await assay.call('GET', `${base}/visibility?${new URLSearchParams({ catalog_id: catalog, ...query })}`)).body
const products = async (catalog: string, channel: string, query: Record<string, string> = {}) =>
  (
    await assay.call(
      'GET',
      `${base}/visibility/products?${new URLSearchParams({ catalog_id: catalog, channel, ...query })}`,
    )
  ).body
type Told = { channel: string } & Record<string, unknown>
const channelIn = (snapshot: { channels: Told[] }, name: string) =>
  snapshot.channels.find(({ channel }) => channel === name)

describe('a snapshot', () => {
  test('says of each channel what stood there and what of it agents met, and what nobody knows', async () => {
    const { id, ids } = await published([good('A-1'), good('A-2'), good('A-3'), 'A-4,Mug without more,,,,,,,,,'])
    const of = (sku: string) => ids.get(sku) ?? ''
    const day = ago(1)
    await happened(id, day, [
      { products: ['A-1', of('A-2'), 'A-1'] },
      { products: [of('A-1')], product: 'A-4' },
      { type: 'search_zero_hit', metadata: { query: 'teapot' } },
      { products: ['NOBODY'] },
      { type: 'tool_call', metadata: { tool: 'find' } },
      { type: 'recommendation_shown', product: 'A-2' },
      { type: 'recommendation_shown' },
      { type: 'feed_read', numbers: { quantity: '2' }, metadata: { platform: 'search-shopping', complete: 'false' } },
      { type: 'feed_read', numbers: { quantity: '3' }, metadata: { platform: 'google', complete: 'true' } },
      { type: 'product_view', product: 'A-3' },
    ])
    await happened(id, ago(2), [{ products: ['A-3'] }])
    await daily(`${today}T00:20:00.000Z`, id)
    const { visibility } = await series(id, { from: day, to: day })
    expect(visibility).toHaveLength(1)
    const [snapshot] = visibility
    expect(snapshot).toMatchObject({ day, catalogId: id, version: 1, complete: true, lag: 0, since: null })
    const stood = { valid: 3, feedReady: 3, unjudged: 0, searchable: 4, change: null }
    expect(channelIn(snapshot, 'search')).toEqual({
      ...{ channel: 'search', recorder: 'callers', offered: 4, ...stood },
      ...{ events: 4, nothing: 1, unnamed: 0, seen: 3, seenAtLeast: false, unknown: 1 },
    })
    expect(channelIn(snapshot, 'tools')).toMatchObject({ events: 1, unnamed: 1, seen: null })
    expect(channelIn(snapshot, 'recommendations')).toMatchObject({ events: 2, unnamed: 1, seen: 1, seenAtLeast: true })
    expect(channelIn(snapshot, 'feed:google')).toMatchObject({
      ...{ recorder: 'assay', offered: 4, valid: 3, events: 2, unnamed: 2, seen: 3, seenAtLeast: true },
    })
    expect(channelIn(snapshot, 'feed:meta')).toMatchObject({
      recorder: 'assay',
      offered: 4,
      events: 0,
      seen: 0,
    })

    const met = await products(id, 'search', { day })
    expect(met).toMatchObject({ day, since: null, channel: 'search', of: 4, unnamed: 0, next: null })
    expect(met.products.map((one: Told) => [one.sku, one.appearances, one.share, one.change])).toEqual([
      ['A-1', 2, 0.5, null],
      ...['A-2', 'A-4'].sort((a, b) => (of(a) < of(b) ? -1 : 1)).map((sku) => [sku, 1, 0.25, null]),
    ])
  })

  test('judges what is published, not what it was edited into since', async () => {
    const { id, ids } = await published([good('E-1'), good('E-2')])
    await assay.call('PATCH', `${base}/catalog/products/${ids.get('E-1')}`, { price: null })
    await daily(`${today}T00:20:00.000Z`, id)
    const [snapshot] = (await series(id)).visibility
    expect(channelIn(snapshot, 'feed:google')).toMatchObject({ offered: 2, valid: 1, unjudged: 1, events: 0, seen: 0 })
  })

  test('counts events that name no catalog for the default catalog of their brand, and for no other', async () => {
    const { id } = await published([good('D-1')])
    await happened(null, ago(1), [{ products: ['D-1'] }])
    await daily(`${today}T00:20:00.000Z`, id)
    expect(channelIn((await series(id)).visibility[0], 'search')).toMatchObject({ events: 0, seen: null })
    const pool = assay.system.catalog.pipeline
    await pool.query('update catalog set is_default = false where brand_id = $1', [brand])
    await pool.query('update catalog set is_default = true where catalog_id = $1', [id])
    const again = at(`${today}T00:30:00.000Z`)
    const job = await again.start({ workspace, brand, catalog: id, version: 1, by: 'test', notify: null }, ago(1))
    await again.run(job, signal)
    expect(channelIn((await series(id)).visibility[0], 'search')).toMatchObject({ events: 1, seen: 1 })
  })
})

test('a snapshot counts as one who looks at each event does, repeats and odd names included', async () => {
  const { id, ids } = await published([good('N-1'), good('N-2'), good('N-3'), good('N-4'), good('N-5')])
  const next = mulberry32(9)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const skus = [...ids.keys()]
  const odd = ["n'; --", '%', 'N-1 ', 'n-1', randomUUID(), '{x:String}', 'Ω🧦']
  const names = [...skus, ...skus.slice(0, 3).map((sku) => ids.get(sku) ?? ''), ...odd]
  const types = ['search', 'search_zero_hit', 'tool_call', 'recommendation_shown', 'product_view'] as const
  const all = Array.from({ length: 400 }, () => {
    const products = Array.from({ length: Math.floor(next() * 4) }, () => pick(names))
    return { id: randomUUID(), type: pick(types), ...(products.length > 0 && { products }) }
  })
  await happened(id, ago(1), [...all, ...all.slice(0, 50)])
  await daily(`${today}T00:20:00.000Z`, id)
  const [snapshot] = (await series(id)).visibility
  const skuOf = new Map([...ids].map(([sku, product]) => [product, sku]))
  const channels = [
    ['search', ['search', 'search_zero_hit']],
    ['tools', ['tool_call']],
    ['recommendations', ['recommendation_shown']],
  ] as const
  for (const [channel, of] of channels) {
    const own = all.filter(({ type }) => of.some((one) => one === type))
    const appearances = new Map<string, number>()
    const strange = new Set<string>()
    // An event that names a product by its id and by its SKU met it once.
    for (const { products: named = [] } of own) {
      const met = named.map((name) => skuOf.get(name) ?? (ids.has(name) ? name : null))
      for (const [i, sku] of met.entries()) if (sku === null) strange.add(named[i] ?? '')
      for (const sku of new Set(met)) if (sku !== null) appearances.set(sku, (appearances.get(sku) ?? 0) + 1)
    }
    const nothing = own.filter(({ type }) => type === 'search_zero_hit').length
    const unnamed = own.filter(({ type, products: named }) => type !== 'search_zero_hit' && !named).length
    expect(channelIn(snapshot, channel)).toMatchObject({
      ...{ events: own.length, nothing, unnamed, seen: appearances.size, unknown: strange.size },
    })
    const { products: met } = await products(id, channel)
    expect(new Map(met.map((one: Told) => [one.sku, one.appearances]))).toEqual(appearances)
  }
})

describe('the series', () => {
  test('has each day once, tells the days that nobody saw, and the change since the last one', async () => {
    const { id, ids } = await published([good('S-1'), good('S-2'), good('S-3')])
    await happened(id, ago(6), [{ products: ['S-1'] }, { products: ['S-1', 'S-2'] }])
    await happened(id, ago(4), [{ products: ['S-1', 'S-3'] }, {}, {}, { products: ['S-3'] }])
    expect(await daily(`${ago(5)}T00:10:00.000Z`, id)).toHaveLength(0)
    expect(await daily(`${ago(5)}T00:15:00.000Z`, id)).toHaveLength(1)
    expect(await daily(`${ago(5)}T23:15:00.000Z`, id)).toHaveLength(0)
    expect(await daily(`${ago(3)}T00:15:00.000Z`, id)).toHaveLength(1)
    const days = { from: ago(7), to: ago(3) }
    const { visibility, missing } = await series(id, days)
    expect(visibility.map((one: Told) => [one.day, one.since])).toEqual([
      [ago(6), null],
      [ago(4), ago(6)],
    ])
    expect(missing).toEqual([ago(7), ago(5), ago(3)])
    expect(channelIn(visibility[1], 'search')).toMatchObject({
      ...{ events: 4, unnamed: 2, seen: 2, seenAtLeast: true },
      change: { offered: 0, valid: 0, feedReady: 0, searchable: 0, events: 2, seen: 0 },
    })
    expect(channelIn(visibility[1], 'tools')).toMatchObject({ seen: null, change: { events: 0, seen: null } })
    const met = (await products(id, 'search', { day: ago(4) })).products
    expect(met.map((one: Told) => [one.productId, one.appearances, one.share, one.change])).toEqual([
      [ids.get('S-3'), 2, 1, { appearances: 2, share: 1 }],
      [ids.get('S-1'), 1, 0.5, { appearances: -1, share: -0.5 }],
    ])

    const pages = []
    for (let after: string | null = ''; after !== null; ) {
      const page = await series(id, { ...days, limit: '2', channel: 'search', ...(after ? { after } : {}) })
      pages.push([page.visibility.map((one: Told) => one.day), page.missing])
      for (const one of page.visibility) expect(one.channels).toHaveLength(1)
      after = page.next
    }
    expect(pages).toEqual([
      [[ago(6)], [ago(7)]],
      [[ago(4)], [ago(5)]],
      [[], [ago(3)]],
    ])
  })

  test('begins where the catalog did, and knows no day that is to come', async () => {
    const { id } = await published([good('B-1')])
    const { visibility, missing, next } = await series(id, { from: '2001-01-01', to: '2999-12-31', limit: '200' })
    expect([visibility, missing.at(0), missing.at(-1), next]).toEqual([[], ago(10), ago(1), null])
  })
})

describe('a snapshot that is being taken', () => {
  test('is gone on with where its process was cut off, and counts nothing twice', async () => {
    const { id } = await published([good('R-1'), good('R-2')])
    const many = Array.from({ length: 30 }, () => ({ products: ['R-1', 'R-2'] }))
    await happened(id, ago(1), many)
    const clock = `${today}T00:20:00.000Z`
    let left = 0
    const cut = {
      ask: (...asked: Parameters<EventStore['ask']>) =>
        left-- > 0 ? assay.system.events.ask(...asked) : Promise.reject(new Error('cut off')),
    } as Pick<EventStore, 'ask'>
    const dying = at(clock, cut)
    while (await dying.auto());
    const own = []
    for (const job of dying.sent) if ((await findJob(assay.system.catalog.pipeline, job))?.catalog === id) own.push(job)
    const [job = ''] = own
    for (const steps of [0, 1]) await expect(dying.run(job, cutOffAfter(steps))).rejects.toThrow('cut off')
    for (const questions of [0, 1, 1]) {
      left = questions
      await expect(dying.run(job, signal)).rejects.toThrow('cut off')
    }
    await at(clock).run(job, signal)
    await at(clock).run(job, signal)
    expect((await findJob(assay.system.catalog.pipeline, job))?.status).toBe('completed')
    const { products: met } = await products(id, 'search')
    expect(met.map((one: Told) => one.appearances)).toEqual([30, 30])
    const { rows } = await assay.system.catalog.pipeline.query('select from visibility_build where job_id = $1', [job])
    expect(rows).toHaveLength(0)
  })

  test('waits for an event store that is away, and is given up when its day is long over', async () => {
    const { id } = await published([good('W-1')])
    const away = { ask: () => Promise.reject(new EventsAway('away')) }
    const clock = `${today}T00:20:00.000Z`
    const order = { workspace, brand, catalog: id, version: 1, by: 'test', notify: null }
    const job = await at(clock).start(order, ago(1))
    await expect(at(clock, away).run(job, signal)).rejects.toBeInstanceOf(NotYet)
    await expect(at(clock).start(order, ago(1))).rejects.toMatchObject({ code: 'JOB_ALREADY_RUNNING' })
    await at(`${daysAfter(today, 1)}T00:00:00.001Z`).run(job, signal)
    expect((await findJob(assay.system.catalog.pipeline, job))?.error?.code).toBe('too_late')
    expect((await series(id, { from: ago(1) })).missing).toEqual([ago(1)])
  })
})

test('single products of old snapshots go, and the series stays', async () => {
  const { id } = await published([good('O-1')])
  await happened(id, ago(1), [{ products: ['O-1'] }])
  await daily(`${today}T00:20:00.000Z`, id)
  const pool = assay.system.catalog.pipeline
  await sweepVisible(pool, 90, new Date(Date.parse(`${ago(1)}T00:00:00Z`) + 90 * 86_400_000))
  expect((await products(id, 'search')).products).toHaveLength(1)
  await sweepVisible(pool, 90, new Date(Date.parse(`${ago(1)}T00:00:00Z`) + 91 * 86_400_000))
  expect((await products(id, 'search')).products).toHaveLength(0)
  expect(channelIn((await series(id)).visibility[0], 'search')).toMatchObject({ seen: 1 })
})
