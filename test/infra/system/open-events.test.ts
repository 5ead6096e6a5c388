import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCatalog } from '../../../infra/catalog/postgres.ts'
import { readConfig } from '../../../infra/config.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import { placeOf } from '../../../infra/events/place.ts'
import { openEvents } from '../../../infra/system/open-events.ts'
import { eventLines } from '../../event-lines.ts'
import { freshDatabase } from '../../harness.ts'

const brand = randomUUID()
const time = '2026-11-20T10:00:00.000Z'
const event = (offset: number) =>
  eventLines(
    [{ v: 1, id: randomUUID(), type: 'order', time, received: time, workspace: 'ws_one', brand }],
    placeOf(1, 0, offset),
  )

test('of processes that come to an empty store at once none loses what another writes as soon as it may', async () => {
  const database = await freshDatabase()
  const catalog = openCatalog(database.url)
  const folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  // The engine's own process stands for a server: it answers any number of clients.
  const engine = embeddedEvents(join(folder, 'engine'))
  const config = readConfig({ ASSAY_DATA: folder, CLICKHOUSE_URL: await engine.address() })
  const stores = Array.from({ length: 4 }, () => openEvents(config, catalog))
  try {
    await Promise.all(stores.map((store, i) => store.insert(event(i), `block ${i}`)))
    const sql = 'select count() as n from events final where brand = {brand:UUID}'
    const found = await stores[0]?.ask<{ n: string }>(sql, { brand }, { seconds: 10, memoryBytes: 1e9 })
    expect(found?.rows).toEqual([{ n: '4' }])
  } finally {
    await Promise.all(stores.map((store) => store.close()))
    await engine.close()
    await catalog.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
