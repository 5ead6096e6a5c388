import { randomUUID } from 'node:crypto'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { ownEventDays } from '../../../infra/catalog/event-days.ts'
import { hasWritten } from '../../../infra/catalog/event-store-id.ts'
import type { Epoch } from '../../../infra/catalog/migrate.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { expireEvents } from '../../../infra/events/expire.ts'
import { type EventStore, EventsAway } from '../../../infra/events/port.ts'
import { eventsGroup, startEventSink } from '../../../infra/system/event-sink.ts'
import { expireKept } from '../../../infra/system/expiring.ts'
import { openFreshLines } from '../../../infra/system/fresh-lines.ts'
import { moveLog } from '../../../infra/system/move-log.ts'
import { openEpoch } from '../../../infra/system/open-epoch.ts'
import { deadLetter, topics } from '../../../schemas/topics.ts'
import { enough } from '../../enough.ts'
import { type Running, startAssay } from '../../running.ts'

const roles = ['api', 'jobs', 'transforms', 'events'] as const
/** To start one with its store takes longer than most of the tests: they follow one another on its data, each in a workspace of its own. */
let first: Running | null = null
let assay: Running
let workspace: string
let as: Readonly<Record<string, string>>
let env: Readonly<Record<string, string>> = {}
beforeEach(async () => {
  if (!first) assay = first = await startAssay({}, { roles })
  workspace = `ws_${randomUUID().slice(0, 8)}`
  await ensureWorkspace(assay.system.catalog.pipeline, workspace, 'Of one test')
  as = { authorization: `Bearer ${await assay.token('admin', { workspace })}` }
})
// What one that failed left behind is nobody else's ground.
afterEach(({ task }) => (task.result?.state === 'fail' ? end() : undefined))
afterAll(() => end())

async function end() {
  if (assay !== first) await assay.stop()
  await first?.close()
  first = null
  env = {}
}

/** Ended and started anew on the same data. */
async function startAgain(meanwhile: () => Promise<unknown>, more: typeof env = {}): Promise<void> {
  await assay.stop()
  await meanwhile()
  env = { ...env, ...more }
  assay = await startAssay({ ...env }, { roles, beside: assay })
}
const folder = () => join(assay.config.dataFolder, 'events')
const withoutStore = () => startAgain(() => rm(folder(), { recursive: true }))

