/** What every event store does, whatever keeps it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventStore } from '../../infra/events/port.ts'
import { EventsAway, TooMuch } from '../../infra/events/port.ts'
import { type AgentEvent, numberFields } from '../../schemas/event.ts'
import { noId } from '../../schemas/event-row.ts'
import { eventLines } from '../event-lines.ts'
import { eventRow } from '../event-row.ts'

const limits = { seconds: 10, memoryBytes: 2e9 }
const workspace = `ws_${randomUUID().replaceAll('-', '').slice(0, 12)}`

const event = (more: Partial<AgentEvent> = {}): AgentEvent => ({
  v: 1,
  id: randomUUID(),
  type: 'order',
  time: '2026-11-20T10:00:00.123Z',
  received: '2026-11-20T10:00:01.000Z',
  workspace,
  brand: randomUUID(),
  ...more,
})

/** Those cells of its row that it has. */
const said = (one: AgentEvent) =>
  Object.fromEntries(Object.entries(eventRow(one)).filter(([, cell]) => cell !== undefined))

export function eventStoreContract(open: () => Promise<EventStore>): void {
  let store: EventStore
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store?.close())

  const insert = (events: readonly AgentEvent[], token: string = randomUUID()) =>
    store.insert(eventLines(events), token)
  const ask = async <T>(sql: string, bound: Record<string, string | number | readonly string[]> = {}) =>
    (await store.ask<T>(sql, bound, limits)).rows

  test('what went in comes out, cell by cell, odd text included', async () => {
    const odd = 'tab\t quote\' back\\slash "double" new\nline \u2028 🧦 {x:String}'
    const one = event({
      product: odd,
      products: [odd, 'b', ''],
      session: odd,
      agent: { id: 'a1', name: odd, version: '2', kind: 'assistant' },
      customer: 'c',
      numbers: { amount: '123456789012345.123456789', quantity: '0' },
      currency: 'EUR',
      metadata: { query: odd, empty: '' },
    })
    await insert([one])
    const [row] = await ask<Record<string, unknown>>('select * from events final where id = {id:UUID}', { id: one.id })
    expect(row).toMatchObject({ ...said(one), amount: '123456789012345.123456789', quantity: '0' })
  })

  test('no text is taken for the sign of something else, wherever it stands', async () => {
    const texts = [
      '\\',
      '\\N',
      '\\t',
      "'",
      "','",
      "\\'",
      '\r\n',
      'a\r',
      '\t\t',
      '}',
      "{'a':'b'}",
      '[]',
      'null',
      '"',
      ' x ',
      'ÿ🧦\u2029',
      'a\0b',
    ]
    const brand = randomUUID()
    const all = texts.map((text, i) =>
      event({
        ...{ brand, product: text, products: [text, text], session: text, metadata: { a: text, b: '', c: text } },
        ...{
          id: `018f3c1e-7b1a-7000-8000-${String(i).padStart(12, '0')}`,
          agent: { id: text, name: text, version: text },
        },
      }),
    )
    await insert(all)
    const rows = await ask('select * from events final where brand = {brand:UUID} order by id', { brand })
    expect(rows).toMatchObject(all.map(said))
  })

  test('what an event does not have is empty in the store, whatever came beside it', async () => {
    const [bare, full] = [event(), event({ product: 'p', numbers: { price: '1' }, metadata: { a: 'b' } })]
    await insert([full, bare])
    const [row] = await ask<Record<string, unknown>>('select * from events final where id = {id:UUID}', { id: bare.id })
    expect(row).toMatchObject({
      ...said(bare),
      ...{ catalog: noId, product_id: '', product_ids: [], session_id: '', customer_id: '', currency: '' },
      ...{ agent_id: '', agent_name: '', agent_version: '', agent_kind: '', metadata: {} },
      ...Object.fromEntries(numberFields.map((name) => [name, null])),
    })
  })

  test('values are bound, whatever is in them', async () => {
    const odd = "a\tb\\n'c\n'; drop table events; --"
    const bound = { text: odd, list: [odd, "b'c\\", 'd\te'], number: 4, id: '8ffec64b-6c4d-4f30-bce5-1dcb205b2e96' }
    const sql = 'select {text:String} as text, {list:Array(String)} as list, {number:UInt32} as number, {id:UUID} as id'
    expect(await ask(sql, bound)).toEqual([bound])
  })

  test('a block that is inserted again, and an event that is sent again, count once at once (KF-51)', async () => {
    const own = event({ numbers: { amount: '10' }, session: 's1' })
    const sql =
      'select count() as count, sum(amount) as sum, uniqExact(session_id) as sessions from events final where brand = {brand:UUID}'
    await insert([own], 'a block')
    await insert([own], 'a block')
    await insert([own, { ...own, received: '2026-11-20T10:05:00.000Z' }], 'another block')
    expect(await ask(sql, { brand: own.brand })).toEqual([{ count: '1', sum: '10', sessions: '1' }])
  })

  test('a block holds a year of days (KF-50)', async () => {
    const brand = randomUUID()
    const day = 86_400_000
    const year = Array.from({ length: 365 }, (_, i) =>
      event({ brand, time: new Date(Date.UTC(2026, 10, 20) - i * day).toISOString() }),
    )
    await insert(year)
    expect(await ask('select count() as count from events final where brand = {brand:UUID}', { brand })).toEqual([
      { count: '365' },
    ])
  })

  test('an answer says how many rows were looked at for it', async () => {
    const brand = randomUUID()
    await insert(Array.from({ length: 3_000 }, () => event({ brand })))
    const sql =
      'select count() as count from events where brand = {brand:UUID} and metadata[{key:String}] = {key:String}'
    const { rows, rowsRead } = await store.ask<{ count: string }>(sql, { brand, key: 'none' }, limits)
    expect(rows).toEqual([{ count: '0' }])
    expect(rowsRead).toBeGreaterThanOrEqual(3_000)
  })

  test('what is removed of a workspace is gone, in every month, and nobody else’s is', async () => {
    const [own, other] = [`ws_${randomUUID().slice(0, 8)}`, `ws_${randomUUID().slice(0, 8)}`]
    const times = ['2026-08-01T00:00:00.000Z', '2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00.000Z']
    const all = [own, other].flatMap((name) => times.map((time) => event({ workspace: name, time })))
    await insert(all)
    await insert(all)
    await store.remove([own], new Date('2026-11-01T00:00:00.000Z'))
    const sql = 'select workspace, time from events where workspace in {of:Array(String)} order by workspace, time'
    const left = await ask<{ workspace: string; time: string }>(`select distinct * from (${sql})`, { of: [own, other] })
    const of = (name: string) => left.filter(({ workspace: one }) => one === name).map(({ time }) => time)
    expect(of(own)).toEqual(['2026-11-01 00:00:00.000'])
    expect(of(other)).toHaveLength(3)
  })

  test('a question that takes too long is ended, and the next is answered', async () => {
    const long = store.ask(
      'select count() from numbers(1000000000000) where number % 7 = 3',
      {},
      { ...limits, seconds: 1 },
    )
    await expect(long).rejects.toBeInstanceOf(TooMuch)
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a question that looks at more rows than it may is refused before it does, and told so', async () => {
    const brand = randomUUID()
    await insert(Array.from({ length: 3_000 }, () => event({ brand })))
    const sql = 'select count() as count from events final where brand = {brand:UUID} and type != {type:String}'
    const asked = (rows: number) => store.ask(sql, { brand, type: 'x' }, { ...limits, rows })
    await expect(asked(1_000)).rejects.toThrow('This question looks at more than 1,000 events')
    await expect(asked(1_000)).rejects.toBeInstanceOf(TooMuch)
    expect((await asked(1_000_000)).rows).toEqual([{ count: '3000' }])
  })

  test('a question that takes too much memory is ended and told so', async () => {
    const large = store.ask(
      'select uniqExact(number) as n from numbers(20000000)',
      {},
      { ...limits, memoryBytes: 50 * 1024 ** 2 },
    )
    await expect(large).rejects.toThrow('This question takes more than 50 MB of memory')
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('what a question had answered when it failed is in no other answer', async () => {
    const failing =
      'select number, throwIf(number = 20000) as thrown from numbers(30000) settings max_block_size = 1000'
    const all = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        i % 3 === 0 ? store.ask(failing, {}, limits) : store.ask<{ n: number }>(`select ${i} as n`, {}, limits),
      ),
    )
    const told = all.map((one) => (one.status === 'fulfilled' ? one.value.rows : 'failed'))
    expect(told).toEqual(Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? 'failed' : [{ n: i }])))
  })

  test('a wrong statement is a fault of ours, not of the store', async () => {
    const wrong = store.ask('select nothing from nowhere', {}, limits)
    await expect(wrong).rejects.not.toBeInstanceOf(EventsAway)
    await expect(wrong).rejects.toThrow(/nowhere/)
  })
}
