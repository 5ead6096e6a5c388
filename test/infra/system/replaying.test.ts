import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findJob } from '../../../infra/catalog/job-table.ts'
import { findReplay } from '../../../infra/catalog/replays.ts'
import { promoteChunk } from '../../../infra/catalog/shadow-promotion.ts'
import { openPromoting } from '../../../infra/system/promoting.ts'
import { openReplaying } from '../../../infra/system/replaying.ts'
import type { ReplayRange } from '../../../transforms/replay/range.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
let catalog: string
const products = 450
beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog()
  const rows = Array.from({ length: products }, (_, n) => `R-${n},Mug ${n},${n}.00\n`)
  await assay.ingest(catalog, `sku,title,price\n${rows.join('')}`)
})
afterAll(() => assay.close())

const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32)
const everything: ReplayRange = { offsets: null, since: null, until: null, import: null, keys: null }

const silent = { send: async () => {}, rest: async () => {}, close: async () => {} }

/** One that nobody runs but the test. */
async function begun(range = everything, { share = 1, atWork = false } = {}) {
  const { catalog: stores, log } = assay.system
  const [reached, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let holds = false
  const inTransaction: typeof stores.inTransaction = async (of, work) => {
    const done = await stores.inTransaction(of, work)
    if (holds && (await shadows(replay)) > 0) {
      reached.resolve()
      await letGo.promise
    }
    return done
  }
  const replaying = openReplaying({
    ...{ catalog: { ...stores, inTransaction }, log, digest },
    others: { areAtWork: async () => atWork },
    jobs: () => silent,
  })
  const { job, replay } = await replaying.start({
    ...{ workspace, brand: null, catalog, range, pace: { rate: null, share }, by: 'test', notify: null },
    under: ({ settings, weights }) => ({ settings: { ...settings, currency: 'EUR' }, weights }),
  })
  /** Runs it until some products have their shadow and others have none; there it stands still. */
  const runToTheMiddle = async (signal: AbortSignal) => {
    holds = true
    const running = replaying.run(job, signal)
    running.catch(() => {})
    await Promise.race([reached.promise, running])
    holds = false
    return { running, goOn: letGo.resolve }
  }
  return { replaying, job, replay, runToTheMiddle }
}
const pool = () => assay.system.catalog.pipeline
async function shadows(replay: string): Promise<number> {
  const sql = 'select count(*) as n from shadow_score where replay_id = $1'
  return (await pool().query<{ n: number }>(sql, [replay])).rows[0]?.n ?? 0
}

test.each([
  ['of products', everything],
  ['of records', { ...everything, since: '2000-01-01T00:00:00Z' }],
])('one %s that is killed in the middle goes on where it was, and makes nothing twice', async (_, range) => {
  const { replaying, job, replay, runToTheMiddle } = await begun(range)
  const killed = new AbortController()
  const { running, goOn } = await runToTheMiddle(killed.signal)
  killed.abort(new Error('killed'))
  goOn()
  await expect(running).rejects.toThrow()
  const made = await shadows(replay)
  expect(made).toBeLessThan(products)
  const first = await pool().query('select product_id, xmin from shadow_score where replay_id = $1', [replay])

  await replaying.run(job, new AbortController().signal)
  expect(await findJob(pool(), job)).toMatchObject({ status: 'completed', done: products, total: products })
  expect(await findReplay(pool(), replay)).toMatchObject({
    state: 'ready',
    verdict: { compared: products, differing: { silver: products }, moved: 0, leftOut: 0 },
  })
  const again = await pool().query('select product_id, xmin from shadow_score where replay_id = $1', [replay])
  const xmin = new Map(again.rows.map((row) => [row.product_id, row.xmin]))
  for (const row of first.rows) expect(xmin.get(row.product_id)).toBe(row.xmin)
})

test('its share is what it takes of the machine while others are at work; alone it rests for nobody', async () => {
  const took = async (atWork: boolean) => {
    const { replaying, job, replay } = await begun(everything, { share: 0.02, atWork })
    const began = performance.now()
    await replaying.run(job, new AbortController().signal)
    const ms = performance.now() - began
    expect(await findReplay(pool(), replay)).toMatchObject({ verdict: { compared: products } })
    return ms
  }
  const [alone, beside] = [await took(false), await took(true)]
  expect(beside).toBeGreaterThan(alone * 5)
}, 120_000)

test('a product that is edited during it is compared as it is at the end', async () => {
  const { replay, runToTheMiddle } = await begun()
  const { running, goOn } = await runToTheMiddle(new AbortController().signal)
  const { rows } = await pool().query('select product_id as id from shadow_score where replay_id = $1 limit 1', [
    replay,
  ])
  const path = `/api/workspace/${workspace}/catalog/products/${rows[0].id}`
  expect((await assay.call('PATCH', path, { title: 'Edited meanwhile' })).status).toBe(200)
  goOn()
  await running
  expect(await findReplay(pool(), replay)).toMatchObject({ verdict: { compared: products, moved: 0 } })
  const made = await pool().query('select title from shadow_product where replay_id = $1 and product_id = $2', [
    replay,
    rows[0].id,
  ])
  expect(made.rows).toEqual([{ title: 'Edited meanwhile' }])
})

test('a product that is deleted during it is not among those that differ', async () => {
  const { replay, runToTheMiddle } = await begun()
  const { running, goOn } = await runToTheMiddle(new AbortController().signal)
  const { rows } = await pool().query('select product_id as id from shadow_score where replay_id = $1 limit 1', [
    replay,
  ])
  const path = `/api/workspace/${workspace}/catalog/products/${rows[0].id}`
  expect((await assay.call('DELETE', path)).status).toBeLessThan(300)
  goOn()
  await running
  expect(await findReplay(pool(), replay)).toMatchObject({
    verdict: { compared: products, unscored: 1, differing: { merge: 0, silver: products - 1, gold: 0 }, moved: 0 },
  })
  const back = await assay.call('POST', `${path}/undelete`)
  expect(back.status).toBeLessThan(300)
})

test('one that is cancelled is discarded, and the catalog is as it was', async () => {
  const { replaying, job, replay } = await begun()
  await expect(replaying.run(job, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled')
  await replaying.end(job, new AbortController().signal)
  expect(await findReplay(pool(), replay)).toMatchObject({ state: 'discarded', verdict: null })
  expect(await findJob(pool(), job)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
})

test('a promotion that is killed between a chunk and its place goes on, and writes no product twice', async () => {
  const { replaying, job, replay } = await begun()
  await replaying.run(job, new AbortController().signal)
  const { catalog: stores, refresher, jobControl } = assay.system
  const promoting = openPromoting({ catalog: stores, refresher, jobControl, jobs: () => silent })
  const row = await findReplay(pool(), replay)
  if (!row) throw new Error('the replay is gone')
  const promotion = await promoting.promote(row, { by: 'test', requestId: 'test', notify: null })
  expect(await promoteChunk(pool(), replay, catalog, null)).toMatchObject({ written: products, moved: [] })
  const revs = async () =>
    (await pool().query('select product_id, rev, currency from products where catalog_id = $1 order by 1', [catalog]))
      .rows
  const written = await revs()
  expect(new Set(written.map(({ currency }) => currency))).toEqual(new Set(['EUR']))

  await promoting.run(promotion, new AbortController().signal)
  expect(await findJob(pool(), promotion)).toMatchObject({ status: 'completed', result: { changed: 0 } })
  expect(await findReplay(pool(), replay)).toMatchObject({ state: 'promoted', promoteJob: promotion })
  expect(await revs()).toEqual(written)
})
