import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { filled, table } from './filled.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const gtins = ['4006381333931', '9780306406157', '036282818705']
const file = table(
  'Art-Nr;Bezeichnung;EAN;Kennung;Link',
  ...gtins.map((gtin, i) => `A-${i};Vase ${i};intern-${i};${gtin};https://cdn.example.test/${i}.jpg`),
)

describe.concurrent('a file whose names say one thing and whose values another', () => {
  test('is read by its values, and each product has what they are', async () => {
    const { products } = await filled(assay, file)
    expect(products.map(({ gtin, link, images }) => [gtin, link, images])).toEqual(
      gtins.map((gtin, i) => [gtin, null, [`https://cdn.example.test/${i}.jpg`]]),
    )
  })

  test('is previewed by the same evidence as it is imported, with the reasons', async () => {
    const catalog = await assay.newCatalog()
    const path = `/api/workspace/${workspace}/import/preview?${new URLSearchParams({ catalog_id: catalog })}`
    const { body } = await assay.call('POST', path, Buffer.from(file))
    const reason = '3 of 3 values of "Kennung" are valid GTINs'
    const images = '3 of 3 values of "Link" are addresses of images'
    expect(body.preview.columns).toMatchObject([
      { name: 'Art-Nr', field: 'sku' },
      { name: 'Bezeichnung', field: 'title' },
      { name: 'EAN', field: null },
      { name: 'Kennung', field: 'gtin', reason },
      { name: 'Link', field: 'images', reason: images },
    ])
    const { result } = await assay.job(body.job.id)
    expect(result).toMatchObject({ columns: body.preview.columns, created: 3 })
    expect(result?.notes).toContain('"EAN" was not taken for gtin: "Kennung" gives it')
  })

  test('tells of each product why its column was taken', async () => {
    const { products } = await filled(assay, file)
    const path = `/api/workspace/${workspace}/catalog/products/${products[0]?.id}/provenance`
    const { body } = await assay.call('GET', path)
    expect(body.fields.find(({ field }: { field: string }) => field === 'gtin').from).toMatchObject({
      column: 'Kennung',
      mapped: '3 of 3 values of "Kennung" are valid GTINs',
    })
  })

  test('is read as the workspace set it all the same', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, file, { map: 'Kennung=mpn' })
    expect(result).toMatchObject({ created: 3 })
    expect((await assay.products(catalog)).map(({ gtin, mpn }) => [gtin, mpn]).sort()).toEqual(
      gtins.map((gtin) => [null, gtin]).sort(),
    )
  })

  test('says of a column that nothing bears out that it was taken by its name', async () => {
    const { results } = await filled(assay, table('sku,title,EAN', 'A,Mug,x-1', 'B,Jug,x-2'))
    expect(results[0]).toMatchObject({
      created: 2,
      warnings: { gtin_not_digits: 2 },
      notes: expect.arrayContaining(['"EAN" is taken for gtin by its name, though few of its values can be one']),
    })
  })
})

describe.concurrent('one book', () => {
  test('by its ISBN of ten signs and by its barcode is one product', async () => {
    const { results, products } = await filled(
      assay,
      [table('isbn,title', '0-306-40615-2,Field theory'), 'a'],
      [table('ean,price', '9780306406157,39.00'), 'b'],
    )
    expect(products).toMatchObject([{ title: 'Field theory', price: 39, gtin: '9780306406157' }])
    expect(results).toMatchObject([{ created: 1, warnings: { gtin_repaired: 1 } }, { updated: 1 }])
  })
})

describe.concurrent('a word for nothing', () => {
  test('in a SKU, a part number or a brand never makes two rows one product', async () => {
    const { results, products } = await filled(
      assay,
      table(
        'sku,mpn,brand,title',
        'N/A,0000,Lumo,Mug',
        'N/A,0000,Lumo,Jug',
        '-,X-1,Does not apply,Bowl',
        '-,X-1,N/A,Cup',
      ),
    )
    expect(results[0]).toMatchObject({ created: 4, rejected: 0, duplicate: 0 })
    expect(products.map(({ sku, title }) => [sku, title])).toEqual([
      [null, 'Bowl'],
      [null, 'Cup'],
      [null, 'Jug'],
      [null, 'Mug'],
    ])
  })
})

describe('a column of amounts', () => {
  test('whose name has a sign that several currencies share is read by it, and the import says so once', async () => {
    const { products, results } = await filled(assay, table('SKU;Name;Price $', 'A-1;Stool;12.50', 'A-2;Bench;40.00'))
    expect(products.map(({ price, currency }) => [price, currency])).toEqual([
      [12.5, 'USD'],
      [40, 'USD'],
    ])
    const [result] = results
    expect(result).toMatchObject({ created: 2, warnings: {} })
    expect(result?.notes).toContainEqual(expect.stringContaining('read as USD, which is a guess: "$" in the name'))
  })
})
