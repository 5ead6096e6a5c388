import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aggregate } from '../../../infra/events/aggregate.ts'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import { openScratch, type Scratch } from '../../../ingest/scratch.ts'
import { type AggregationParams, aggregationParams } from '../../../schemas/aggregation.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { type EventRow, flatten } from '../../../transforms/events/flatten.ts'
import { mulberry32 } from '../../faults/mulberry.ts'

/** DuckDB is asked the same of the same events, in its own words: what both say is right. */
const now = new Date('2026-11-20T09:30:00.000Z')
const dayMs = 86_400_000
const workspaces = ['ws_one', 'ws_two']
const [brandA, brandB] = [randomUUID(), randomUUID()]
const catalogs = [randomUUID(), randomUUID()]
const random = mulberry32(20261120)
const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
const odd = ['oak', 'Ä ß', "it's", 'tab\there', '', '"quoted"', '🧦']

const events = 8_000
const questions = 300

function someEvent(): AgentEvent {
  // Late ones among them, and the very edges of days.
  const days = random() < 0.8 ? random() * 10 : random() * 380
  const exact = now.getTime() - days * dayMs
  const ms = random() < 0.05 ? Math.floor(exact / dayMs) * dayMs - (random() < 0.5 ? 1 : 0) : Math.floor(exact)
  const time = new Date(ms).toISOString()
  const maybe = (share: number, value: object) => (random() < share ? value : {})
  return {
    ...{ v: 1, id: randomUUID(), type: pick(['order', 'search', 'tool_call', 'own_type']), time, received: time },
    ...{ workspace: pick(workspaces), brand: pick([brandA, brandB]) },
    ...maybe(0.5, { catalog: pick(catalogs) }),
    ...maybe(0.7, { product: pick(['MUG-1', 'POT-1', 'Ü-9', "x'; drop"]) }),
    ...maybe(0.8, { session: `s${Math.floor(random() * 300)}` }),
    ...maybe(0.6, { numbers: { amount: (random() * 1_000).toFixed(2), quantity: String(Math.floor(random() * 5)) } }),
    ...maybe(0.7, { metadata: { material: pick(odd), ...maybe(0.2, { rare: '1' }) } }),
  }
}

