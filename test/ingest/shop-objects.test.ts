import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import { filled } from './filled.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

/** As WooCommerce's interface answers. */
const shop = [
  ['A', '8.00', '10.00', '8.00'],
  ['B', '12.00', '12.00', ''],
].map(([sku, price, regular_price, sale_price], at) => ({
  id: at + 1,
  name: `Mug ${sku}`,
  sku,
  price,
  regular_price,
  sale_price,
  categories: [{ id: 1, name: 'Mugs', slug: 'mugs' }],
  tags: [
    { id: 2, name: 'Gift', slug: 'gift' },
    { id: 3, name: 'Red', slug: 'red' },
  ],
  images: [{ id: 4, src: `https://cdn.example.test/${sku}.jpg`, alt: '' }],
}))

test.each([
  ['a document', JSON.stringify(shop)],
  ['lines', shop.map((one) => `${JSON.stringify(one)}\n`).join('')],
])('a shop with prices of three kinds and lists of objects is read whole, from %s', async (_, file) => {
  const { products, results } = await filled(assay, file)
  expect(products).toMatchObject([
    { sku: 'A', price: 10, salePrice: 8, images: ['https://cdn.example.test/A.jpg'], tags: ['Gift', 'Red'] },
    { sku: 'B', price: 12, salePrice: null, categoryPath: ['Mugs'] },
  ])
  expect(results[0]?.notes.join('\n')).toMatch(/"price" gives price only where "regular_price" is blank; .*sale_price/)
  expect(results[0]).toMatchObject({ created: 2, rejected: 0, warnings: {} })
})