/** As every test asks, in its own workspace. */
const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, headers: Record<string, string> = {}) =>
  assay.call(method, path.replace(/^\/w\//, `/api/workspace/${workspace}/`), body, { ...as, ...headers })

const send = (events: readonly object[]) =>
  call('POST', '/api/v1/events', Buffer.from(JSON.stringify(events)), { 'content-type': 'application/json' })

async function count(): Promise<{ value: number; lag: number }> {
  const body = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 }
  const answer = await call('POST', '/w/dashboards/aggregate?fresh=true', body)
  if (answer.status !== 200) throw new Error(answer.text)
  return { value: answer.body.rows[0].value, lag: answer.body.lag }
}
const comesTo = (value: number) =>
  expect.poll(() => count().catch(() => null), { timeout: 50_000, interval: 200 }).toEqual({ value, lag: 0 })

const limits = { seconds: 5, memoryBytes: 1e9 }
/** Asked of the store itself: an answer that was given is given again for a while. */
const ask = async (select: string, more = '') => {
  const sql = `select ${select} from events final where workspace = {workspace:String} ${more}`
  return (await assay.system.events.ask<Record<string, string>>(sql, { workspace }, limits)).rows
}
const stored = () => ask('id', 'order by id')

async function ended(id: string) {
  const job = async () => (await call('GET', `/jobs/${id}`)).body.job
  await expect.poll(async () => (await job()).status, { timeout: 20_000 }).toBe('completed')
  return job()
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const keep = (keep_days: number | null) => call('PUT', '/w/settings/events', { keep_days })

/** What the store says to whoever inserts while the work lasts. */
async function whileAway(work: () => Promise<void>): Promise<void> {
  const { events } = assay.system
  const { insert } = events
  Object.assign(events, {
    insert: async () => {
      throw new EventsAway('the event store does not answer')
    },
  })
  await work().finally(() => Object.assign(events, { insert }))
}

const some = (n: number) => Array.from({ length: n }, () => ({ type: 'order', session_id: randomUUID() }))

test('events that come singly are written in few blocks (KF-50)', async () => {
  let blocks = 0
  const { events } = assay.system
  const insert = events.insert
  Object.assign(events, {
    insert: (...asked: Parameters<EventStore['insert']>) => {
      blocks++
      return insert(...asked)
    },
  })
  const begun = performance.now()
  const singles = enough(150, 300)
  for (let i = 0; i < singles; i++) await send(some(1))
  await comesTo(singles).finally(() => Object.assign(events, { insert }))
  // Of each partition two a second at most, however slow the machine is.
  expect(blocks).toBeLessThan(Math.max(40, ((performance.now() - begun) / 1_000) * 8))
})

test('a store that is away costs freshness alone: what is sent meanwhile is counted when it is back', async () => {
  await send(some(2))
  await comesTo(2)
  await whileAway(async () => {
    expect((await send(some(5))).status).toBe(202)
    // Seconds, since the first of them was taken.
    await expect
      .poll(() => count(), { timeout: 10_000 })
      .toEqual({ value: 2, lag: expect.toSatisfy((lag) => lag >= 2 && lag < 60) })
  })
  await comesTo(7)
})

/** What stands on the dead topic of the records that have these keys. */
async function told(keys: readonly string[]) {
  const { log } = assay.system
  const topic = deadLetter(topics.events)
  const letters = []
  for (const partition of (await log.ends(topic)).keys()) letters.push(...(await log.read(topic, partition, 0, 100)))
  return letters.map(({ value }) => JSON.parse(value.toString())).filter(({ key }) => keys.includes(key))
}
const letters = async () => (await call('GET', '/w/dead-letters?topic=events.agent')).body

test('what is no event is put aside with its reason, and its neighbours are counted', async () => {
  const { log } = assay.system
  const records = ['no event', JSON.stringify({ v: 2 })].map((value) => ({ key: randomUUID(), value }))
  await log.append(topics.events, records.slice(0, 1))
  await send(some(3))
  await log.append(topics.events, records.slice(1))
  await comesTo(3)
  const found = await told(records.map(({ key }) => key))
  expect(found.map(({ reason, kind }) => `${kind} ${reason}`).sort()).toEqual([
    'not_json it is no JSON',
    expect.stringMatching(/^unknown_version v: /),
  ])
})

const unread = (of = workspace) => ({
  key: randomUUID(),
  value: JSON.stringify({ v: 2, workspace: of, brand: randomUUID() }),
})

test('an event that nobody can read is a dead letter of its workspace alone, told once however often the store is filled', async () => {
  const { log } = assay.system
  const records = [unread(), unread('ws_other')]
  await log.append(topics.events, records)
  await send(some(2))
  await comesTo(2)
  await expect.poll(async () => (await letters()).deadLetters.length, { timeout: 10_000 }).toBe(1)
  const { deadLetters, kinds } = await letters()
  expect(kinds).toMatchObject([{ kind: 'unknown_version', count: 1 }])
  expect(deadLetters).toMatchObject([{ topic: 'events.agent', state: 'dead', attempts: 1 }])
  const one = await call('GET', `/w/dead-letters/${deadLetters[0].id}`)
  expect(one.body).toMatchObject({ record: { v: 2, workspace }, attempts: [{ result: 'dead' }], missing: null })
  await withoutStore()
  await comesTo(2)
  expect((await letters()).deadLetters).toEqual(deadLetters)
  expect(await told(records.map(({ key }) => key))).toHaveLength(2)
})

test('an event that can be read by now is sent again by a redrive, and is the same one; one that cannot stays dead', async () => {
  const { log, catalog } = assay.system
  const before = await log.ends(topics.events)
  await send(some(1))
  await comesTo(1)
  const partition = (await log.ends(topics.events)).findIndex((end, i) => end > (before[i] ?? 0))
  // As an Assay has buried it that could not read it.
  await catalog.pipeline.query(
    `insert into dead_record (epoch, topic, partition, "offset", workspace_id, reason, kind, attempts) values ($1, $2, $3, $4, $5, 'v: 1', 'unknown_version', 1)`,
    [log.epoch, topics.events, partition, before[partition], workspace],
  )
  await log.append(topics.events, [unread()])
  await expect.poll(async () => (await letters()).deadLetters.length, { timeout: 10_000 }).toBe(2)
  const redrive = async (more: object) => {
    const { body } = await call('POST', '/w/dead-letters/redrive', { topic: topics.events, ...more })
    return (await ended(body.job.id)).result
  }
  expect(await redrive({ dry_run: true })).toMatchObject({ matched: 2, created: 1, stillDead: 1 })
  expect(await redrive({})).toMatchObject({ matched: 2, redriven: 1, stillDead: 1, reasons: { unknown_version: 1 } })
  expect(
    (await letters()).deadLetters.map(({ state, attempts }: { state: string; attempts: number }) => [state, attempts]),
  ).toEqual(
    expect.arrayContaining([
      ['redriven', 2],
      ['dead', 2],
    ]),
  )
  const sum = (ends: readonly number[]) => ends.reduce((all, end) => all + end)
  expect(sum(await log.ends(topics.events)) - sum(before)).toBe(3)
  await comesTo(1)
})

/** Every answer until all are counted; each says that it is not whole, or is. */
async function honestTo(value: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const told = await count().catch(() => null)
        if (told && told.lag === 0) expect(told.value).toBe(value)
        return told
      },
      { timeout: 50_000, interval: 20 },
    )
    .toEqual({ value, lag: 0 })
}

