import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aggregate } from '../../../infra/events/aggregate.ts'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import { openScratch, type Scratch } from '../../../ingest/scratch.ts'
import { aggregationParams } from '../../../schemas/aggregation.ts'
import { type EventRow, flatten } from '../../../transforms/events/flatten.ts'
import { askedOfDuckdb, comparable, duckdbColumns } from './asked-of-duckdb.ts'
import { chance } from './some-events.ts'

/** Some weeks after clocks were put back in most of the zones. */
const now = new Date('2026-11-20T09:30:00.000Z')
const { event, question, random, brands } = chance(20261120, now)
const [brandA = ''] = brands

const events = 8_000
const questions = 300

let store: EventStore
let scratch: Scratch
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  const embedded = embeddedEvents(join(folder, 'events'))
  store = clickhouseEvents(embedded.address, embedded)
  const all = Array.from({ length: events }, event)
  // Sent again, in another block and in the same one.
  const rows = [...all, ...all.filter(() => random() < 0.2)].map(flatten)
  const half = Math.floor(rows.length / 2)
  await store.insert(rows.slice(0, half), 'one')
  await store.insert(rows.slice(half), 'two')
  await writeFile(join(folder, 'rows.json'), rows.map((row: EventRow) => `${JSON.stringify(row)}\n`).join(''))
  scratch = await openScratch(join(folder, 'scratch'))
  await scratch.run(
    `create table events as select distinct on (id) * from read_json('${join(folder, 'rows.json')}', format = 'newline_delimited', columns = ${duckdbColumns})`,
  )
})
afterAll(async () => {
  await scratch?.close()
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

test(`${questions} questions over events that came twice, late and odd are answered as DuckDB answers them`, async () => {
  let filled = 0
  for (let i = 0; i < questions; i++) {
    const asked = question()
    const { rows } = await aggregate(store, asked.params, asked.scope, now)
    expect(comparable(rows), JSON.stringify(asked)).toEqual(await askedOfDuckdb(scratch, asked, now))
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
