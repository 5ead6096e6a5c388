import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findJob, insertJob } from '../../../infra/catalog/job-table.ts'
import { openBulkEdits } from '../../../infra/system/bulk-edits.ts'
import { openRefining } from '../../../infra/system/refining.ts'
import { openUndoing } from '../../../infra/system/undoing.ts'
import { enough } from '../../enough.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { saveSettings, settled } from '../../serving/workspace/pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const rows = 1_300

async function shop(): Promise<string> {
  const catalog = await assay.newCatalog()
  const lines = Array.from({ length: rows }, (_, i) => `S-${i},Mug ${i},Glossy ${i},"1,50"`)
  await assay.ingest(catalog, `sku,title,finish,price\n${lines.join('\n')}\n`)
  return catalog
}

/** A row that no queue knows, so that only the test runs the job. */
async function newJob(catalog: string, kind: string, input: (job: { brand: string }) => unknown): Promise<string> {
  const pool = assay.system.catalog.pipeline
  const { rows } = await pool.query<{ brand: string }>('select brand_id as brand from catalog where catalog_id = $1', [
    catalog,
  ])
  const brand = rows[0]?.brand ?? ''
  const id = randomUUID()
  await insertJob(pool, { id, workspace, brand, catalog, kind, input: input({ brand }), by: 'test' })
  return id
}

/** Lets a step through whole and then breaks, again and again, as a process that is killed after it. */
async function untilDone(id: string, run: (id: string, cut: () => void) => Promise<void>): Promise<number> {
  const pool = assay.system.catalog.pipeline
  for (let cuts = 0; ; cuts++) {
    await run(id, () => {
      throw new Error('killed')
    }).catch((error: Error) => {
      if (error.message !== 'killed') throw error
    })
    if ((await findJob(pool, id))?.status === 'completed') return cuts
  }
}

const { signal } = new AbortController()

test('a bulk job that is cut off after every step ends as one that was not, with each product edited once', async () => {
  const catalog = await shop()
  const {
    bulk,
    catalog: store,
    edits: { familyFor },
    following,
  } = assay.system
  const edit = { workspace, target: { catalog, alive: true }, cells: { brand: 'Lumo' }, by: 'test' }
  const id = await newJob(catalog, 'bulk', ({ brand }) => ({ ...edit, brand }))
  const cuts = await untilDone(id, (job, cut) => {
    const step: typeof bulk.step = async (...args) => {
      await bulk.step(...args)
      cut()
    }
    const parts = { catalog: store, bulk: { ...bulk, step }, jobs: () => null, familyFor, following }
    return openBulkEdits(parts).run(job, signal)
  })
  expect(cuts).toBe(3)
  const { result } = (await findJob(store.pipeline, id)) ?? {}
  expect(result).toEqual({ matched: rows, changed: rows, unchanged: 0, refused: 0, missing: 0 })
  const { rows: found } = await store.pipeline.query(
    `select count(*) as n, count(*) filter (where refined->>'brand' = 'Lumo') as branded from products where catalog_id = $1`,
    [catalog],
  )
  expect(found).toEqual([{ n: rows, branded: rows }])
})

test('a bulk job that two processes run at once is done once', async () => {
  const catalog = await shop()
  const { bulk, catalog: store } = assay.system
  const edit = { workspace, target: { catalog, alive: true }, cells: { brand: 'Lumo' }, by: 'test' }
  const id = await newJob(catalog, 'bulk', ({ brand }) => ({ ...edit, brand }))
  const {
    edits: { familyFor },
    following,
  } = assay.system
  const edits = openBulkEdits({ catalog: store, bulk, jobs: () => null, familyFor, following })
  const ends = await Promise.allSettled([edits.run(id, signal), edits.run(id, signal)])
  expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect((await findJob(store.pipeline, id))?.result).toMatchObject({ matched: rows, changed: rows, unchanged: 0 })
})

test('a refine job that is cut off after every page ends as one that was not; a save meanwhile begins it anew', async () => {
  const catalog = await shop()
  const { refresher, catalog: store } = assay.system
  const id = await newJob(catalog, 'refine', () => ({}))
  await saveSettings(assay, { mappings: { every_source: { finish: 'title' }, by_source: {} } })
  let pages = 0
  const cuts = await untilDone(id, async (job, cut) => {
    const refresh: typeof refresher.refresh = async (...args) => {
      const done = await refresher.refresh(...args)
      if (++pages === 2)
        await saveSettings(assay, { mappings: { every_source: { finish: 'material' }, by_source: {} } })
      cut()
      return done
    }
    await openRefining({ catalog: store, refresher: { refresh }, jobs: () => null }).run(job, signal)
  })
  expect(cuts).toBeGreaterThan(3)
  await settled(assay)
  const { rows: found } = await store.pipeline.query(
    `select count(*) as n, count(*) filter (where refined->>'material' = 'Glossy ' || substr(sku, 3)) as material,
            count(*) filter (where title = 'Mug ' || substr(sku, 3)) as title, count(*) filter (where stage = 'gold') as gold
       from products where catalog_id = $1`,
    [catalog],
  )
  expect(found).toEqual([{ n: rows, material: rows, title: rows, gold: rows }])
})

test('an undo that is cut off after every step ends as one that was not', async () => {
  const catalog = await assay.newCatalog()
  const lines = Array.from({ length: enough(11_000, 20_000) }, (_, i) => `S-${i},Mug ${i}`)
  const { result } = await assay.ingest(catalog, `sku,title\n${lines.join('\n')}\n`)
  const { bulk, catalog: store, log } = assay.system
  const ends = await log.ends('products.bronze')
  const id = await newJob(catalog, 'undo', () => ({ import: result.importId }))
  const sql = 'update import set change_job = $2 where import_id = $1'
  await store.pipeline.query(sql, [result.importId, id])
  const cuts = await untilDone(id, (job, cut) => {
    const step: typeof bulk.step = async (...args) => {
      await bulk.step(...args)
      cut()
    }
    const parts = { catalog: store, log, following: assay.system.following, jobs: () => null, now: () => new Date() }
    return openUndoing({ ...parts, bulk: { ...bulk, step } }).runUndo(job, signal)
  })
  expect(cuts).toBeGreaterThan(1)
  expect((await findJob(store.pipeline, id))?.result).toEqual({ importId: result.importId, records: lines.length })
  const after = await log.ends('products.bronze')
  expect(after.reduce((sum, end, i) => sum + end - (ends[i] ?? 0), 0)).toBe(lines.length)
  const alive = 'select count(*) as n from products where catalog_id = $1 and alive'
  expect((await store.pipeline.query(alive, [catalog])).rows).toEqual([{ n: 0 }])
  const { rows: changed } = await store.pipeline.query(
    'select change_job, undone_at from import where import_id = $1',
    [result.importId],
  )
  expect(changed).toEqual([{ change_job: null, undone_at: expect.any(Date) }])
}, 60_000)