test('a store that was lost is filled again from the log, and counts each event once; its first answers say that they are not whole, and none of them is kept', async () => {
  await send(some(2_000))
  await comesTo(2_000)
  await withoutStore()
  await honestTo(2_000)
})

test('a store that was put back from an earlier copy is filled again from where it ends', async () => {
  const storeId = async () => (await assay.system.events.ask('select id from assay_store', {}, limits)).rows
  await send(some(10))
  await comesTo(10)
  await startAgain(() => cp(folder(), `${folder()}-copy`, { recursive: true }))
  await send(some(30))
  await comesTo(40)
  const before = await storeId()
  await startAgain(async () => {
    await rm(folder(), { recursive: true })
    await rename(`${folder()}-copy`, folder())
  })
  await honestTo(40)
  expect(await storeId()).toEqual(before)
})

test('a longer time brings nothing back of what is gone, and what comes after it stays', async () => {
  await send([2, 12, 25].map((days) => ({ type: 'order', time: daysAgo(days) })))
  await comesTo(3)
  await keep(10)
  await expireKept({ catalog: assay.system.catalog, events: assay.system.events }, new Date())
  await keep(400)
  await send([{ type: 'order', time: daysAgo(13) }])
  await expect.poll(async () => (await stored()).length, { timeout: 20_000 }).toBe(2)
  const kept = await stored()
  await withoutStore()
  await comesTo(2)
  expect(await stored()).toEqual(kept)
})

test('who has few events is told nothing of how many others have', async () => {
  const read = async () => {
    const body = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 }
    return (await call('POST', '/w/dashboards/aggregate?fresh=true', body)).body
  }
  await send(some(123))
  await comesTo(123)
  const { snapshot } = await read()
  expect(snapshot).toMatch(/^[\w-]{22}$/)
  await whileAway(async () => {
    await send(some(5_000))
    await expect.poll(async () => (await read()).lag, { timeout: 10_000 }).toBeGreaterThan(0)
    expect((await read()).lag).toBeLessThan(60)
  })
})

test('events that their workspace keeps no longer are removed, whenever it said so, and a refill does not bring them back', async () => {
  await send([2, 8, 12, 25].map((days) => ({ type: 'order', time: daysAgo(days) })))
  await comesTo(4)
  const { pool, events } = { pool: assay.system.catalog.pipeline, events: assay.system.events }
  const left = async () => (await stored()).length
  await expireEvents(events, await ownEventDays(pool), new Date())
  expect(await left()).toBe(4)
  expect((await keep(10)).body).toEqual({ events: { keepDays: 10, isDefault: false } })
  await expireEvents(events, await ownEventDays(pool), new Date())
  expect(await left()).toBe(2)
  await expireEvents(events, await ownEventDays(pool), new Date(Date.now() + 5 * 86_400_000))
  expect(await left()).toBe(1)
  const late = await send([{ type: 'order', time: daysAgo(11) }, { type: 'order' }])
  expect([late.body.accepted, late.body.refused[0].message]).toEqual([
    1,
    expect.stringMatching(/^is more than 10 days/),
  ])
  await expect.poll(left, { timeout: 20_000 }).toBe(2)
  await withoutStore()
  // The log has all five; of these the one of eight days ago was removed by a clock that was ahead.
  await comesTo(3)
})

