import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aggregate } from '../../../infra/events/aggregate.ts'
import { aggregationParams } from '../../../schemas/aggregation.ts'
import { enough } from '../../enough.ts'
import { type BothEngines, bothEngines } from './both-engines.ts'
import { chance } from './some-events.ts'

/** Some weeks after clocks were put back in most of the zones. */
const now = new Date('2026-11-20T09:30:00.000Z')
const ground = chance(20261120, now)
const [brandA = ''] = ground.brands

const events = 8_000
const questions = enough(120, 300)

let both: BothEngines
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  both = await bothEngines(folder, ground, events, now)
})
afterAll(async () => {
  await both?.close()
  await rm(folder, { recursive: true, force: true })
})

test(`${questions} questions over events that came twice, late and odd are answered as DuckDB answers them`, async () => {
  let filled = 0
  for (let i = 0; i < questions; i++) {
    const asked = ground.question()
    const { own, duckdb } = await both.ask(asked)
    expect(own, JSON.stringify(asked)).toEqual(duckdb)
    if (own.length > 1) filled++
  }
  // Not two engines that agree on nothing.
  expect(filled).toBeGreaterThan(questions / 4)
}, 120_000)

test('of many groups the largest are told, largest first; of days the latest, in order', async () => {
  const scope = { workspace: 'ws_one', brand: brandA, catalog: null }
  const ask = (question: object) =>
    aggregate(both.store, aggregationParams.parse({ event_types: null, aggregation: 'count', ...question }), scope, now)
  const all = (await ask({ group_by: 'session', time_window_days: 365, limit: 1_000 })).rows
  const few = (await ask({ group_by: 'session', time_window_days: 365, limit: 3 })).rows
  expect(few).toEqual(all.slice(0, 3))
  expect(few.map(({ value }) => value)).toEqual(few.map(({ value }) => value).toSorted((a, b) => b - a))
  const days = (await ask({ group_by: 'day', time_window_days: 30, limit: 4 })).rows.map(({ key }) => key)
  expect(days).toEqual(['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'])
})
