import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import type { ProductResource } from '../../../serving/workspace/product-resource.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products/bulk`
const post = (body: unknown, headers: Record<string, string> = {}) => assay.call('POST', path, body, headers)
const nowhere = '00000000-0000-4000-8000-000000000001'

async function bulk(body: object) {
  const answer = await post(body)
  if (answer.status !== 202) throw new Error(answer.text)
  const { status, result } = await assay.job(answer.body.job.id)
  expect(status).toBe('completed')
  return result
}

async function shop(rows = 3): Promise<{ catalog: string; ids: string[] }> {
  const catalog = await assay.newCatalog()
  const lines = Array.from({ length: rows }, (_, i) => `S-${i},Mug ${i},"1,50",EUR`)
  await assay.ingest(catalog, `sku,title,price,currency\n${lines.join('\n')}\n`)
  return { catalog, ids: (await assay.products(catalog)).map(({ id }) => id) }
}

const of = async (catalog: string, name: keyof ProductResource) =>
  (await assay.products(catalog)).map((product) => product[name])

describe('update', () => {
  test('202: all that match the filter change, each counted by what happened to it', async () => {
    const { catalog, ids } = await shop()
    await assay.call('PATCH', `/api/workspace/${workspace}/catalog/products/${ids[0]}`, { brand: 'Lumo' })
    const result = await bulk({ catalog_id: catalog, filter: {}, changes: { brand: 'Lumo' } })
    expect(result).toEqual({ matched: 3, changed: 2, unchanged: 1, refused: 0, missing: 0 })
    expect(await of(catalog, 'brand')).toEqual(['Lumo', 'Lumo', 'Lumo'])
    expect(await bulk({ catalog_id: catalog, filter: {}, changes: { brand: 'Lumo' } })).toMatchObject({
      changed: 0,
      unchanged: 3,
    })
  })

  test('202: of a selection only those change, and ids that are nothing here are missing', async () => {
    const [{ catalog, ids }, other] = [await shop(), await shop(1)]
    const product_ids = [ids[1], ids[1]?.toUpperCase(), nowhere, other.ids[0]]
    const result = await bulk({ catalog_id: catalog, product_ids, changes: { brand: 'Lumo', title: null } })
    expect(result).toEqual({ matched: 1, changed: 1, unchanged: 0, refused: 0, missing: 2 })
    expect(await of(catalog, 'brand')).toEqual([null, 'Lumo', null])
    expect(await of(other.catalog, 'brand')).toEqual([null])
  })

  test("202: as a PATCH, a currency alone does not relabel a file's amount", async () => {
    const { catalog, ids } = await shop()
    await assay.call('PATCH', `/api/workspace/${workspace}/catalog/products/${ids[2]}`, { price: 2, currency: 'EUR' })
    const result = await bulk({ catalog_id: catalog, filter: {}, changes: { currency: 'USD' } })
    expect(result).toEqual({ matched: 3, changed: 1, unchanged: 0, refused: 2, missing: 0 })
    expect(await of(catalog, 'currency')).toEqual(['EUR', 'EUR', 'USD'])
  })

  test('200: a dry run counts and does nothing', async () => {
    const { catalog } = await shop()
    const body = { catalog_id: catalog, filter: { sku: 'S-1' }, changes: { brand: 'Lumo' }, dry_run: true }
    expect(await post(body)).toMatchObject({ status: 200, body: { matched: 1 } })
    expect(await of(catalog, 'brand')).toEqual([null, null, null])
  })
})

describe('delete', () => {
  test('202: what is deleted is gone from the catalog and the next version, and comes back when it is brought back', async () => {
    const { catalog, ids } = await shop()
    await assay.publish(catalog)
    const before = await assay.products(catalog)
    const some = { catalog_id: catalog, product_ids: ids.slice(0, 2) }
    expect(await bulk({ ...some, deleted: true })).toMatchObject({ matched: 2, changed: 2 })
    expect(await of(catalog, 'id')).toEqual([ids[2]])
    expect(await assay.publish(catalog)).toMatchObject({ removed: 2, changeCount: 2 })
    expect(await bulk({ catalog_id: catalog, filter: {}, deleted: false })).toMatchObject({ matched: 2, changed: 2 })
    const plain = (products: ProductResource[]) => products.map(({ updatedAt, ...rest }) => rest)
    expect(plain(await assay.products(catalog))).toEqual(plain(before))
    expect(await bulk({ ...some, deleted: false })).toEqual({
      matched: 0,
      changed: 0,
      unchanged: 0,
      refused: 0,
      missing: 2,
    })
  })
})

describe('refusals', () => {
  test('400: neither or both of what to choose by and what to do, a SKU, an unknown field', async () => {
    const { catalog, ids } = await shop(1)
    const changes = { brand: 'Lumo' }
    for (const [body, field] of [
      [{ filter: {}, changes }, 'catalog_id'],
      [{ catalog_id: catalog, changes }, 'product_ids'],
      [{ catalog_id: catalog, changes, filter: {}, product_ids: ids }, 'product_ids'],
      [{ catalog_id: catalog, filter: {} }, 'changes'],
      [{ catalog_id: catalog, filter: {}, changes, deleted: true }, 'changes'],
      [{ catalog_id: catalog, filter: {}, changes: { sku: 'X' } }, 'changes.sku'],
      [{ catalog_id: catalog, filter: {}, changes: { price: -1 } }, 'changes.price'],
      [{ catalog_id: catalog, filter: { colour: 'red' }, changes }, 'filter.colour'],
      [{ catalog_id: catalog, product_ids: ['S-1'], changes }, 'product_ids.0'],
    ] as const)
      expectSamplesForm(await post(body), 400, 'INVALID_REQUEST', field)
  })

  test("403 and 404: a viewer, and a catalog of another's", async () => {
    const { catalog } = await shop(1)
    const body = { catalog_id: catalog, filter: {}, changes: { brand: 'Taken over' } }
    const viewer = { authorization: `Bearer ${await assay.token('viewer')}` }
    expectSamplesForm(await post(body, viewer), 403, 'INSUFFICIENT_PERMISSIONS')
    expectSamplesForm(await post({ ...body, catalog_id: nowhere }), 404, 'CATALOG_NOT_FOUND', 'catalog_id')
    await ensureWorkspace(assay.system.catalog.pipeline, 'ws_elsewhere', 'Elsewhere')
    const elsewhere = { authorization: `Bearer ${await assay.token('owner', { workspace: 'ws_elsewhere' })}` }
    const theirs = await assay.call('POST', '/api/workspace/ws_elsewhere/catalog/products/bulk', body, elsewhere)
    expectSamplesForm(theirs, 404, 'CATALOG_NOT_FOUND', 'catalog_id')
    expect(await of(catalog, 'brand')).toEqual([null])
  })
})
