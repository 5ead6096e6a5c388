import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findJob, insertJob } from '../../../infra/catalog/job-table.ts'
import type { ByTurns } from '../../../infra/egress/by-turns.ts'
import { openPictures } from '../../../infra/pictures.ts'
import { openImageChecks } from '../../../infra/system/image-checks.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const { signal } = new AbortController()
const products = 1_200
const hosts = 12

let shops = 0
/** Each with images of its own: what one catalog of a brand knows, another does not ask. */
async function shop(): Promise<string> {
  const catalog = await assay.newCatalog()
  shops++
  const lines = Array.from(
    { length: products },
    (_, i) => `S-${i},Mug,https://cdn-${i % hosts}.example.test/${shops}/${i}.jpg`,
  )
  await assay.ingest(catalog, `sku,title,images\n${lines.join('\n')}\n`)
  return catalog
}

/** A row that no queue knows, so that only the test runs the job. */
async function newJob(catalog: string): Promise<string> {
  const pool = assay.system.catalog.pipeline
  const { rows } = await pool.query<{ brand: string }>('select brand_id as brand from catalog where catalog_id = $1', [
    catalog,
  ])
  const scope = { workspace, brand: rows[0]?.brand ?? '', catalog }
  const id = randomUUID()
  await insertJob(pool, { ...scope, id, kind: 'check_images', input: { products: null, recheck: false }, by: 'test' })
  return id
}

/** Answers at once that every image is gone, and remembers which were asked for. */
function answering(asked: string[], before: () => void = () => {}): ByTurns {
  return {
    ask: async (address, _ask, read) => {
      before()
      asked.push(address)
      const body = (async function* () {})()
      return read({ url: new URL(address), status: address.endsWith('00.jpg') ? 404 : 410, headers: {}, body })
    },
  }
}

const pictures = openPictures(1_000_000)
const appended = async () => (await assay.system.log.ends('products.bronze')).reduce((sum, end) => sum + end, 0)

test('a check that is cut off again and again ends as one that was not: each image fetched once, each product told once', async () => {
  const catalog = await shop()
  const id = await newJob(catalog)
  const { bulk, catalog: store } = assay.system
  const before = await appended()
  const asked: string[] = []
  let steps = 0
  const cutEvery = (n: number) => () => {
    if (++steps % n === 0) throw new Error('killed')
  }
  let cuts = 0
  for (; (await findJob(store.pipeline, id))?.status !== 'completed'; cuts++) {
    const cut = cutEvery(301)
    const step: typeof bulk.step = async (...args) => {
      await bulk.step(...args)
      throw new Error('killed')
    }
    const parts = { catalog: store, bulk: { ...bulk, step }, jobs: () => null, pictures }
    await openImageChecks({ ...parts, hosts: answering(asked, cut) })
      .run(id, signal)
      .catch((error: Error) => {
        if (error.message !== 'killed') throw error
      })
  }
  expect(cuts).toBeGreaterThan(5)
  expect(asked).toHaveLength(products)
  expect(new Set(asked).size).toBe(products)
  expect(await appended()).toBe(before + products)
  expect((await findJob(store.pipeline, id))?.result).toMatchObject({
    ...{ fetched: products, images: { dead: products }, changed: products },
  })
}, 60_000)

test('two processes that run one check do not tell a product twice', async () => {
  const catalog = await shop()
  const id = await newJob(catalog)
  const { bulk, catalog: store } = assay.system
  const before = await appended()
  const checks = openImageChecks({ catalog: store, bulk, jobs: () => null, pictures, hosts: answering([]) })
  const ends = await Promise.allSettled([checks.run(id, signal), checks.run(id, signal)])
  expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect((await findJob(store.pipeline, id))?.status).toBe('completed')
  expect(await appended()).toBe(before + products)
}, 60_000)

test('a check whose catalog was deleted meanwhile writes nothing more', async () => {
  const catalog = await shop()
  const id = await newJob(catalog)
  const { bulk, catalog: store } = assay.system
  let stopped = false
  const stop = async () => {
    stopped = true
    await store.pipeline.query(`update job set status = 'failed', finished_at = now() where job_id = $1`, [id])
  }
  const asked: string[] = []
  const hosts: ByTurns = {
    async ask(...args) {
      if (!stopped && asked.length === 50) await stop()
      return answering(asked).ask(...args)
    },
  }
  const checks = openImageChecks({ catalog: store, bulk, jobs: () => null, pictures, hosts })
  await expect(checks.run(id, signal)).rejects.toThrow('is not running')
  const { rows } = await store.pipeline.query(
    'select count(*) filter (where state is not null) as n from image_check where catalog_id = $1',
    [catalog],
  )
  expect(Number(rows[0]?.n)).toBeLessThan(100)
})