let store: EventStore
let scratch: Scratch
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  const embedded = embeddedEvents(join(folder, 'events'))
  store = clickhouseEvents(embedded.address, embedded.close)
  const all = Array.from({ length: events }, someEvent)
  // Sent again, in another block and in the same one.
  const rows = [...all, ...all.filter(() => random() < 0.2)].map(flatten)
  const half = Math.floor(rows.length / 2)
  await store.insert(rows.slice(0, half), 'one')
  await store.insert(rows.slice(half), 'two')
  await writeFile(join(folder, 'rows.json'), rows.map((row: EventRow) => `${JSON.stringify(row)}\n`).join(''))
  scratch = await openScratch(join(folder, 'scratch'))
  const types = `{workspace: 'varchar', brand: 'varchar', time: 'timestamp', id: 'varchar', type: 'varchar', catalog: 'varchar',
    product_id: 'varchar', session_id: 'varchar', amount: 'decimal(38, 9)', quantity: 'decimal(38, 9)', metadata: 'map(varchar, varchar)'}`
  await scratch.run(
    `create table events as select distinct on (id) * from read_json('${join(folder, 'rows.json')}', format = 'newline_delimited', columns = ${types})`,
  )
})
afterAll(async () => {
  await scratch?.close()
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

const keys: Readonly<Record<string, string>> = {
  none: 'null::varchar',
  event_type: 'type',
  session: "nullif(session_id, '')",
  product_id: "nullif(product_id, '')",
  day: "strftime(time, '%Y-%m-%d')",
  hour: "strftime(date_trunc('hour', time), '%Y-%m-%dT%H:%M:%SZ')",
  'metadata.material': "metadata['material']",
  'metadata.rare': "metadata['rare']",
  'metadata.absent': "metadata['absent']",
}

interface Asked {
  readonly params: AggregationParams
  readonly scope: { readonly workspace: string; readonly brand: string; readonly catalog: string | null }
}

function someQuestion(): Asked {
  const params = aggregationParams.parse({
    event_types: pick([null, [], ['order'], ['order', 'search', 'nothing_such']]),
    group_by: pick(Object.keys(keys)),
    aggregation: pick(['count', 'count_distinct', 'sum', 'avg']),
    value_field: pick(['amount', 'quantity', 'price', 'session_id']),
    time_window_days: pick([1, 2, 7, 30, 365]),
    limit: 1_000,
  })
  return {
    params,
    scope: { workspace: pick(workspaces), brand: pick([brandA, brandB]), catalog: pick([null, ...catalogs]) },
  }
}

async function fromDuckdb({ params, scope }: Asked): Promise<unknown[]> {
  const { event_types, group_by, aggregation, value_field, time_window_days } = params
  const field = value_field === 'amount' || value_field === 'quantity' ? value_field : 'null::decimal(38, 9)'
  const value = {
    count: 'count(*)',
    count_distinct: "count(distinct nullif(session_id, ''))",
    sum: `coalesce(sum(${field}), 0)`,
    avg: `avg(${field})`,
  }[aggregation]
  const first = new Date(Math.floor(now.getTime() / dayMs) * dayMs - (time_window_days - 1) * dayMs).toISOString()
  const where = [
    `workspace = '${scope.workspace}' and brand = '${scope.brand}' and time >= timestamp '${first.slice(0, 19)}'`,
    ...(scope.catalog ? [`catalog = '${scope.catalog}'`] : []),
    ...(event_types?.length ? [`type in (${event_types.map((type) => `'${type}'`)})`] : []),
  ].join(' and ')
  const sql = `select ${keys[group_by]} as key, (${value})::double as value, count(*)::integer as n from events where ${where} group by all having n > 0`
  const rows: unknown[] = []
  const amounts = aggregation === 'sum' || aggregation === 'avg'
  for await (const page of scratch.stream<string | number | null>(sql))
    for (const [key, found, n] of page)
      if (found !== null) rows.push({ key, value: rounded(Number(found)), ...(amounts && { secondary: n }) })
  if (rows.length === 0 && group_by === 'none' && aggregation !== 'avg') return [{ key: null, value: 0 }]
  return rows.sort(byKey)
}

/** Averages are doubles of two engines. */
const rounded = (value: number) => Number(value.toPrecision(12))
const byKey = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

test(`${questions} questions over events that came twice, late and odd are answered as DuckDB answers them`, async () => {
  let filled = 0
  for (let i = 0; i < questions; i++) {
    const asked = someQuestion()
    const { rows } = await aggregate(store, asked.params, asked.scope, now)
    const told = rows.map((row) => ({ ...row, value: rounded(row.value) })).sort(byKey)
    expect(told, JSON.stringify(asked)).toEqual(await fromDuckdb(asked))
    if (rows.length > 1) filled++
  }
  // Not two engines that agree on nothing.
  expect(filled).toBeGreaterThan(questions / 4)
}, 120_000)

test('of many groups the largest are told, largest first; of days the latest, in order', async () => {
  const scope = { workspace: 'ws_one', brand: brandA, catalog: null }
  const ask = (question: object) =>
    aggregate(store, aggregationParams.parse({ event_types: null, aggregation: 'count', ...question }), scope, now)
  const all = (await ask({ group_by: 'session', time_window_days: 365, limit: 1_000 })).rows
  const few = (await ask({ group_by: 'session', time_window_days: 365, limit: 3 })).rows
  expect(few).toEqual(all.slice(0, 3))
  expect(few.map(({ value }) => value)).toEqual(few.map(({ value }) => value).toSorted((a, b) => b - a))
  const days = (await ask({ group_by: 'day', time_window_days: 30, limit: 4 })).rows.map(({ key }) => key)
  expect(days).toEqual(['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'])
})
