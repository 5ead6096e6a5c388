import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { findSettings, holdSettings, saveSettings } from '../../../infra/catalog/settings.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 4 })
  await ensureWorkspace(catalog.pipeline, 'ws_test', 'Test')
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

const now = async () => {
  const found = await findSettings(catalog.pipeline, 'ws_test')
  if (!found) throw new Error('no settings')
  return found
}

const save = async (silver: boolean) => {
  const { silver: before } = await now()
  const next = { ...before, number: before.number + 1, currency: 'EUR' }
  const principal = { workspaceId: 'ws_test', brandIds: '*' } as const
  await catalog.withTenant(principal, (tx) => saveSettings(tx, 'ws_test', next, 'test', silver))
}

test('a save waits for the batches of former settings, and none of those commits after it', async () => {
  const { silver } = await now()
  const used = new Map([['ws_test', silver.number]])
  let saved = false
  const saving = await catalog.inTransaction(catalog.pipeline, async (tx) => {
    expect(await holdSettings(tx, used)).toBe(true)
    const begun = save(true).then(() => {
      saved = true
    })
    await sleep(100)
    expect(saved).toBe(false)
    return { begun }
  })
  await saving.begun
  expect(await catalog.inTransaction(catalog.pipeline, (tx) => holdSettings(tx, used))).toBe(false)
})

test('only what silver reads otherwise makes products stale', async () => {
  const { silverNumber, silver } = await now()
  await save(false)
  expect(await now()).toMatchObject({ silverNumber, silver: { number: silver.number + 1 } })
  await save(true)
  expect(await now()).toMatchObject({ silverNumber: silver.number + 2 })
})
