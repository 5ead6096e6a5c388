import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openCatalog } from '../../../infra/catalog/postgres.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { openEdits } from '../../../infra/system/edits.ts'
import { topics } from '../../../schemas/topics.ts'
import { freshDatabase } from '../../harness.ts'

test('where no worker takes it, an edit is told with its place on the log, and is there', async () => {
  const database = await freshDatabase()
  const catalog = openCatalog(database.url)
  await ensureWorkspace(catalog.pipeline, 'ws_test', 'Test')
  const log = postgresLog(catalog.pipeline, { epoch: 1, partitions: 4 })
  const edits = openEdits({ catalog, log, settleWithinMs: 50 })
  const scope = { workspace: 'ws_test', brand: randomUUID(), catalog: randomUUID(), by: 'test' }
  const made = await edits.create(scope, { title: 'Mug', sku: 'LATE-1' })
  expect(made?.settled).toMatchObject({ kind: 'late', position: { epoch: 1, offset: 0 } })
  const partition = log.partitionOf(made?.product ?? '')
  const [stored] = await log.read(topics.bronze, partition, 0, 1)
  expect(JSON.parse(String(stored?.value))).toMatchObject({
    product: made?.product,
    by: 'test',
    cells: { title: 'Mug' },
  })
  await catalog.close()
  await database.drop()
})
