import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aggregate } from '../../../infra/events/aggregate.ts'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import { aggregationParams } from '../../../schemas/aggregation.ts'
import { type AgentEvent, numberFields } from '../../../schemas/event.ts'
import { enough } from '../../enough.ts'
import { eventLines } from '../../event-lines.ts'

let store: EventStore
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  const embedded = embeddedEvents(join(folder, 'events'))
  store = clickhouseEvents(embedded.address, embedded)
})
afterAll(async () => {
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

const event = (brand: string, time: string, more: Partial<AgentEvent> = {}): AgentEvent => {
  const at = new Date(time).toISOString()
  return { v: 1, id: randomUUID(), type: 'order', time: at, received: at, workspace: 'ws_one', brand, ...more }
}

/** @returns the brand that has these */
async function given(events: readonly (readonly [time: string, more?: Partial<AgentEvent>])[]): Promise<string> {
  const brand = randomUUID()
  await store.insert(eventLines(events.map(([time, more]) => event(brand, time, more))), randomUUID())
  return brand
}

const times = (n: number, time: string) => Array.from({ length: n }, () => [time] as const)

async function ask(brand: string, now: string, question: object) {
  const params = aggregationParams.parse({
    ...{ event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 1, limit: 1_000 },
    ...question,
  })
  return aggregate(store, params, { workspace: 'ws_one', brand, catalog: null }, new Date(now))
}
const rows = async (brand: string, now: string, question: object) => (await ask(brand, now, question)).rows
const values = (all: readonly { key: string | null; value: number }[]) => all.map(({ key, value }) => [key, value])

test.each(numberFields)('%s is summed and averaged', async (value_field) => {
  const now = '2026-11-20T12:00:00Z'
  const numbers = (amount: string) => ({ numbers: { [value_field]: amount } })
  const brand = await given([
    ['2026-11-20T01:00Z', numbers('1.5')],
    ['2026-11-20T02:00Z', numbers('2.5')],
  ])
  for (const group_by of ['none', 'day', 'product_id']) {
    const [sum] = await rows(brand, now, { group_by, aggregation: 'sum', value_field })
    const [average] = await rows(brand, now, { group_by, aggregation: 'avg', value_field })
    expect([sum?.value, average?.value]).toEqual([4, 2])
  }
})

describe('in a time zone', () => {
  test('days are those of its calendar, today being one of them', async () => {
    const brand = await given([
      ['2026-10-25T00:30:00+02:00'],
      ['2026-10-25T23:30:00+01:00'],
      ['2026-10-26T00:30:00+01:00'],
    ])
    const berlin = { group_by: 'day', time_zone: 'Europe/Berlin' }
    const late = '2026-10-26T22:59:00Z'
    expect(values(await rows(brand, late, { ...berlin, time_window_days: 2 }))).toEqual([
      ['2026-10-25', 2],
      ['2026-10-26', 1],
    ])
    expect(values(await rows(brand, late, berlin))).toEqual([['2026-10-26', 1]])
    // A minute later it is the 27th there.
    expect(values(await rows(brand, '2026-10-26T23:00:00Z', berlin))).toEqual([])
  })

  test('the two hours of an autumn night that a clock shows alike are two, in order; the one that it leaves out is none', async () => {
    const autumn = await given([['2026-10-25T00:10:00Z'], ['2026-10-25T01:10:00Z'], ['2026-10-25T01:20:00Z']])
    const hours = { group_by: 'hour', time_zone: 'Europe/Berlin' }
    const night = [
      ['2026-10-25T02:00:00+02:00', 1],
      ['2026-10-25T02:00:00+01:00', 2],
    ]
    expect(values(await rows(autumn, '2026-10-25T12:00:00Z', hours))).toEqual(night)
    const all = values(await rows(autumn, '2026-10-25T22:59:00Z', { ...hours, step: 'fill' }))
    expect(all).toHaveLength(25)
    expect(all.slice(2, 4)).toEqual(night)
    const spring = values(await rows(autumn, '2026-03-29T21:59:00Z', { ...hours, step: 'fill' }))
    expect(spring).toHaveLength(23)
    expect(spring.slice(1, 3).map(([key]) => key)).toEqual(['2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00'])
  })

  test('of half an hour it has hours of its own', async () => {
    const brand = await given([['2026-11-20T00:29:59Z'], ['2026-11-20T00:30:00Z']])
    const asked = { group_by: 'hour', time_zone: 'Asia/Kolkata' }
    expect(values(await rows(brand, '2026-11-20T12:00:00Z', asked))).toEqual([
      ['2026-11-20T05:00:00+05:30', 1],
      ['2026-11-20T06:00:00+05:30', 1],
    ])
  })
})

describe('steps that are filled', () => {
  const now = '2026-11-20T05:30:00Z'

  test('leave no day or hour out, to the present one; of them the latest are told', async () => {
    const brand = await given([['2026-11-18T10:00Z'], ['2026-11-20T03:00Z']])
    const days = await rows(brand, now, { group_by: 'day', time_window_days: 4, step: 'fill' })
    expect(values(days)).toEqual([
      ['2026-11-17', 0],
      ['2026-11-18', 1],
      ['2026-11-19', 0],
      ['2026-11-20', 1],
    ])
    const hours = { group_by: 'hour', time_window_days: 365, step: 'fill', limit: 3 }
    expect(values(await rows(brand, now, hours))).toEqual([
      ['2026-11-20T03:00:00Z', 1],
      ['2026-11-20T04:00:00Z', 0],
      ['2026-11-20T05:00:00Z', 0],
    ])
  })

  test('tell a sum with its count, and no average of nothing', async () => {
    const brand = await given([['2026-11-20T03:00Z', { numbers: { amount: '5' } }]])
    const asked = { group_by: 'day', time_window_days: 2, value_field: 'amount', step: 'fill' }
    expect(await rows(brand, now, { ...asked, aggregation: 'sum' })).toEqual([
      { key: '2026-11-19', value: 0, secondary: 0 },
      { key: '2026-11-20', value: 5, secondary: 1 },
    ])
    expect(await rows(brand, now, { ...asked, aggregation: 'avg' })).toEqual([
      { key: '2026-11-20', value: 5, secondary: 1 },
    ])
  })

  test('tell of tomorrow only what callers whose clocks are ahead have sent', async () => {
    const late = '2026-11-20T23:58:00Z'
    const asked = { group_by: 'day', step: 'fill' }
    expect(values(await rows(await given([]), late, asked))).toEqual([['2026-11-20', 0]])
    expect(values(await rows(await given([['2026-11-21T00:01Z']]), late, asked))).toEqual([
      ['2026-11-20', 0],
      ['2026-11-21', 1],
    ])
  })
})

describe('a comparison with the previous period', () => {
  const now = '2026-11-20T12:00:00Z'
  const compare = 'previous_period'
  const of = (product: string, amount: string) => ({ product, numbers: { amount } })

  test('tells beside each group the same of the days before, up to the same time of day, and by what share it changed', async () => {
    const brand = await given([
      ['2026-11-20T01:00Z', of('MUG-1', '30')],
      ['2026-11-19T01:00Z', of('MUG-1', '20')],
      ['2026-11-18T11:00Z', of('MUG-1', '40')],
      // Later in its day than now.
      ['2026-11-18T13:00Z', of('MUG-1', '1000')],
      ['2026-11-17T00:00Z', of('POT-1', '7')],
      ['2026-11-16T23:59Z', of('POT-1', '1000')],
      ['2026-11-20T02:00Z', of('NEW-1', '1')],
    ])
    const asked = { group_by: 'product_id', time_window_days: 2, compare, value_field: 'amount' }
    const sums = await ask(brand, now, { ...asked, aggregation: 'sum' })
    expect(sums.rows).toEqual([
      { key: 'MUG-1', value: 50, secondary: 2, previous: 40, change: 0.25 },
      { key: 'NEW-1', value: 1, secondary: 1, previous: 0, change: null },
      { key: 'POT-1', value: 0, secondary: 0, previous: 7, change: -1 },
    ])
    expect(sums.previous).toEqual({ from: Date.parse('2026-11-17T00:00Z'), to: Date.parse('2026-11-18T12:00Z') })
    expect(await rows(brand, now, { ...asked, aggregation: 'avg' })).toEqual([
      { key: 'MUG-1', value: 25, secondary: 2, previous: 40, change: -0.375 },
      { key: 'NEW-1', value: 1, secondary: 1, previous: null, change: null },
    ])
    expect(await rows(brand, now, { group_by: 'none', time_window_days: 2, compare })).toEqual([
      { key: null, value: 3, previous: 2, change: 0.5 },
    ])
  })

  test('of days has the day as many before; one that had events only then is told too', async () => {
    const brand = await given([['2026-11-20T01:00Z'], ['2026-11-17T01:00Z'], ['2026-11-18T01:00Z']])
    const asked = { group_by: 'day', time_window_days: 2, compare }
    const first = { key: '2026-11-19', value: 0, previous: 1, change: -1 }
    expect(await rows(brand, now, asked)).toEqual([first, { key: '2026-11-20', value: 1, previous: 1, change: 0 }])
    expect(await rows(brand, now, { ...asked, limit: 1 })).toEqual([
      { key: '2026-11-20', value: 1, previous: 1, change: 0 },
    ])
    expect(await rows(await given([]), now, asked)).toEqual([])
    expect(await rows(await given([]), now, { ...asked, group_by: 'none' })).toEqual([
      { key: null, value: 0, previous: 0, change: null },
    ])
  })

  test('of hours goes by the clock, though it was put back in between', async () => {
    const brand = await given([['2026-10-25T09:10:00Z'], ['2026-10-24T08:10:00Z'], ['2026-10-24T08:50:00Z']])
    const asked = { group_by: 'hour', compare, time_zone: 'Europe/Berlin' }
    expect(await rows(brand, now.replace('11-20', '10-25'), asked)).toEqual([
      { key: '2026-10-25T10:00:00+01:00', value: 1, previous: 2, change: -0.5 },
    ])
  })

  test('of hours tells two that a clock showed alike together, and none twice', async () => {
    const asked = { group_by: 'hour', compare, time_zone: 'Europe/Berlin' }
    const autumn = await given([...times(3, '2026-10-25T02:10:00+02:00'), ...times(7, '2026-10-25T02:10:00+01:00')])
    expect(await rows(autumn, '2026-10-26T12:00:00Z', asked)).toEqual([
      { key: '2026-10-26T02:00:00+01:00', value: 0, previous: 10, change: -1 },
    ])
    const spring = await given(times(5, '2026-03-29T03:10:00+02:00'))
    expect(await rows(spring, '2026-03-30T12:00:00Z', asked)).toEqual([
      { key: '2026-03-30T03:00:00+02:00', value: 0, previous: 5, change: -1 },
    ])
    // An hour that the day itself does not have: with the one behind it.
    const skipped = await given(times(4, '2026-03-28T02:10:00+01:00'))
    expect(await rows(skipped, '2026-03-29T12:00:00Z', asked)).toEqual([
      { key: '2026-03-29T03:00:00+02:00', value: 0, previous: 4, change: -1 },
    ])
  })

  test('of hours adds up to that of all, whatever clocks did', async () => {
    const minuteMs = 60_000
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'Europe/Berlin',
          'America/New_York',
          'Australia/Lord_Howe',
          'Africa/Cairo',
          'Asia/Kolkata',
          'UTC',
        ),
        fc.constantFrom(
          '2026-03-08',
          '2026-03-29',
          '2026-04-05',
          '2026-04-24',
          '2026-10-04',
          '2026-10-25',
          '2026-10-30',
        ),
        fc.integer({ min: 0, max: 4 * 24 * 60 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.integer({ min: 0, max: 5 * 24 * 60 }), { maxLength: 40 }),
        async (time_zone, change, after, time_window_days, before) => {
          const at = Date.parse(change) + after * minuteMs
          const brand = await given(before.map((minutes) => [new Date(at - minutes * minuteMs).toISOString()]))
          const asked = { time_zone, time_window_days, compare }
          const all = (await rows(brand, new Date(at).toISOString(), asked))[0]
          const hours = await rows(brand, new Date(at).toISOString(), { ...asked, group_by: 'hour' })
          const sum = (of: 'value' | 'previous') => hours.reduce((total, row) => total + (row[of] ?? 0), 0)
          expect([sum('value'), sum('previous')]).toEqual([all?.value, all?.previous])
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('filters', () => {
  const now = '2026-11-20T12:00:00Z'
  const anyText = fc
    .oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom("' or 1=1 --", '\\', "\\'", '{f0:String}', '%_', '\t\n\r\b\f'),
    )
    .filter((text) => text.isWellFormed() && !text.includes('\0'))

  test('take any text for what it is and nothing more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 12 }), anyText, async (texts, other) => {
        const brand = await given(
          texts.map((text) => ['2026-11-20T01:00Z', { metadata: { said: text }, product: text }]),
        )
        const count = async (filter: object) =>
          (await rows(brand, now, { filters: [filter] })).reduce((sum, { value }) => sum + value, 0)
        const among = [other, texts[0] ?? '']
        const isAmong = (text: string) => among.includes(text)
        expect(await count({ field: 'metadata.said', equals: other })).toBe(texts.filter((t) => t === other).length)
        expect(await count({ field: 'metadata.said', in: among })).toBe(texts.filter(isAmong).length)
        // A field of an event that is empty is not there.
        expect(await count({ field: 'product_id', in: among })).toBe(texts.filter((t) => t !== '' && isAmong(t)).length)
      }),
      { numRuns: enough(20, 60) },
    )
    expect((await rows(await given([['2026-11-20T01:00Z']]), now, {}))[0]?.value).toBe(1)
  })

  test('are told apart from the field that is wrong in them', () => {
    const place = (filters: unknown) =>
      aggregationParams
        .safeParse({ event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 1, filters })
        .error?.issues.map(({ path }) => path.join('.'))
    expect(place([{ field: 'amount', gte: 'much' }])).toEqual(['filters.0.gte'])
    expect(place([{ field: 'product_id', gte: 1 }])).toEqual(['filters.0.gte'])
    expect(
      place([
        { field: 'type', exists: true },
        { field: 'amount', in: [1, 'x'] },
      ]),
    ).toEqual(['filters.1.in.1'])
    expect(place([{ field: 'product_id', equals: 4 }])).toEqual(['filters.0.equals'])
    expect(place([{ field: 'product_id' }])).toEqual(['filters.0.field'])
    expect(place([{ field: "metadata.x']; drop", equals: 'a' }])).toEqual(['filters.0.field'])
    expect(place([{ field: 'customer_id', equals: 'a' }])).toEqual(['filters.0.field'])
    expect(place(Array.from({ length: 21 }, () => ({ field: 'type', exists: true })))).toEqual(['filters'])
    expect(place(Array.from({ length: 20 }, () => ({ field: 'type', equals: 'x'.repeat(900) })))).toEqual(['filters'])
  })

  test('as large as they may be reach the store', async () => {
    const brand = await given([['2026-11-20T01:00Z', { product: '漢'.repeat(200) }]])
    const filters = Array.from({ length: 20 }, () => ({ field: 'product_id', in: ['漢'.repeat(200), '🧦'.repeat(80)] }))
    expect((await rows(brand, now, { filters }))[0]?.value).toBe(1)
  })
})

test.each([['+02:00'], ['Mars/Olympus'], [''], ["UTC'; drop table events; --"]])('%j is no time zone', (time_zone) => {
  const question = { event_types: null, group_by: 'day', aggregation: 'count', time_window_days: 1, time_zone }
  expect(aggregationParams.safeParse(question).error?.issues[0]?.path).toEqual(['time_zone'])
})
