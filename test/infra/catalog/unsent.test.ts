import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { failJob, insertJob, startJob } from '../../../infra/catalog/job-table.ts'
import { countAppending } from '../../../infra/catalog/log-epochs.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { findUnsent, keepUnsent, markSent, sendersLeft, sweepUnsent } from '../../../infra/catalog/unsent.ts'
import { type JobKind, jobKinds } from '../../../infra/jobs.ts'
import { jobAppends } from '../../../schemas/job.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 3 })
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})
beforeEach(() => catalog.pipeline.query('truncate unsent, job cascade'))

async function running({ kind = 'bulk', workspace = 'ws_a' }: { kind?: JobKind; workspace?: string } = {}) {
  const id = randomUUID()
  const brand = randomUUID()
  await insertJob(catalog.pipeline, { id, workspace, brand, catalog: null, kind, input: {}, by: 'assay' })
  await startJob(catalog.pipeline, id)
  return { id, workspace, brand }
}
const keep = (sender: Awaited<ReturnType<typeof running>>) =>
  catalog.inTransaction(catalog.pipeline, (tx) => keepUnsent(tx, sender, 3, (first) => ({ first })))
const end = ({ id }: { id: string }) => failJob(catalog.pipeline, id, 'gave_up', 'It failed again and again.')
const daysLater = (days: number) =>
  catalog.pipeline.query(
    `with j as (update job set finished_at = finished_at - $1 * interval '1 day') update unsent set at = at - $1 * interval '1 day'`,
    [days],
  )
const kept = async () => (await catalog.pipeline.query('select sender from unsent')).rows.map(({ sender }) => sender)

test('what ended jobs made is sent in its order; that of jobs which run is theirs to send', async () => {
  const [first, second, runs] = [await running(), await running(), await running()]
  for (const one of [second, first, runs]) await keep(one)
  for (const one of [first, second]) await end(one)
  expect(await sendersLeft(catalog.pipeline, null)).toEqual([second.id, first.id])
})

test('a job sends its own, and what ended jobs of its workspace made', async () => {
  const [before, own, elsewhere, runs] = [
    await running(),
    await running(),
    await running({ workspace: 'ws_b' }),
    await running(),
  ]
  for (const one of [before, own, elsewhere, runs]) await keep(one)
  for (const one of [before, elsewhere]) await end(one)
  expect(await sendersLeft(catalog.pipeline, own.id)).toEqual([before.id, own.id])
})

test('what an ended job made is kept until it is sent, however long that takes, and its numbers for a day after that', async () => {
  const job = await running()
  const unsent = await keep(job)
  await end(job)
  await daysLater(3)
  await sweepUnsent(catalog.pipeline)
  expect(await findUnsent(catalog.pipeline, job.id)).toEqual(unsent)
  expect(await markSent(catalog.pipeline, job.id, unsent)).toBe(true)
  await sweepUnsent(catalog.pipeline)
  expect(await kept()).toEqual([job.id])
  await daysLater(2)
  await sweepUnsent(catalog.pipeline)
  expect(await kept()).toEqual([])
})

test.each(jobKinds)('the log is not moved under a job that appends: %s', async (kind) => {
  await running({ kind })
  expect(await countAppending(catalog.pipeline)).toBe(jobAppends[kind] ? 1 : 0)
})

test('nor while something is on its way that an ended job, or a topic of a tenant, has made', async () => {
  const job = await running()
  const unsent = await keep(job)
  expect(await countAppending(catalog.pipeline)).toBe(1)
  await end(job)
  expect(await countAppending(catalog.pipeline)).toBe(1)
  await markSent(catalog.pipeline, job.id, unsent)
  expect(await countAppending(catalog.pipeline)).toBe(0)
  await keep({ id: randomUUID(), workspace: 'ws_a', brand: randomUUID() })
  expect(await countAppending(catalog.pipeline)).toBe(1)
})
