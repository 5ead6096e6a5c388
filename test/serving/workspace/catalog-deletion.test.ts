import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm, expectStandardForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const file = 'sku,title,price\nP-1,Mug,"1,50"\nP-2,Stool,"9,00"\nP-3,Lamp,"20,00"\n'
const ndjson = { accept: 'application/x-ndjson' }

const remove = (id: string) => assay.call('DELETE', `${base}/catalogs/${id}`)
const undelete = (id: string) => assay.call('POST', `${base}/catalogs/${id}/undelete`)
const titles = async (id: string) => (await assay.products(id)).map(({ title }) => title).sort()
const ids = async (query = '') =>
  (await assay.call('GET', `${base}/catalogs?limit=200${query}`)).body.catalogs.map(({ id }: { id: string }) => id)
async function newBrand(name: string): Promise<{ brand: string; catalog: string }> {
  const brand = (await assay.call('POST', `${base}/brands`, { name })).body.brand.id
  const [catalog] = (await assay.call('GET', `${base}/catalogs?brand_id=${brand}`)).body.catalogs
  return { brand, catalog: catalog.id }
}
const age = (id: string, days: number) =>
  assay.system.catalog.pipeline.query(
    `update catalog set deleted_at = deleted_at - $2 * interval '1 day' where catalog_id = $1`,
    [id, days],
  )