test('a customer that was erased is in no event, and who comes later under that id is another', async () => {
  const { log, catalog } = assay.system
  const before = await log.ends(topics.events)
  const customer_id = 'jane@example.com'
  await send([
    { type: 'order', customer_id },
    { type: 'search', customer_id },
  ])
  const erase = () => call('POST', '/w/customers/erase', { customer_id })
  await comesTo(2)
  expect([(await erase()).body, (await erase()).body]).toEqual([{ erased: true }, { erased: false }])
  await send([{ type: 'order', customer_id }])
  await comesTo(3)
  const rows = await ask('customer_id as name, count() as count', 'group by name order by count')
  expect(rows.map(({ count }) => count)).toEqual(['1', '2'])
  expect(rows.every(({ name }) => /^[0-9a-f]{32}$/.test(name ?? ''))).toBe(true)
  const records = []
  for (const [partition, from] of before.entries())
    records.push(...(await log.read(topics.events, partition, from, 10)))
  expect(records).toHaveLength(3)
  for (const { value } of records) expect(value.toString()).not.toContain('jane')
  const { rows: audited } = await catalog.pipeline.query('select * from audit')
  expect(JSON.stringify(audited)).toContain('customer.erase')
  expect(JSON.stringify(audited)).not.toContain('jane')
})

test('who reads a feed is recorded by the agent that they are', async () => {
  const catalog = (await call('POST', '/w/catalogs', { name: 'Mugs' })).body.catalog.id
  await call('POST', '/w/catalog/products', {
    ...{ catalog_id: catalog, sku: 'M-1', title: 'Enamel mug', price: 12.5, currency: 'EUR', brand: 'Lumo' },
    ...{ availability: 'in_stock', link: 'https://shop.example/m', image_urls: ['https://shop.example/m.jpg'] },
    ...{ description: 'A mug', condition: 'new' },
  })
  await ended((await call('POST', `/w/catalogs/${catalog}/publish`, {})).body.job.id)
  await call('GET', `/api/mcp/feed/google?catalog_id=${catalog}`, undefined, {
    accept: 'application/x-ndjson',
    'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  })
  await comesTo(1)
  expect(await ask('type, catalog, agent_name, agent_version, agent_kind, quantity, metadata')).toEqual([
    {
      ...{ type: 'feed_read', catalog, agent_name: 'OpenAI', agent_version: '1.2', agent_kind: 'crawler' },
      quantity: '1',
      metadata: {
        ...{ platform: 'google', form: 'ndjson', complete: 'true', lines: '1' },
        ...{ bytes: expect.stringMatching(/^\d+$/), position: expect.stringMatching(/^t\.\d+\.1\./) },
      },
    },
  ])
})

test('what was sent before a move of the log is counted after it, with what is sent since', async () => {
  await send(some(20))
  const { system } = assay
  const prepare = (next: Epoch) => openEpoch(system.config, next, system.catalog.pipeline)
  await moveLog({ ...system, prepare }, { engine: 'postgres', partitions: 7 }, () => {})
  await startAgain(() => rm(folder(), { recursive: true, force: true }), { ASSAY_LOG_PARTITIONS: '7' })
  // Asked again and again while the former epoch is read anew: no answer of before is given for what is counted by then.
  await comesTo(20)
  await send(some(1))
  // Most partitions have nothing new, and they are no lag.
  await comesTo(21)
})

test('the store is not started for a system without events', async () => {
  const { system, close } = await startAssay({}, { roles: ['api'] })
  const { catalog, log, events } = system
  let asked = 0
  const store = new Proxy(events, {
    get(target, name: keyof EventStore) {
      asked++
      return target[name]
    },
  })
  let done = Promise.resolve()
  const share = {
    join(work: (partition: number, signal: AbortSignal) => Promise<void>) {
      done = work(0, AbortSignal.timeout(300))
      return { leave: async () => {}, isMember: () => true }
    },
  }
  startEventSink({
    pool: catalog.pipeline,
    log,
    store,
    fresh: openFreshLines(log),
    share,
    member: null,
    onError: () => {},
  })
  await done
  expect([asked, await hasWritten(catalog.pipeline, eventsGroup)]).toEqual([0, false])
  await close()
})
