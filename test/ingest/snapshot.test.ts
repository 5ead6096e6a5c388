import { hash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { releaseImport } from '../../infra/catalog/import-decisions.ts'
import { findJob, insertJob } from '../../infra/catalog/job-table.ts'
import { openImports } from '../../infra/system/imports.ts'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { type Story, telling } from './story.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay({ guardShare: 0.3 })
})
afterAll(() => assay.close())

const tells = (tell: (story: Story) => Promise<void>) => telling(() => assay, tell)
const snapshot = { source: 'nightly', mode: 'snapshot' }
const nightly = { source: 'nightly' }
const file = (from: number, to: number, word = 'Mug') =>
  `sku,title\n${Array.from({ length: to - from }, (_, i) => `S-${from + i},${word} ${from + i}\n`).join('')}`
const skus = async (story: Story) => (await story.products()).map(({ sku }) => sku).sort()
const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `S-${from + i}`).sort()
const importing = ({ catalog }: Story) =>
  `/api/workspace/${workspace}/datasets/ingest?${new URLSearchParams({ catalog_id: catalog, ...snapshot })}`
const ledger = async (id: string) => (await assay.call('GET', `/api/workspace/${workspace}/imports/${id}`)).body.import

describe.concurrent('a snapshot', () => {
  test(
    'withdraws what its file lacks, counts it beside the rows, and brings back what is listed again',
    tells(async (story) => {
      await story.ingest(file(0, 10), nightly)
      const second = await story.ingest(file(2, 12), snapshot)
      expect(second).toMatchObject({ read: 10, created: 2, unchanged: 8, rejected: 0, removed: 2 })
      expect(await skus(story)).toEqual(numbered(2, 12))
      expect(await ledger(second.importId)).toMatchObject({
        mode: 'snapshot',
        removed: 2,
        read: 10,
        state: 'completed',
      })
      expect(await story.ingest(file(1, 12), snapshot)).toMatchObject({ created: 1, unchanged: 10, removed: 0 })
      expect(await skus(story)).toEqual(numbered(1, 12))
    }),
  )

  test(
    'that is previewed tells what it would remove, and whether it would be held',
    tells(async (story) => {
      await story.ingest(file(0, 10), nightly)
      const dryRun = async (text: string) => {
        const query = new URLSearchParams({ catalog_id: story.catalog, ...snapshot })
        const path = `/api/workspace/${workspace}/import/preview?${query}`
        return (await assay.job((await assay.call('POST', path, Buffer.from(text))).body.job.id)).result
      }
      expect(await dryRun(file(2, 12))).toMatchObject({
        ...{ read: 10, created: 2, unchanged: 8, removed: 2 },
        guard: { removed: 2, products: 10, share: 0.2, limit: 0.3, reasons: [] },
      })
      const held = await dryRun(file(4, 10))
      expect(held).toMatchObject({ unchanged: 6, removed: 4 })
      const { body } = await assay.call('POST', importing(story), Buffer.from(file(4, 10)))
      const { result } = await assay.job(body.job.id)
      expect(result).toMatchObject({ state: 'held' })
      expect((held as unknown as Record<string, unknown>).guard).toEqual(
        (result as unknown as Record<string, unknown>).guard,
      )
    }),
  )

  test(
    'leaves what other sources and edits say, and a product that another source lists',
    tells(async (story) => {
      await story.ingest(file(0, 10), nightly)
      await story.ingest('sku,title,color\nS-0,Mug of the trader,Blue\n', { source: 'trader' })
      await story.ingest(file(2, 10), snapshot)
      expect(await skus(story)).toEqual([...numbered(2, 10), 'S-0'].sort())
      const left = (await story.products()).find(({ sku }) => sku === 'S-0')
      expect(left).toMatchObject({ title: 'Mug of the trader', color: 'Blue' })
    }),
  )

  test(
    'is undone whole: what it withdrew comes back, but for what a later snapshot lacks too; redo takes it out again',
    tells(async (story) => {
      await story.ingest(file(0, 10), nightly)
      const second = await story.ingest(file(2, 10), snapshot)
      await story.undo(second)
      expect(await skus(story)).toEqual(numbered(0, 10))
      await story.redo(second)
      expect(await skus(story)).toEqual(numbered(2, 10))
      const third = await story.ingest(file(1, 10), snapshot)
      expect(third).toMatchObject({ created: 1, removed: 0 })
      await story.undo(second)
      expect(await skus(story)).toEqual(numbered(1, 10))
      await story.undo(third)
      expect(await skus(story)).toEqual(numbered(0, 10))
    }),
    60_000,
  )

  test(
    'is held where it would remove more than may change, and removes it when it is released',
    tells(async (story) => {
      await story.ingest(file(0, 10), nightly)
      const second = await story.ingest(file(4, 10), snapshot)
      expect(second).toMatchObject({ state: 'held', removed: 0 })
      expect((await ledger(second.importId)).guard).toMatchObject({ removed: 4, changed: 0, share: 0.4, unchanged: 6 })
      expect(await skus(story)).toHaveLength(10)
      await assay.change(second.importId, 'release')
      expect(await ledger(second.importId)).toMatchObject({ state: 'completed', removed: 4, read: 6 })
      expect(await skus(story)).toEqual(numbered(4, 10))
    }),
  )

  test(
    'of a handful of products is not held for its share, but before it leaves its source nothing',
    tells(async (story) => {
      await story.ingest(file(0, 3), nightly)
      expect(await story.ingest(file(0, 3, 'Bowl').replace('S-2,Bowl', 'S-2,Mug'), nightly)).toMatchObject({
        ...{ read: 3, updated: 2, unchanged: 1 },
      })
      expect(await story.ingest(file(1, 3, 'Bowl'), snapshot)).toMatchObject({ read: 2, removed: 1 })
      expect(await story.ingest(file(5, 8), snapshot)).toMatchObject({ state: 'held', removed: 0 })
      expect(await skus(story)).toEqual(numbered(1, 3))
    }),
  )

  test(
    'is held where a row cannot be read whose product would go as missing',
    tells(async (story) => {
      await story.ingest(file(0, 10), nightly)
      const second = await story.ingest(file(1, 10).replace('S-9,Mug 9', 'S-9'), snapshot)
      expect(second).toMatchObject({ state: 'held' })
      expect((await ledger(second.importId)).guard.reasons).toEqual([expect.stringContaining('1 rows')])
    }),
  )

  test(
    'of a source that the catalog does not know removes nothing',
    tells(async (story) => {
      await story.ingest(file(0, 10), nightly)
      const other = await story.ingest('sku,title\nX-1,Pan\nX-2,Pot\n', { source: 'other', mode: 'snapshot' })
      expect(other).toMatchObject({ created: 2, removed: 0 })
      expect(await skus(story)).toHaveLength(12)
    }),
  )
})

