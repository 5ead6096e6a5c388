import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { readConfig } from '../../../infra/config.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import { openEvents } from '../../../infra/system/open-events.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
let store: EventStore
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  store = openEvents(readConfig({ ASSAY_DATA: folder }), catalog)
})
afterAll(async () => {
  await store?.close()
  await catalog?.close()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const limits = { seconds: 10, memoryBytes: 1e9 }

test("fifty slow questions of one workspace do not keep another's waiting for more than one of them", async () => {
  await store.ask('select 1', {}, limits)
  const gone = new AbortController()
  let answered = 0
  const slow = Array.from({ length: 50 }, () =>
    store
      .ask('select sleep(0.5), {workspace:String}', { workspace: 'ws_slow' }, { ...limits, signal: gone.signal })
      .then(() => answered++),
  )
  await expect.poll(() => answered, { interval: 20 }).toBe(1)
  const before = answered
  const quick = async () =>
    (await store.ask('select {workspace:String} as one', { workspace: 'ws_quick' }, limits)).rows
  // A dashboard asks many.
  const all = await Promise.all(Array.from({ length: 12 }, quick))
  expect(all).toEqual(Array.from({ length: 12 }, () => [{ one: 'ws_quick' }]))
  expect(answered - before).toBeLessThanOrEqual(1)
  // Who asked them has gone: none of those that wait is asked.
  gone.abort()
  const ends = await Promise.allSettled(slow)
  const ended = ends.filter(({ status }) => status === 'fulfilled').length
  expect(ended).toBeLessThanOrEqual(before + 2)
})
