import { randomUUID } from 'node:crypto'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownEventDays } from '../../../infra/catalog/event-days.ts'
import { hasWritten } from '../../../infra/catalog/event-store-id.ts'
import type { Epoch } from '../../../infra/catalog/migrate.ts'
import { expireEvents } from '../../../infra/events/expire.ts'
import { type EventStore, EventsAway } from '../../../infra/events/port.ts'
import { eventsGroup, startEventSink } from '../../../infra/system/event-sink.ts'
import { expireKept } from '../../../infra/system/expiring.ts'
import { moveLog } from '../../../infra/system/move-log.ts'
import { openEpoch } from '../../../infra/system/open-epoch.ts'
import { deadLetter, topics } from '../../../schemas/topics.ts'
import { enough } from '../../enough.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

const roles = ['api', 'jobs', 'transforms', 'events'] as const
let assay: Running
beforeEach(async () => {
  assay = await startAssay({}, { roles })
})
afterEach(() => assay.close())

const send = (events: readonly object[]) =>
  assay.call('POST', '/api/v1/events', Buffer.from(JSON.stringify(events)), { 'content-type': 'application/json' })

async function count(one = assay): Promise<{ value: number; lag: number }> {
  const body = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 }
  const answer = await one.call('POST', `/api/workspace/${workspace}/dashboards/aggregate?fresh=true`, body)
  if (answer.status !== 200) throw new Error(answer.text)
  return { value: answer.body.rows[0].value, lag: answer.body.lag }
}
const comesTo = (value: number, one = assay) =>
  expect.poll(() => count(one).catch(() => null), { timeout: 50_000, interval: 200 }).toEqual({ value, lag: 0 })

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
  await comesTo(singles)
  // Of each partition two a second at most, however slow the machine is.
  expect(blocks).toBeLessThan(Math.max(40, ((performance.now() - begun) / 1_000) * 8))
})

test('a store that is away costs freshness alone: what is sent meanwhile is counted when it is back', async () => {
  await send(some(2))
  await comesTo(2)
  const { events } = assay.system
  const insert = events.insert
  const away = async () => {
    throw new EventsAway('the event store does not answer')
  }
  Object.assign(events, { insert: away })
  expect((await send(some(5))).status).toBe(202)
  // Seconds, since the first of them was taken.
  await expect
    .poll(() => count(), { timeout: 10_000 })
    .toEqual({ value: 2, lag: expect.toSatisfy((lag) => lag >= 2 && lag < 60) })
  Object.assign(events, { insert })
  await comesTo(7)
})

test('what is no event is put aside with its reason, and its neighbours are counted', async () => {
  const { log } = assay.system
  await log.append(topics.events, [{ key: randomUUID(), value: 'no event' }])
  await send(some(3))
  await log.append(topics.events, [{ key: randomUUID(), value: JSON.stringify({ v: 2 }) }])
  await comesTo(3)
  expect((await told()).map(({ reason, kind }) => `${kind} ${reason}`).sort()).toEqual([
    'not_json it is no JSON',
    expect.stringMatching(/^unknown_version v: /),
  ])
})

/** What stands on the dead topic. */
async function told(one = assay) {
  const { log } = one.system
  const topic = deadLetter(topics.events)
  const letters = []
  for (const partition of (await log.ends(topic)).keys()) letters.push(...(await log.read(topic, partition, 0, 10)))
  return letters.map(({ value }) => JSON.parse(value.toString()))
}
const letters = async (one = assay, headers = {}) =>
  (await one.call('GET', `/api/workspace/${workspace}/dead-letters?topic=events.agent`, undefined, headers)).body

const unread = () => ({ key: randomUUID(), value: JSON.stringify({ v: 2, workspace, brand: randomUUID() }) })

test('an event that nobody can read is a dead letter of its workspace alone, told once however often the store is filled', async () => {
  const { log } = assay.system
  const elsewhere = { key: randomUUID(), value: JSON.stringify({ v: 2, workspace: 'ws_other' }) }
  await log.append(topics.events, [unread(), elsewhere])
  await send(some(2))
  await comesTo(2)
  await expect.poll(async () => (await letters()).deadLetters.length, { timeout: 10_000 }).toBe(1)
  const { deadLetters, kinds } = await letters()
  expect(kinds).toMatchObject([{ kind: 'unknown_version', count: 1 }])
  expect(deadLetters).toMatchObject([{ topic: 'events.agent', state: 'dead', attempts: 1 }])
  const one = await assay.call('GET', `/api/workspace/${workspace}/dead-letters/${deadLetters[0].id}`)
  expect(one.body).toMatchObject({ record: { v: 2, workspace }, attempts: [{ result: 'dead' }], missing: null })
  await assay.stop()
  await rm(join(assay.config.dataFolder, 'events'), { recursive: true })
  const again = await startAssay({}, { roles, beside: assay })
  try {
    await comesTo(2, again)
    expect((await letters(again)).deadLetters).toEqual(deadLetters)
    expect(await told(again)).toHaveLength(2)
  } finally {
    await again.stop()
  }
})

