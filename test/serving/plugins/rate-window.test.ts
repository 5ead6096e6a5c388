import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { sharedCounter } from '../../../infra/catalog/rate-counter.ts'
import { memoryCounter, type WindowCounter } from '../../../serving/plugins/rate-window.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 4 })
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

const start = Date.parse('2026-11-28T00:00:00.500Z')
const one = (key: string, limit = 3, seconds = 60) => ({ key, limit, seconds })

const counters: Record<string, () => WindowCounter> = {
  'in memory': () => memoryCounter(),
  'in the database': () => sharedCounter(catalog.pipeline),
}

describe.each(Object.entries(counters))('a window counted %s', (name, open) => {
  const hits = async (counter: WindowCounter, windows: ReturnType<typeof one>[], at: number) =>
    (await counter.hit(windows, at)).map((counted) => counted.hits)

  test('opens with the first request, ends when it said, and refused requests do not move it', async () => {
    const counter = open()
    const key = one(`${name} fixed`)
    const counted = []
    for (const at of [0, 10_000, 20_000, 30_000, 59_999]) counted.push(...(await counter.hit([key], start + at)))
    expect(counted).toEqual([1, 2, 3, 4, 4].map((n) => ({ limit: 3, hits: n, endsMs: start + 60_000 })))
    expect(await counter.hit([key], start + 60_000)).toEqual([{ limit: 3, hits: 1, endsMs: start + 120_000 }])
  })

  test('is its key’s own, and may last an hour', async () => {
    const counter = open()
    const hour = one(`${name} hour`, 1, 3_600)
    expect(await hits(counter, [hour], start)).toEqual([1])
    expect(await hits(counter, [hour], start + 3_599_999)).toEqual([2])
    expect(await hits(counter, [one(`${name} other`, 1, 3_600)], start)).toEqual([1])
    expect(await hits(counter, [hour], start + 3_600_000)).toEqual([1])
  })

  test('counts nothing that another window of the same request refuses', async () => {
    const counter = open()
    const [narrow, wide] = [one(`${name} narrow`, 2), one(`${name} wide`, 5)]
    for (let i = 0; i < 20; i++) await counter.hit([wide, narrow], start)
    // From other addresses: the wide one has counted the two that passed.
    expect(await hits(counter, [wide], start)).toEqual([3])
    const full = one(`${name} full`, 1)
    await counter.hit([full], start)
    const fresh = one(`${name} fresh`, 9)
    await counter.hit([fresh, full], start)
    const [counted] = await counter.hit([fresh], start + 30_000)
    expect(counted).toEqual({ limit: 9, hits: 1, endsMs: start + 90_000 })
  })

  test('takes a key of any length', async () => {
    expect(await hits(open(), [one(`${name} ${'long '.repeat(5_000)}`)], start)).toEqual([1])
  })

  test('lets exactly as many pass as it says when all come at once', async () => {
    const counter = open()
    const asked = Array.from({ length: 40 }, () => hits(counter, [one(`${name} at once`, 7)], start))
    expect((await Promise.all(asked)).flat().filter((n) => n <= 7)).toHaveLength(7)
  })
})

test('memory is bounded: ended windows go first, then those that opened first', async () => {
  const counter = memoryCounter(1_000)
  for (let i = 0; i < 500; i++) await counter.hit([one(`old ${i}`)], start)
  for (let i = 0; i < 20_000; i++) {
    await counter.hit([one(`new ${i}`)], start + 60_000)
    expect(counter.size).toBeLessThanOrEqual(1_000)
  }
  const [latest] = await counter.hit([one('new 19999')], start + 60_000)
  expect(latest?.hits).toBe(2)
})

test('windows that ended long ago are swept from the database', async () => {
  const counter = sharedCounter(catalog.pipeline)
  await counter.hit([one('swept', 3)], Date.now() - 3 * 3_600_000)
  await counter.hit([one('kept', 3)], Date.now())
  const count = async () => (await catalog.pipeline.query('select count(*) as n from rate_counter')).rows[0].n as number
  await counter.sweep()
  const left = await count()
  expect(left).toBeGreaterThan(0)
  const [kept] = await counter.hit([one('kept', 3)], Date.now())
  expect(kept?.hits).toBe(2)
  const [swept] = await counter.hit([one('swept', 3)], Date.now())
  expect(swept?.hits).toBe(1)
})
