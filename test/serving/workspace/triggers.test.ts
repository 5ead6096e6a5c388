import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'
import { saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
beforeEach(async () => {
  await saveSettings(assay, { auto_silver: true, auto_gold: true })
  await settled(assay)
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const batch = (what: 'silver' | 'gold', catalog: string, body: unknown = { scope: 'all' }) =>
  assay.call('POST', `${base}/catalogs/${catalog}/batch/${what}`, body)
const notInSilver = 'Product not in Silver stage — run Silver first'
const mugs = 'sku,title,price\nB-1,Mug,"1,50"\nB-2,Stool,"9,00"\n'

describe('with silver off', () => {
  test('a new product stays in bronze: its cells are shown, its fields and score are not there, and gold refuses it', async () => {
    await saveSettings(assay, { auto_silver: false })
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, mugs)
    expect(result).toMatchObject({ read: 2, created: 2, updated: 0, unchanged: 0 })
    const [product] = await assay.products(catalog)
    expect(product).toMatchObject({
      stage: 'bronze',
      stale: false,
      title: null,
      sku: null,
      price: null,
      optimizationScore: null,
      feedReady: false,
      kind: 'single',
    })
    expect(product?.raw).toEqual({ sku: expect.any(String), title: expect.any(String), price: expect.any(String) })
    const { body } = await batch('gold', catalog)
    expect(body.results).toMatchObject([
      { status: 'error', error: notInSilver },
      { status: 'error', error: notInSilver },
    ])
    expect(await assay.publish(catalog)).toMatchObject({ added: 0, unrefined: 2 })
  })

  test('a refined product keeps its values and score, is stale, and any cell that changed counts as an update', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, mugs)
    await assay.publish(catalog)
    const before = (await assay.products(catalog, { sku: 'B-1' }))[0]
    await saveSettings(assay, { auto_silver: false })
    const { result } = await assay.ingest(catalog, 'sku,title,price\nB-1,Mug,"1,5"\nB-2,Stool,"9,00"\n')
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    const after = (await assay.products(catalog, { sku: 'B-1' }))[0]
    expect(after).toMatchObject({
      title: 'Mug',
      price: 1.5,
      optimizationScore: before?.optimizationScore,
      stage: 'bronze',
      stale: true,
      raw: { price: '1,5' },
    })
    const { body } = await batch('gold', catalog, { scope: 'selection', productIds: [after?.id] })
    expect(body.results).toEqual([{ productId: after?.id, status: 'error', error: notInSilver }])
    expect(await assay.publish(catalog)).toMatchObject({ changeCount: 0, unrefined: 0 })
  })

  test('a publish of a stale product takes it as it was last refined, and a delete takes it out', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, mugs)
    await saveSettings(assay, { auto_silver: false })
    await assay.ingest(catalog, 'sku,title\nB-1,Large mug\n')
    expect(await assay.publish(catalog)).toMatchObject({ added: 2 })
    const [product] = await assay.products(catalog, { sku: 'B-1' })
    expect(product).toMatchObject({ title: 'Mug', stage: 'bronze' })
    await assay.call('DELETE', `${base}/catalog/products/${product?.id}`)
    expect(await assay.publish(catalog)).toMatchObject({ removed: 1, changeCount: 1 })
  })

  test('a create through the API shows its own values, and a second one is still a second one', async () => {
    await saveSettings(assay, { auto_silver: false })
    const catalog_id = await assay.newCatalog()
    const made = await assay.call('POST', `${base}/catalog/products`, {
      catalog_id,
      title: 'Mug',
      price: 2.5,
      sku: 'OWN',
    })
    expect(made.status).toBe(201)
    expect(made.body.product).toMatchObject({ stage: 'bronze', title: 'Mug', price: 2.5, sku: 'OWN', stale: false })
    const again = await assay.call('POST', `${base}/catalog/products`, {
      catalog_id,
      title: 'Mug',
      price: 2.5,
      sku: 'OWN',
    })
    expectSamplesForm(again, 409, 'DATA_003', 'sku')
  })

  test('batch/silver refines what waits, with the same result as if the trigger had been on', async () => {
    const [on, off] = [await assay.newCatalog(), await assay.newCatalog()]
    await assay.ingest(on, mugs)
    await saveSettings(assay, { auto_silver: false })
    await assay.ingest(off, mugs)
    const { status, body } = await batch('silver', off)
    expect(status).toBe(200)
    expect(body.summary).toEqual({ refined: 2, changed: 2, current: 0, failed: 0 })
    expect(body.results).toMatchObject([
      { status: 'success', stage: 'gold', refined: true },
      { status: 'success', stage: 'gold', refined: true },
    ])
    const bare = async (catalog: string) =>
      (await assay.products(catalog)).map(
        ({ id, catalogId, createdAt, updatedAt, sourceIdentifier, scoredWith, ...rest }) => rest,
      )
    const bySku = (a: { sku: string | null }, b: { sku: string | null }) => ((a.sku ?? '') < (b.sku ?? '') ? -1 : 1)
    expect((await bare(off)).sort(bySku)).toEqual((await bare(on)).sort(bySku))
    expect((await batch('silver', off)).body).toEqual({
      results: [],
      summary: { refined: 0, changed: 0, current: 0, failed: 0 },
    })
    expect(await assay.publish(off)).toMatchObject({ added: 2, unrefined: 0 })
  })

  test('batch/silver of a selection answers each id, in the order asked', async () => {
    await saveSettings(assay, { auto_silver: false })
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, mugs)
    const [a, b] = await assay.products(catalog)
    await batch('silver', catalog, { scope: 'selection', productIds: [a?.id] })
    const nowhere = '00000000-0000-4000-8000-000000000001'
    const { body } = await batch('silver', catalog, { scope: 'selection', productIds: [nowhere, b?.id, 'x', a?.id] })
    expect(body.results).toMatchObject([
      { productId: nowhere, status: 'error' },
      { productId: b?.id, status: 'success', refined: true },
      { productId: 'x', status: 'error' },
      { productId: a?.id, status: 'success', refined: false, stage: 'gold' },
    ])
    expect(body.summary).toEqual({ refined: 1, changed: 1, current: 1, failed: 2 })
  })

  test('turned on again, what waits is refined by itself', async () => {
    await saveSettings(assay, { auto_silver: false })
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, mugs)
    await saveSettings(assay, { auto_silver: true })
    await settled(assay)
    expect(await assay.products(catalog)).toMatchObject([{ stage: 'gold' }, { stage: 'gold' }])
  })
})

