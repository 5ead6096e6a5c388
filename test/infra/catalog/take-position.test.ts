import { afterAll, beforeAll, expect, test } from 'vitest'
import { advancePosition, claimPosition } from '../../../infra/catalog/advance-position.ts'
import { type Catalog, connect, openCatalog } from '../../../infra/catalog/postgres.ts'
import { takePosition } from '../../../infra/catalog/take-position.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

test('a process that was stopped in the middle of a batch loses it, and the partition, to the one that has it now', async () => {
  const place = ['products', 1, 'taken', 0] as const
  const [group, epoch, topic, partition] = place
  const { ownerEpoch = 0 } = (await claimPosition(catalog.pipeline, ...place, null)) ?? {}
  const stopped = await connect(database.url)
  await stopped.query('begin')
  const claim = { group, epoch, topic, partition, ownerEpoch }
  expect(await advancePosition(stopped, claim, 0, 10)).toBe(true)

  expect(await takePosition(catalog.pipeline, place, 50)).toEqual({ nextOffset: 0, ownerEpoch: ownerEpoch + 1 })
  await expect(stopped.query('commit')).rejects.toThrow()
  await stopped.end().catch(() => {})
  const late = catalog.inTransaction(catalog.pipeline, (tx) => advancePosition(tx, claim, 0, 10))
  expect(await late).toBe(false)
})
