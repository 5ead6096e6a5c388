import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brandNamed } from '../../../infra/catalog/brands.ts'
import { insertTarget } from '../../../infra/catalog/feed-targets.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { openSealing } from '../../../infra/seal.ts'
import { sealAnew } from '../../../infra/system/seal-anew.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 2 })
  await ensureWorkspace(catalog.pipeline, 'ws_sealed', 'Sealed')
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

test('what opens a target is sealed under the present key, and opens there alone; a key that is lost is told', async () => {
  const [former, present] = [randomBytes(32), randomBytes(32)]
  const brand = (await brandNamed(catalog.pipeline, 'ws_sealed', 'main')) ?? ''
  const id = randomUUID()
  const place = { host: 'sftp.shop.example', port: 22, user: 'shop', path: '' }
  const target = { id, workspace: 'ws_sealed', brand, platform: 'google', kind: 'sftp', place, hostKey: null } as const
  await catalog.inTransaction(catalog.pipeline, (tx) =>
    insertTarget(tx, { ...target, by: 'ada' }, openSealing([former]).seal('{"password":"open sesame"}', id)),
  )
  const told: unknown[] = []
  await sealAnew(catalog.pipeline, openSealing([present]), (error) => told.push(error))
  expect(String(told)).toContain('secrets of feed targets')
  await sealAnew(catalog.pipeline, openSealing([present, former]), (error) => told.push(error))
  expect(told).toHaveLength(1)
  const { rows } = await catalog.pipeline.query('select key_id as "keyId", sealed from feed_target')
  expect(openSealing([present]).open(rows[0], id)).toBe('{"password":"open sesame"}')
  expect(() => openSealing([present]).open(rows[0], randomUUID())).toThrow()
})