test('an event that can be read by now is sent again by a redrive, and is the same one; one that cannot stays dead', async () => {
  const { log, catalog } = assay.system
  await send(some(1))
  await comesTo(1)
  const partition = (await log.ends(topics.events)).indexOf(1)
  // As an Assay has buried it that could not read it.
  await catalog.pipeline.query(
    `insert into dead_record (epoch, topic, partition, "offset", workspace_id, reason, kind, attempts) values ($1, $2, $3, 0, $4, 'v: 1', 'unknown_version', 1)`,
    [log.epoch, topics.events, partition, workspace],
  )
  await log.append(topics.events, [unread()])
  await expect.poll(async () => (await letters()).deadLetters.length, { timeout: 10_000 }).toBe(2)
  const redrive = async (more: object) => {
    const body = { topic: topics.events, ...more }
    const { body: started } = await assay.call('POST', `/api/workspace/${workspace}/dead-letters/redrive`, body)
    return (await assay.job(started.job.id)).result
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
  expect((await log.ends(topics.events)).reduce((sum, end) => sum + end)).toBe(3)
  await comesTo(1)
})

test('a store that was lost is filled again from the log, and counts each event once', async () => {
  await send(some(40))
  await comesTo(40)
  await assay.stop()
  const folder = join(assay.config.dataFolder, 'events')
  await rename(folder, `${folder}-lost`)
  const again = await startAssay({}, { roles, beside: assay })
  try {
    await comesTo(40, again)
  } finally {
    await again.stop()
    await rm(`${folder}-lost`, { recursive: true })
  }
})

/** Every answer until all are counted; each says that it is not whole, or is. */
async function honestTo(value: number, one: Running): Promise<void> {
  await expect
    .poll(
      async () => {
        const told = await count(one).catch(() => null)
        if (told && told.lag === 0) expect(told.value).toBe(value)
        return told
      },
      { timeout: 50_000, interval: 20 },
    )
    .toEqual({ value, lag: 0 })
}

test('the first answers of a store that came back empty say that they are not whole, and none of them is kept', async () => {
  await send(some(2_000))
  await comesTo(2_000)
  await assay.stop()
  await rm(join(assay.config.dataFolder, 'events'), { recursive: true })
  const again = await startAssay({}, { roles, beside: assay })
  try {
    await honestTo(2_000, again)
  } finally {
    await again.stop()
  }
})

test('a store that was put back from an earlier copy is filled again from where it ends', async () => {
  const folder = join(assay.config.dataFolder, 'events')
  await send(some(10))
  await comesTo(10)
  await assay.stop()
  await cp(folder, `${folder}-copy`, { recursive: true })
  const between = await startAssay({}, { roles, beside: assay })
  await between.call('POST', '/api/v1/events', Buffer.from(JSON.stringify(some(30))), {
    'content-type': 'application/json',
  })
  await comesTo(40, between)
  const { rows: before } = await between.system.events.ask(
    'select id from assay_store',
    {},
    { seconds: 5, memoryBytes: 1e9 },
  )
  await between.stop()
  await rm(folder, { recursive: true })
  await rename(`${folder}-copy`, folder)
  const again = await startAssay({}, { roles, beside: assay })
  try {
    await honestTo(40, again)
    const { rows } = await again.system.events.ask('select id from assay_store', {}, { seconds: 5, memoryBytes: 1e9 })
    expect(rows).toEqual(before)
  } finally {
    await again.stop()
  }
})

test('a longer time brings nothing back of what is gone, and what comes after it stays', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const keep = (keep_days: number | null) =>
    assay.call('PUT', `/api/workspace/${workspace}/settings/events`, { keep_days })
  await send([2, 12, 25].map((days) => ({ type: 'order', time: daysAgo(days) })))
  await comesTo(3)
  await keep(10)
  await expireKept({ catalog: assay.system.catalog, events: assay.system.events }, new Date())
  await keep(400)
  await send([{ type: 'order', time: daysAgo(13) }])
  await expect.poll(async () => (await stored()).length, { timeout: 20_000 }).toBe(2)
  const kept = await stored()
  await assay.stop()
  await rm(join(assay.config.dataFolder, 'events'), { recursive: true })
  const again = await startAssay({}, { roles, beside: assay })
  try {
    await comesTo(2, again)
    expect(await stored(again)).toEqual(kept)
  } finally {
    await again.stop()
  }
})

const stored = async (one = assay) =>
  (await one.system.events.ask('select id from events final order by id', {}, { seconds: 5, memoryBytes: 1e9 })).rows

test('who has few events is told nothing of how many others have', async () => {
  const read = async () => {
    const body = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 }
    return (await assay.call('POST', `/api/workspace/${workspace}/dashboards/aggregate?fresh=true`, body)).body
  }
  await send(some(123))
  await comesTo(123)
  const { snapshot } = await read()
  expect(snapshot).toMatch(/^[\w-]{22}$/)
  const { events } = assay.system
  Object.assign(events, {
    insert: async () => {
      throw new EventsAway('the event store does not answer')
    },
  })
  await send(some(5_000))
  await expect.poll(async () => (await read()).lag, { timeout: 10_000 }).toBeGreaterThan(0)
  expect((await read()).lag).toBeLessThan(60)
})

