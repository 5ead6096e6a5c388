import { hash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findJob, insertJob } from '../../../infra/catalog/job-table.ts'
import { openDuplicates } from '../../../infra/system/duplicates.ts'
import { largestBlock } from '../../../transforms/duplicates/blocking-keys.ts'
import { mulberry32 } from '../../faults/mulberry.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { labelled } from '../../transforms/duplicates/labelled.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const head = 'sku,title,brand,price,currency,gtin,mpn'
const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32)
const { signal } = new AbortController()

/** Rows of a labelled set; a SKU tells each apart. */
function linesOf(seed: number, things: number): string[] {
  const cell = (text: string | null) => (text === null ? '' : `"${text.replaceAll('"', '""')}"`)
  return labelled(seed, things).map(({ product: { title, brand, price, gtin, mpn } }, i) =>
    [`S-${i}`, cell(title), cell(brand), price, 'EUR', gtin ?? '', mpn ?? ''].join(','),
  )
}

const take = (catalog: string, lines: readonly string[], source = 'one') =>
  assay.ingest(catalog, [head, ...lines, ''].join('\n'), { source })

/** A row that no queue knows, so that only the test runs the job; what follows by itself leaves the catalog to it. */
async function order(catalog: string): Promise<string> {
  const pool = assay.system.catalog.pipeline
  const sql = 'select brand_id as brand from catalog where catalog_id = $1'
  const brand = (await pool.query<{ brand: string }>(sql, [catalog])).rows[0]?.brand ?? ''
  const id = randomUUID()
  await insertJob(pool, { id, workspace, brand, catalog, kind: 'duplicates', input: {}, by: 'test' })
  return id
}

const store = () => assay.system.catalog
async function look(catalog: string): Promise<unknown> {
  const id = await order(catalog)
  await openDuplicates({ catalog: store(), jobs: () => null, digest }).run(id, signal)
  const job = await findJob(store().pipeline, id)
  expect(job?.status).toBe('completed')
  return job?.result
}

/** What was found, in words that are the same in every catalog. */
async function found(catalog: string): Promise<string[]> {
  const { rows } = await store().pipeline.query<{ says: string }>(
    `select string_agg(p.sku || ' ' || m.confidence || ' ' || m.reasons, ', ' order by p.sku) as says
       from duplicate_member m join products p on p.catalog_id = m.catalog_id and p.product_id = m.product_id
      where m.catalog_id = $1 group by m.group_id order by 1`,
    [catalog],
  )
  return rows.map(({ says }) => says)
}

test('the order of rows, one import or several, and what was found before never change the groups', async () => {
  const lines = linesOf(3, 120)
  const plain = await assay.newCatalog()
  await take(plain, lines)
  await look(plain)
  const groups = await found(plain)
  expect(groups.length).toBeGreaterThan(50)
  const random = mulberry32(11)
  for (let round = 0; round < 3; round++) {
    const shuffled = lines
      .map((line) => [random(), line] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, line]) => line)
    const catalog = await assay.newCatalog()
    const cut = Math.floor(random() * lines.length)
    await take(catalog, shuffled.slice(0, cut))
    await look(catalog)
    await take(catalog, shuffled.slice(cut))
    await look(catalog)
    expect(await found(catalog)).toEqual(groups)
  }
})

test('a block that grows beyond the cap is told as skipped, and is compared again once it fits', async () => {
  const rows = Array.from({ length: largestBlock + 5 }, (_, i) => `C-${i},${digest(`${i}`)},,,EUR,4006381333931,`)
  const catalog = await assay.newCatalog()
  await take(catalog, rows.slice(0, 20))
  expect(await look(catalog)).toMatchObject({ groups: 1, members: 20, skipped: 0 })
  await take(catalog, rows.slice(20))
  expect(await look(catalog)).toMatchObject({ groups: 0, members: 0, skipped: rows.length })
  const base = `/api/workspace/${workspace}/catalog/products`
  for (const sku of ['C-1', 'C-2', 'C-3', 'C-4', 'C-44']) {
    const [product] = await assay.products(catalog, { sku })
    expect((await assay.call('DELETE', `${base}/${product?.id}`)).status).toBe(200)
  }
  expect(await look(catalog)).toMatchObject({ groups: 1, members: largestBlock, skipped: 0 })
})

test('a job that is killed after every step ends as one that was not, with nothing twice', async () => {
  const lines = linesOf(4, 300)
  const plain = await assay.newCatalog()
  await take(plain, lines)
  const whole = await look(plain)
  const catalog = await assay.newCatalog()
  await take(catalog, lines)
  const id = await order(catalog)
  const pool = store().pipeline
  const cutting: Running['system']['catalog']['inTransaction'] = async (...args) => {
    await store().inTransaction(...args)
    throw new Error('killed')
  }
  let kills = 0
  for (; (await findJob(pool, id))?.status !== 'completed'; kills++) {
    const killed = openDuplicates({ catalog: { ...store(), inTransaction: cutting }, jobs: () => null, digest })
    const cut = await killed.run(id, signal).catch((error: Error) => error.message)
    if (cut !== 'killed') break
    // All steps are done, and the end alone is cut off again and again.
    const { rows } = await pool.query('select from duplicate_state where catalog_id = $1 and not busy', [catalog])
    if (rows.length > 0) await openDuplicates({ catalog: store(), jobs: () => null, digest }).run(id, signal)
  }
  expect(kills).toBeGreaterThan(4)
  expect((await findJob(pool, id))?.result).toEqual(whole)
  expect(await found(catalog)).toEqual(await found(plain))
})

test('a job that is cancelled keeps what it did, and what is left follows by itself', async () => {
  const lines = linesOf(6, 60)
  const catalog = await assay.newCatalog()
  await take(catalog, lines)
  const id = await order(catalog)
  const stop = new AbortController()
  const stopping: Running['system']['catalog']['inTransaction'] = async (...args) => {
    const done = await store().inTransaction(...args)
    stop.abort(new Error('cancelled'))
    return done
  }
  const stopped = openDuplicates({ catalog: { ...store(), inTransaction: stopping }, jobs: () => null, digest })
  await expect(stopped.run(id, stop.signal)).rejects.toThrow('cancelled')
  await assay.system.jobControl.end.duplicates(id, signal)
  expect(await findJob(store().pipeline, id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
  const plain = await assay.newCatalog()
  await take(plain, lines)
  await look(plain)
  const groups = await found(plain)
  await expect.poll(() => found(catalog), { timeout: 20_000 }).toEqual(groups)
})
