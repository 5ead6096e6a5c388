import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import { funnel } from '../../../infra/events/funnel.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { type FunnelParams, funnelParams } from '../../../schemas/funnel.ts'
import { enough } from '../../enough.ts'
import { eventLines } from '../../event-lines.ts'

/** What a funnel is, said anew and slowly: every choice of events is tried. */
const now = new Date('2026-11-20T09:30:00.000Z')
const minuteMs = 60_000
const workspace = 'ws_one'

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

const odd = ['oak', "it's", 'tab\there', '', '🧦', 'null']
const types = ['product_view', 'add_to_cart', 'order']

const someEvent = fc.record({
  type: fc.constantFrom(...types, 'search'),
  // Few instants, so that many are the same.
  minutes: fc.integer({ min: 0, max: 12 }),
  session: fc.constantFrom('s1', 's2', "s'3", undefined),
  customer: fc.constantFrom('c1', 'c2', undefined),
  product: fc.constantFrom('MUG-1', "x'; drop", undefined),
  numbers: fc.option(fc.record({ amount: fc.constantFrom('1', '2', '3.5') }), { nil: undefined }),
  metadata: fc.option(fc.record({ material: fc.constantFrom(...odd) }), { nil: undefined }),
  copies: fc.constantFrom(1, 1, 1, 2),
})

const someFilter = fc.oneof(
  fc.record({ field: fc.constant('metadata.material'), equals: fc.constantFrom(...odd) }),
  fc.record({ field: fc.constant('metadata.material'), exists: fc.boolean() }),
  fc.record({ field: fc.constant('amount'), gte: fc.constantFrom(2, '3.5') }),
)

const someStep = fc.record(
  {
    event_type: fc.constantFrom(...types),
    filters: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(someFilter, { minLength: 1, maxLength: 2 })),
  },
  { requiredKeys: ['event_type'] },
)

const someFunnel = fc.record({
  steps: fc.array(someStep, { minLength: 2, maxLength: 4 }),
  per: fc.constantFrom('session', 'customer'),
  within_minutes: fc.integer({ min: 1, max: 10 }),
  break_down_by: fc.constantFrom(null, 'product_id', 'metadata.material', 'metadata.absent'),
  attribution: fc.constantFrom('first_step', 'every_step'),
  time_window_days: fc.constant(2),
})

const definedOf = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const fits = (event: AgentEvent, { event_type, filters = [] }: FunnelParams['steps'][number]) =>
  event.type === event_type &&
  filters.every(({ field, equals, exists, gte }) => {
    if (field === 'amount') return Number(event.numbers?.amount ?? Number.NaN) >= Number(gte)
    const { material } = event.metadata ?? {}
    return exists === undefined ? material === equals : (material !== undefined) === exists
  })

const at = (event: AgentEvent) => Date.parse(event.time)

/** The most steps for which there are events of their own, in order and within the window. */
function levelOf(events: readonly AgentEvent[], { steps, within_minutes }: FunnelParams): number {
  const go = (from: number, used: readonly AgentEvent[]): number => {
    const step = steps[used.length]
    if (!step) return used.length
    let best = used.length
    const [begin] = used
    for (const event of events) {
      if (at(event) < from || used.includes(event) || !fits(event, step)) continue
      if (begin && at(event) - at(begin) > within_minutes * minuteMs) continue
      best = Math.max(best, go(at(event), [...used, event]))
    }
    return best
  }
  return go(Number.NEGATIVE_INFINITY, [])
}

function expected(events: readonly AgentEvent[], params: FunnelParams) {
  const { steps, per, break_down_by, attribution } = params
  const keyOf = (event: AgentEvent | undefined): string | null =>
    (break_down_by === 'product_id' ? event?.product : event?.metadata?.[break_down_by?.slice(9) ?? '']) ?? null
  const actorOf = (event: AgentEvent) => (per === 'session' ? event.session : event.customer)
  const byActor = Map.groupBy(
    events.filter((event) => actorOf(event)),
    actorOf,
  )
  const whole: number[] = []
  const groups = new Map<string | null, number[]>()
  const tell = (key: string | null, level: number) => {
    if (level > 0) groups.set(key, [...(groups.get(key) ?? []), level])
  }
  for (const own of byActor.values()) {
    const level = levelOf(own, params)
    whole.push(level)
    if (attribution === 'every_step')
      for (const [key, same] of Map.groupBy(own, keyOf)) tell(key, levelOf(same, params))
    else {
      const first = own
        .filter((event) => steps[0] && fits(event, steps[0]))
        .toSorted((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1))[0]
      tell(keyOf(first), level)
    }
  }
  const counts = (levels: readonly number[]) => steps.map((_, i) => levels.filter((level) => level > i).length)
  return {
    steps: counts(whole),
    groups:
      break_down_by === null ? null : Object.fromEntries([...groups].map(([key, of]) => [key ?? '∅', counts(of)])),
  }
}