test('events that their workspace keeps no longer are removed, whenever it said so, and a refill does not bring them back', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await send([2, 8, 12, 25].map((days) => ({ type: 'order', time: daysAgo(days) })))
  await comesTo(4)
  const limits = { seconds: 5, memoryBytes: 1e9 }
  const { pool, events } = { pool: assay.system.catalog.pipeline, events: assay.system.events }
  /** Those that are kept, asked of the store itself: an answer that was given is given again for a while. */
  const left = async () => {
    const { rows } = await events.ask<{ n: string }>('select count() as n from events final', {}, limits)
    return Number(rows[0]?.n)
  }
  await expireEvents(events, await ownEventDays(pool), new Date())
  expect(await left()).toBe(4)
  const keep = (keep_days: number | null) =>
    assay.call('PUT', `/api/workspace/${workspace}/settings/events`, { keep_days })
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
  await assay.stop()
  await rm(join(assay.config.dataFolder, 'events'), { recursive: true })
  const again = await startAssay({}, { roles, beside: assay })
  try {
    // The log has all five; of these the one of eight days ago was removed by a clock that was ahead.
    await comesTo(3, again)
  } finally {
    await again.stop()
  }
})

test('what was sent before a move of the log is counted after it, with what is sent since', async () => {
  await send(some(20))
  const { system } = assay
  const prepare = (next: Epoch) => openEpoch(system.config, next, system.catalog.pipeline)
  await moveLog({ ...system, prepare }, { engine: 'postgres', partitions: 7 }, () => {})
  await assay.stop()
  await rm(join(assay.config.dataFolder, 'events'), { recursive: true, force: true })
  const moved = await startAssay({ ASSAY_LOG_PARTITIONS: '7' }, { roles, beside: assay })
  try {
    // Asked again and again while the former epoch is read anew: no answer of before is given for what is counted by then.
    await comesTo(20, moved)
    await moved.call('POST', '/api/v1/events', Buffer.from(JSON.stringify(some(1))), {
      'content-type': 'application/json',
    })
    // Most partitions have nothing new, and they are no lag.
    await comesTo(21, moved)
  } finally {
    await moved.stop()
  }
})

test('a customer that was erased is in no event, and who comes later under that id is another', async () => {
  const customer_id = 'jane@example.com'
  await send([
    { type: 'order', customer_id },
    { type: 'search', customer_id },
  ])
  const erase = () => assay.call('POST', `/api/workspace/${workspace}/customers/erase`, { customer_id })
  await comesTo(2)
  expect([(await erase()).body, (await erase()).body]).toEqual([{ erased: true }, { erased: false }])
  await send([{ type: 'order', customer_id }])
  await comesTo(3)
  const sql = 'select customer_id as name, count() as count from events final group by name order by count'
  const { rows } = await assay.system.events.ask<{ name: string; count: string }>(
    sql,
    {},
    { seconds: 5, memoryBytes: 1e9 },
  )
  expect(rows.map(({ count }) => count)).toEqual(['1', '2'])
  expect(rows.every(({ name }) => /^[0-9a-f]{32}$/.test(name))).toBe(true)
  const { log, catalog } = assay.system
  for (let partition = 0; partition < log.partitions; partition++)
    for (const { value } of await log.read(topics.events, partition, 0, 10))
      expect(value.toString()).not.toContain('jane')
  const { rows: audited } = await catalog.pipeline.query('select * from audit')
  expect(JSON.stringify(audited)).toContain('customer.erase')
  expect(JSON.stringify(audited)).not.toContain('jane')
})

test('who reads a feed is recorded by the agent that they are', async () => {
  const catalog = await assay.newCatalog()
  await assay.call('POST', `/api/workspace/${workspace}/catalog/products`, {
    ...{ catalog_id: catalog, sku: 'M-1', title: 'Enamel mug', price: 12.5, currency: 'EUR', brand: 'Lumo' },
    ...{ availability: 'in_stock', link: 'https://shop.example/m', image_urls: ['https://shop.example/m.jpg'] },
    ...{ description: 'A mug', condition: 'new' },
  })
  await assay.publish(catalog)
  await assay.call('GET', `/api/mcp/feed/google?catalog_id=${catalog}`, undefined, {
    accept: 'application/x-ndjson',
    'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  })
  await comesTo(1)
  const sql = 'select type, catalog, agent_name, agent_version, agent_kind, quantity, metadata from events'
  const { rows } = await assay.system.events.ask(sql, {}, { seconds: 5, memoryBytes: 1e9 })
  expect(rows).toEqual([
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

test('the store is not started for a system without events', async () => {
  const { catalog, log, events } = assay.system
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
  startEventSink({ pool: catalog.pipeline, log, store, share, member: null, onError: () => {} })
  await done
  expect([asked, await hasWritten(catalog.pipeline, eventsGroup)]).toEqual([0, false])
})
