import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from './running.ts'
import { sharedAssay, workspace } from './shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const file = `sku,ean,title,description,price,currency,stock,image,link,brand
A-1,4006381333931,Enamel mug,A mug with a white rim that keeps coffee warm for a long while.,"12,50",EUR,5,https://cdn.example.test/a.jpg,https://shop.example.test/a,Lumo
A-2,,Oak stool,A stool of solid oak with a round seat and three legs.,"1.299,00",EUR,0,https://cdn.example.test/b.jpg,https://shop.example.test/b,Lumo
`

test("a supplier's file becomes scored products, and after a publish lines of a feed", async () => {
  const catalog = await assay.newCatalog()
  const { status, result } = await assay.ingest(catalog, file)
  expect(status).toBe('completed')
  expect(result).toMatchObject({ read: 2, created: 2, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 })
  const products = (await assay.products(catalog)).sort((a, b) => String(a.sku).localeCompare(String(b.sku)))
  expect(products).toMatchObject([
    {
      sku: 'A-1',
      price: 12.5,
      currency: 'EUR',
      availability: 'in_stock',
      gtin: '4006381333931',
      stage: 'gold',
      kind: 'single',
    },
    { sku: 'A-2', price: 1299, currency: 'EUR', availability: 'out_of_stock', gtin: null },
  ])
  expect(products[0]?.optimizationScore).toBeGreaterThan(65)
  expect(await assay.publish(catalog)).toMatchObject({ version: 1, added: 2, changeCount: 2 })
  expect(await assay.feed(catalog)).toMatchObject([{ price: expect.stringMatching(/EUR$/) }, {}])
})

test('the gold endpoint answers every product of a catalog with its gaps, and the summary', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file)
  const path = `/api/workspace/${workspace}/catalogs/${catalog}/batch/gold`
  const { status, body } = await assay.call('POST', path, { scope: 'all' })
  expect(status).toBe(200)
  expect(body.results).toHaveLength(2)
  expect(body.results[0]).toMatchObject({ status: 'success', score: expect.any(Number) })
  expect(body.catalogSummary.avgScore).toBe((body.results[0].score + body.results[1].score) / 2)
})