test('counts who came how far as trying every choice of events does, whole and broken down', async () => {
  let walked = 0
  await fc.assert(
    fc.asyncProperty(fc.array(someEvent, { maxLength: 30, size: 'max' }), someFunnel, async (some, question) => {
      const brand = randomUUID()
      // Ids in order of time and of making, as those of version 7 are: by them the first of an instant is told.
      const events = some.map(
        ({ minutes, copies: _, type, ...optional }, i): AgentEvent => ({
          ...{ v: 1, type, id: `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`, workspace, brand },
          ...definedOf(optional),
          time: new Date(now.getTime() - 60 * minuteMs + minutes * minuteMs).toISOString(),
          received: now.toISOString(),
        }),
      )
      const sent = events.flatMap((event, i) => Array<AgentEvent>(some[i]?.copies ?? 1).fill(event))
      if (sent.length > 0) await store.insert(eventLines(sent), randomUUID())
      const params = funnelParams.parse({ ...question, limit: 100 })
      const { funnel: told } = await funnel(store, params, { workspace, brand, catalog: null }, now)
      const countsOf = (steps: readonly { count: number }[]) => steps.map(({ count }) => count)
      expect({
        steps: countsOf(told.steps),
        groups: told.groups && Object.fromEntries(told.groups.map(({ key, steps }) => [key ?? '∅', countsOf(steps)])),
      }).toEqual(expected(events, params))
      if ((told.steps[1]?.count ?? 0) > 0) walked++
    }),
    { numRuns: enough(40, 120) },
  )
  // Not two that agree that nobody came anywhere.
  expect(walked).toBeGreaterThan(enough(6, 20))
}, 120_000)

test('tells conversion and drop of each step, and no share of nothing', async () => {
  const brand = randomUUID()
  const events = [
    ['product_view', 's1'],
    ['product_view', 's2'],
    ['product_view', 's3'],
    ['product_view', 's4'],
    ['add_to_cart', 's1'],
    ['add_to_cart', 's2'],
  ].map(
    ([type = '', session = ''], i): AgentEvent => ({
      ...{ v: 1, id: randomUUID(), type, session, workspace, brand, product: session === 's1' ? 'A' : 'B' },
      ...{ time: new Date(now.getTime() - 60_000 + i).toISOString(), received: now.toISOString() },
    }),
  )
  await store.insert(eventLines(events), randomUUID())
  const ask = (more: object = {}) => {
    const steps = ['product_view', 'add_to_cart', 'checkout_started', 'order'].map((event_type) => ({ event_type }))
    const params = funnelParams.parse({ steps, time_window_days: 1, ...more })
    return funnel(store, params, { workspace, brand, catalog: null }, now)
  }
  const { steps } = (await ask()).funnel
  expect(steps.map(({ name: _, event_type: __, ...step }) => step)).toEqual([
    { count: 4, conversion: 1, step_conversion: 1, dropped: 0 },
    { count: 2, conversion: 0.5, step_conversion: 0.5, dropped: 2 },
    { count: 0, conversion: 0, step_conversion: 0, dropped: 2 },
    { count: 0, conversion: 0, step_conversion: null, dropped: 0 },
  ])
  const { groups } = (await ask({ break_down_by: 'product_id' })).funnel
  expect(groups?.map(({ key, steps: [view, cart] }) => [key, view?.count, cart?.count])).toEqual([
    ['B', 3, 1],
    ['A', 1, 1],
  ])
  const nobody = (await ask({ per: 'customer' })).funnel
  expect(nobody.steps[0]).toEqual({
    ...{ event_type: 'product_view', name: null, count: 0, dropped: 0 },
    ...{ conversion: null, step_conversion: null },
  })
})

test('of another brand or catalog counts nothing', async () => {
  const params = funnelParams.parse({
    steps: types.map((event_type) => ({ event_type })),
    time_window_days: 365,
  })
  const { funnel: told } = await funnel(store, params, { workspace, brand: randomUUID(), catalog: null }, now)
  expect(told.steps.map(({ count }) => count)).toEqual([0, 0, 0])
})
