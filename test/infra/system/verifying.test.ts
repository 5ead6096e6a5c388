import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findJob, insertJob } from '../../../infra/catalog/job-table.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
let catalog: string
let ids: string[]
beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog()
  const rows = Array.from({ length: 6 }, (_, n) => `R-${n},Mug ${n},1.00\n`)
  await assay.ingest(catalog, `sku,title,price\n${rows.join('')}`)
  ids = (await assay.products(catalog)).map(({ id }) => id).sort()
})
afterAll(() => assay.close())

const none = { equal: 0, stale: 0, differing: 0, differingAt: { merge: 0, silver: 0, gold: 0 }, examples: [] }

/** A job that another process began, and that has come so far. */
async function begun(input: object, cursor: object | null): Promise<string> {
  const { pipeline } = assay.system.catalog
  const brand = (await pipeline.query('select brand_id as id from catalog where catalog_id = $1', [catalog])).rows[0].id
  const id = randomUUID()
  await insertJob(pipeline, {
    ...{ id, workspace, brand, catalog, kind: 'verify', by: 'test', input: { catalog, from: null, ...input } },
  })
  await pipeline.query(`update job set status = 'active', cursor = $2 where job_id = $1`, [
    id,
    cursor && JSON.stringify(cursor),
  ])
  return id
}
const going = () => new AbortController().signal
const jobOf = (id: string) => findJob(assay.system.catalog.pipeline, id)

test('a verification that was cut off goes on behind the product that it had come to', async () => {
  const cursor = { ...none, compared: 4, equal: 4, after: ids[3], turned: true }
  const id = await begun({ sample: null }, cursor)
  await assay.system.verifying.run(id, going())
  expect(await jobOf(id)).toMatchObject({ status: 'completed', result: { compared: 6, equal: 6, differing: 0 } })
})

test('one that was cut off behind its last row counts none of them again', async () => {
  const lookedTo = '00000000-0000-0000-0000-000000000000'
  const cursor = { ...none, lost: 0, lostProducts: [], compared: 6, equal: 6, after: null, turned: true, lookedTo }
  const id = await begun({ sample: null }, cursor)
  await assay.system.verifying.run(id, going())
  expect(await jobOf(id)).toMatchObject({ status: 'completed', result: { compared: 6, equal: 6, lost: 0 } })
})

test('a sample that begins at the last products goes on with the first, and takes none twice', async () => {
  const id = await begun({ sample: 5, from: ids[3] }, null)
  await assay.system.verifying.run(id, going())
  expect(await jobOf(id)).toMatchObject({ status: 'completed', result: { compared: 5, equal: 5 } })
  const most = await begun({ sample: 50, from: ids[3] }, null)
  await assay.system.verifying.run(most, going())
  expect(await jobOf(most)).toMatchObject({ status: 'completed', result: { compared: 6, equal: 6 } })
})

test('one that is cancelled stops, and says how far it came and what it had found', async () => {
  const id = await begun({ sample: null }, { ...none, compared: 4, equal: 3, stale: 1, after: ids[3], turned: true })
  await expect(assay.system.verifying.run(id, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled')
  await assay.system.verifying.end(id, going())
  expect(await jobOf(id)).toMatchObject({
    status: 'failed',
    error: { code: 'cancelled', message: 'It was cancelled after 4 products, of which 0 differ.' },
    result: { compared: 4, equal: 3, stale: 1 },
  })
})
