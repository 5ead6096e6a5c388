import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRefining } from '../../../infra/system/refining.ts'
import { rubricVersion } from '../../../transforms/gold/rubric.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const file = [
  'sku,title,description,brand,price,currency,availability,image,link',
  'S-1,Enamel mug,A mug of thick enamel,Lumo,9.50,EUR,in stock,https://cdn.example.test/m.jpg,https://shop.example/m',
  'S-2,Linen cloth,A cloth of linen,Lumo,5.00,EUR,in stock,https://cdn.example.test/c.jpg,https://shop.example/c',
].join('\n')

/** As a process of this rubric does when it starts. */
const start = () => {
  const { catalog, refresher, jobs } = assay.system
  return openRefining({ catalog, refresher, jobs: () => jobs }).auto()
}
const gradedBefore = (catalog: string) =>
  assay.system.catalog.pipeline.query(
    `update product_score set rubric_version = $2, valid = 7, rule_points = '\\x00' where catalog_id = $1`,
    [catalog, rubricVersion - 1],
  )
const refineJobs = async () =>
  (await assay.call('GET', `/api/workspace/${workspace}/jobs?kind=refine`)).body.jobs as { status: string }[]

test('products of an older rubric are not feed-ready and stale until a new process has graded them again', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file)
  await assay.publish(catalog)
  const [before] = await assay.products(catalog, { sku: 'S-1' })
  expect(before).toMatchObject({ feedReady: true, stale: false })
  await gradedBefore(catalog)
  const [old] = await assay.products(catalog, { sku: 'S-1' })
  expect(old).toMatchObject({
    feedReady: false,
    feedReadyFor: { google: false, meta: false, openai: false },
    stale: true,
    optimizationScore: before?.optimizationScore,
  })
  for (const query of [{ feed_ready: 'true' }, { gap: 'title' }, { missing: 'gtin' }] as Record<string, string>[])
    expect(await assay.products(catalog, query)).toEqual([])

  await start()
  const again = async () => (await assay.products(catalog)).map(({ stale }) => stale)
  await expect.poll(again, { timeout: 10_000 }).toEqual([false, false])
  expect(await assay.products(catalog, { sku: 'S-1' })).toEqual([before])
  expect(await assay.products(catalog, { missing: 'gtin' })).toHaveLength(2)
  expect(await assay.publish(catalog)).toMatchObject({ changeCount: 0 })
  expect(await refineJobs()).toHaveLength(1)
  await start()
  expect(await refineJobs()).toHaveLength(1)
})

test('a batch run over gold grades them too', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file)
  await gradedBefore(catalog)
  await assay.call('POST', `/api/workspace/${workspace}/catalogs/${catalog}/batch/gold`, { scope: 'all' })
  expect((await assay.products(catalog)).map(({ stale, feedReady }) => [stale, feedReady])).toEqual([
    [false, true],
    [false, true],
  ])
})