describe('a deleted catalog', () => {
  test('202: is gone from every read at once, says until when it can be brought back, and its products go one by one', async () => {
    const id = await assay.newCatalog()
    await assay.ingest(id, file)
    await assay.publish(id)
    const [product] = await assay.products(id)
    const { status, body } = await remove(id)
    expect({ status, body }).toEqual({
      status: 202,
      body: { catalogId: id, restorableUntil: expect.stringMatching(/Z$/), job: { id: expect.any(String) } },
    })
    expect(Date.parse(body.restorableUntil) - Date.now()).toBeGreaterThan(6.99 * 86_400_000)
    expect(await ids()).not.toContain(id)
    for (const path of [
      `catalogs/${id}`,
      `catalogs/${id}/versions`,
      `catalogs/${id}/versions/1`,
      `catalogs/${id}/versions/1/products`,
      `catalog/products?catalog_id=${id}`,
    ])
      expect((await assay.call('GET', `${base}/${path}`)).body.error, path).toBe('CATALOG_NOT_FOUND')
    expectSamplesForm(await assay.call('GET', `${base}/catalog/products/${product?.id}`), 404, 'NOT_FOUND', 'productId')
    const feed = await assay.call('GET', `/api/mcp/feed/google?catalog_id=${id}`, undefined, ndjson)
    expectStandardForm(feed, 404, 'DATA_002')
    expectSamplesForm(await remove(id), 404, 'CATALOG_NOT_FOUND', 'catalogId')
    expectSamplesForm(await assay.call('POST', `${base}/catalogs/${id}/publish`), 404, 'CATALOG_NOT_FOUND', 'catalogId')

    expect(await assay.job(body.job.id)).toMatchObject({ status: 'completed', result: { removed: 3 } })
    const { rows } = await assay.system.catalog.pipeline.query(
      'select count(*) as n from products where catalog_id = $1 and alive',
      [id],
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  test('comes back exactly: what was deleted before stays so, edits stay, the published version is served, what was not published still waits', async () => {
    const id = await assay.newCatalog()
    await assay.ingest(id, file)
    await assay.publish(id)
    const found = await assay.products(id)
    const path = (sku: string) => `${base}/catalog/products/${found.find((one) => one.sku === sku)?.id}`
    await assay.call('PATCH', path('P-1'), { title: 'Enamel mug' })
    await assay.call('DELETE', path('P-2'))
    const published = await assay.feed(id)
    const before = await assay.products(id)

    await assay.job((await remove(id)).body.job.id)
    const begun = await undelete(id)
    expect(begun.status).toBe(202)
    expect(await assay.job(begun.body.job.id)).toMatchObject({ status: 'completed', result: { returned: 2 } })

    const still = (one: object) => ({ ...one, updatedAt: null })
    expect((await assay.products(id)).map(still)).toEqual(before.map(still))
    expect(await titles(id)).toEqual(['Enamel mug', 'Lamp'])
    expect(await assay.feed(id)).toEqual(published)
    expect(await assay.publish(id)).toMatchObject({ version: 2, added: 0, modified: 1, removed: 1 })
    expectSamplesForm(await undelete(id), 409, 'CONFLICT')
    const audit = (await assay.call('GET', `${base}/audit?limit=50`)).body.entries as {
      target: string
      action: string
    }[]
    const own = audit.filter(({ target }) => target === id).map(({ action }) => action)
    expect(own).toEqual(['catalog.undelete', 'catalog.delete', 'catalog.create'])
  })

  test('knows a family again once it is back: a second import makes no product twice (KF-12)', async () => {
    const id = await assay.newCatalog()
    const head = 'Handle,Variant SKU,Title,Option1 Name,Option1 Value,Variant Price'
    const family = (price: string) => `${head}\ntee,T-1-S,Tee,Size,S,10.00\ntee,T-1-M,,,M,${price}\n`
    const first = await assay.ingest(id, family('10.00'), { source: 'shop' })
    expect(first.result).toMatchObject({ created: 2 })
    const before = (await assay.products(id)).map(({ id: product }) => product)
    expect(before).toHaveLength(3)
    await assay.job((await remove(id)).body.job.id)
    await assay.job((await undelete(id)).body.job.id)
    const { result } = await assay.ingest(id, family('11.00'), { source: 'shop' })
    expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1, rejected: 0 })
    expect((await assay.products(id)).map(({ id: product }) => product)).toEqual(before)
  })

  test('comes back also while it is still going', async () => {
    const id = await assay.newCatalog()
    const rows = Array.from({ length: 3_000 }, (_, n) => `P-${n},Mug ${n},"1,50"`).join('\n')
    await assay.ingest(id, `sku,title,price\n${rows}\n`)
    const { body } = await remove(id)
    const begun = await undelete(id)
    expect(begun.status).toBe(202)
    expectSamplesForm(await undelete(id), 409, 'JOB_ALREADY_RUNNING')
    expect(await assay.job(begun.body.job.id)).toMatchObject({ status: 'completed' })
    expect(await assay.products(id)).toHaveLength(3_000)
    expect((await assay.job(body.job.id)).status).toMatch(/completed|failed/)
  })

  test('stops what runs on it: an import appends nothing more', async () => {
    const id = await assay.newCatalog()
    const rows = Array.from({ length: 20_000 }, (_, n) => `P-${n},Mug ${n},"1,50"`).join('\n')
    const { body } = await assay.call(
      'POST',
      `${base}/datasets/ingest?catalog_id=${id}`,
      Buffer.from(`sku,title,price\n${rows}\n`),
    )
    const removed = await remove(id)
    expect(await assay.job(body.job.id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    expect((await assay.job(removed.body.job.id)).status).toBe('completed')
    const { rows: left } = await assay.system.catalog.pipeline.query(
      'select count(*) as n from products where catalog_id = $1 and alive',
      [id],
    )
    expect(left).toEqual([{ n: 0 }])
    await assay.job((await undelete(id)).body.job.id)
    expect(await assay.ingest(id, 'sku,title,price\nP-1,Mug,"1,50"\n')).toMatchObject({ status: 'completed' })
  })

  test('410: is not brought back after seven days; 404 where there never was one', async () => {
    const id = await assay.newCatalog()
    await assay.job((await remove(id)).body.job.id)
    await age(id, 8)
    const late = await undelete(id)
    expectSamplesForm(late, 410, 'NOT_FOUND')
    expect(late.body.details.message).toContain('could be brought back until')
    const nowhere = '00000000-0000-4000-8000-000000000001'
    expectSamplesForm(await undelete(nowhere), 404, 'CATALOG_NOT_FOUND', 'catalogId')
  })
})

describe('the default catalog of a brand', () => {
  test('409: goes last; another one can take its place', async () => {
    const { brand, catalog } = await newBrand('Lumo')
    const { body } = await assay.call('POST', `${base}/catalogs`, { name: 'Second', brand_id: brand })
    const second = body.catalog.id
    expect(body.catalog.isDefault).toBe(false)
    expectSamplesForm(await remove(catalog), 409, 'CONFLICT')
    const made = await assay.call('PATCH', `${base}/catalogs/${second}`, { is_default: true })
    expect(made.body.catalog).toMatchObject({ id: second, isDefault: true })
    expect((await assay.call('GET', `${base}/catalogs/${catalog}`)).body.catalog.isDefault).toBe(false)
    expect((await remove(catalog)).status).toBe(202)
    expect(await ids(`&brand_id=${brand}`)).toEqual([second])
  })

  test('404: after the last one a brand has no feed and takes no product, and the next one made is its default', async () => {
    const { brand, catalog } = await newBrand('Brava')
    await assay.ingest(catalog, file)
    await assay.publish(catalog)
    const gone = await remove(catalog)
    const feed = await assay.call('GET', `/api/mcp/feed/google?brand_id=${brand}`, undefined, ndjson)
    expectStandardForm(feed, 404, 'FEED_002')
    const product = { title: 'Mug', price: 1, brand_id: brand }
    expectSamplesForm(await assay.call('POST', `${base}/catalog/products`, product), 404, 'CATALOG_NOT_FOUND')
    const made = await Promise.all(
      ['A', 'B'].map((name) => assay.call('POST', `${base}/catalogs`, { name, brand_id: brand })),
    )
    expect(made.map(({ body }) => body.catalog.isDefault).sort()).toEqual([false, true])
    // What comes back finds its place taken.
    await assay.job(gone.body.job.id)
    await assay.job((await undelete(catalog)).body.job.id)
    expect((await assay.call('GET', `${base}/catalogs/${catalog}`)).body.catalog.isDefault).toBe(false)
  })

  test('200: a brand whose catalogs are gone can be removed, and then they stay gone', async () => {
    const { brand, catalog } = await newBrand('Corda')
    expectSamplesForm(await assay.call('DELETE', `${base}/brands/${brand}`), 409, 'CONFLICT')
    await remove(catalog)
    expect((await assay.call('DELETE', `${base}/brands/${brand}`)).status).toBe(200)
    expectSamplesForm(await undelete(catalog), 409, 'CONFLICT')
  })
})