test('a snapshot that is cut off after every transaction ends as one that was not', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file(0, 3_000), nightly)
  const held = (await assay.ingest(catalog, file(2_500, 3_500), snapshot)).result
  expect(held).toMatchObject({ state: 'held' })
  const { config, catalog: store, log } = assay.system
  const pool = store.pipeline
  const row = await ledger(held.importId)
  const job = randomUUID()
  await store.inTransaction(pool, async (tx) => {
    const of = { workspace, brand: row.brandId, catalog, kind: 'import', by: 'test' }
    await insertJob(tx, { id: job, ...of, input: { import: held.importId } })
    await releaseImport(tx, held.importId, job)
  })
  const inTransaction: typeof store.inTransaction = async (...args) => {
    await store.inTransaction(...args)
    throw new Error('killed')
  }
  const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32)
  const { egress, following } = assay.system
  const parts = { config, log, digest, egress, following, jobs: () => null }
  let cuts = 0
  for (; (await findJob(pool, job))?.status !== 'completed'; cuts++) {
    const { run } = openImports({ ...parts, catalog: { ...store, inTransaction } })
    await run(job, new AbortController().signal).catch((error: Error) => {
      if (error.message !== 'killed') throw error
    })
    expect(cuts).toBeLessThan(20)
  }
  expect(cuts).toBeGreaterThan(2)
  const counts = { read: 1_000, created: 500, unchanged: 500, duplicate: 0, rejected: 0, removed: 2_500 }
  expect(await ledger(held.importId)).toMatchObject({ state: 'completed', ...counts })
  const { rows } = await pool.query('select count(*) as n from products where catalog_id = $1 and alive', [catalog])
  expect(rows).toEqual([{ n: 1_000 }])
}, 120_000)