describe('with gold off', () => {
  test('a product stays in silver without a score, is published all the same, and batch/gold takes it on', async () => {
    await saveSettings(assay, { auto_gold: false })
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, mugs)
    expect(await assay.products(catalog)).toMatchObject([
      { stage: 'silver', optimizationScore: null, raw: null },
      { stage: 'silver', optimizationScore: null },
    ])
    expect(await assay.publish(catalog)).toMatchObject({ added: 2 })
    expect((await batch('gold', catalog)).body.results).toMatchObject([{ status: 'success' }, { status: 'success' }])
    expect(await assay.products(catalog)).toMatchObject([
      { stage: 'gold', optimizationScore: expect.any(Number) },
      { stage: 'gold' },
    ])
  })

  test('a graded product that changes keeps its former score and says that it is in silver', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, mugs)
    const before = (await assay.products(catalog, { sku: 'B-1' }))[0]
    await saveSettings(assay, { auto_gold: false })
    await assay.ingest(catalog, 'sku,title,description\nB-1,Mug,A mug of enamel that keeps coffee warm.\n')
    const after = (await assay.products(catalog, { sku: 'B-1' }))[0]
    expect(after).toMatchObject({ stage: 'silver', optimizationScore: before?.optimizationScore })
    await batch('gold', catalog)
    expect((await assay.products(catalog, { sku: 'B-1' }))[0]?.optimizationScore).toBeGreaterThan(
      before?.optimizationScore ?? 100,
    )
  })
})

describe('batch/silver', () => {
  test('404 and 403: a catalog that is not there, a caller who may not', async () => {
    const catalog = await assay.newCatalog()
    expectSamplesForm(
      await batch('silver', '00000000-0000-4000-8000-000000000001'),
      404,
      'CATALOG_NOT_FOUND',
      'catalogId',
    )
    const as = { authorization: `Bearer ${await assay.token('viewer')}` }
    const path = `${base}/catalogs/${catalog}/batch/silver`
    expectSamplesForm(await assay.call('POST', path, { scope: 'all' }, as), 403, 'INSUFFICIENT_PERMISSIONS')
  })

  test('409: while a job refines the workspace, for gold too, and no longer', async () => {
    const catalog = await assay.newCatalog()
    const pool = assay.system.catalog.pipeline
    const id = '00000000-0000-4000-8000-0000000000aa'
    await pool.query(
      `insert into job (job_id, workspace_id, brand_id, kind, status, input)
       select $1, workspace_id, brand_id, 'refine', 'active', '{}' from catalog where catalog_id = $2`,
      [id, catalog],
    )
    for (const what of ['silver', 'gold'] as const)
      expectSamplesForm(await batch(what, catalog), 409, 'JOB_ALREADY_RUNNING')
    await pool.query(`update job set status = 'failed' where job_id = $1`, [id])
    for (const what of ['silver', 'gold'] as const) expect((await batch(what, catalog)).status).toBe(200)
  })
})
