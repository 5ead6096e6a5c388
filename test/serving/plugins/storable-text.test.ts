import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`

test('400: U+0000 or half a surrogate pair in a body, at any depth, names the field', async () => {
  const product = { title: 'a', price: 1, currency: 'EUR' }
  for (const [body, field] of [
    [{ ...product, title: 'a\0b' }, 'title'],
    [{ ...product, sku: 'Z\0' }, 'sku'],
    [{ ...product, title: 'a\ud800b' }, 'title'],
    [{ ...product, category_path: ['ok', '\0'] }, 'category_path'],
    [{ ...product, attributes: { deep: { deeper: '\0' } } }, 'deeper'],
  ] as const) {
    const answer = await assay.call('POST', `${base}/catalog/products`, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'INVALID_REQUEST', details: { field } })
  }
  expect((await assay.call('POST', `${base}/catalogs`, { name: 'a\0b' })).status).toBe(400)
})

test('400: U+0000 in a query', async () => {
  expect((await assay.call('GET', `${base}/catalog/products?sku=%00`)).status).toBe(400)
  const feed = await assay.call('GET', '/api/mcp/feed/google?catalog_id=%00', undefined, {
    accept: 'application/x-ndjson',
  })
  expect(feed.status).toBe(400)
})

test('400: a currency that ISO 4217 does not have, and an amount too small to be written', async () => {
  const post = (body: object) => assay.call('POST', `${base}/catalog/products`, { title: 'a', price: 1, ...body })
  expect((await post({ currency: 'ZZZ' })).status).toBe(400)
  expect((await post({ price: 1e-300, currency: 'EUR' })).status).toBe(400)
  expect((await post({ price: 0, currency: 'eur' })).status).toBe(201)
})

test('a header that stands again between the rows is rejected and is no product', async () => {
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, 'sku,title,price\nA,a,1.00\nsku,title,price\nB,b,2.00\n')
  expect(result).toMatchObject({ read: 3, created: 2, rejected: 1 })
  expect(await assay.rows(result.importId)).toMatchObject([{ row: 2, result: 'rejected', code: 'header_again' }])
})

test('an amount that names another currency than the cell beside it is no price, and says so', async () => {
  const catalog = await assay.newCatalog()
  const file = 'sku,title,price,currency\nA,a,12.50 USD,EUR\nB,b,$12.50,CAD\nC,c,£12.50,EUR\nD,d,12.50 EUR,EUR\n'
  const { result } = await assay.ingest(catalog, file)
  expect(result.warnings).toMatchObject({ currency_conflict: 2 })
  const prices = new Map((await assay.products(catalog)).map((p) => [p.sku, [p.price, p.currency]]))
  expect(prices.get('A')?.[0]).toBeNull()
  expect(prices.get('B')).toEqual([12.5, 'CAD'])
  expect(prices.get('C')?.[0]).toBeNull()
  expect(prices.get('D')).toEqual([12.5, 'EUR'])
})
