import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { saveSettings, settled } from '../serving/workspace/pipeline.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { filled } from './filled.ts'
import { workbook } from './workbook.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
const sheet = (...prices: string[]) => {
  const rows = prices.map((price, i) => `<row r="${i + 2}">${text(`A${i + 2}`, 'ABC'[i] ?? '')}${price}</row>`)
  const header = `<row r="1">${text('A1', 'sku')}${text('B1', 'price')}</row>`
  return workbook([{ name: 'Products', rows: header + rows.join('') }])
}
const rss = (price: string) =>
  `<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><item><g:id>A</g:id><g:title>Mug</g:title><g:price>${price}</g:price></item></channel></rss>`
const prices = async (file: string | Buffer) => {
  const { products, results } = await filled(assay, file)
  return { prices: products.map(({ price }) => price), warnings: results[0]?.warnings }
}

describe.each([null, ','] as const)('numbers under the decimal setting %j (KF-14)', (decimal_separator) => {
  beforeAll(async () => {
    await saveSettings(assay, { decimal_separator })
    await settled(assay)
  })
  afterAll(async () => {
    await saveSettings(assay, { decimal_separator: null })
    await settled(assay)
  })

  test('of JSON lines are as they are given, and a text beside them with two decimals too', async () => {
    const file = lines({ sku: 'A', title: 'x', price: 12.345 }, { sku: 'B', title: 'x', price: '12,50' })
    expect(await prices(file)).toMatchObject({ prices: [12.345, 12.5] })
    expect(await prices(lines({ sku: 'A', price: 12.345, currency: 'KWD' }))).toEqual({
      prices: [12.345],
      warnings: {},
    })
  })

  test('of a JSON document are, in variants too', async () => {
    const variants = [{ sku: 'A-1', price: 1.299, option1: 'S' }]
    const { products } = await filled(assay, JSON.stringify({ products: [{ id: 1, title: 'Mug', variants }] }))
    expect(products).toMatchObject([{ price: 1.299 }])
  })

  test('of a workbook are, beside texts too', async () => {
    const file = await sheet('<c r="B2"><v>1.299</v></c>', '<c r="B3"><v>12.5</v></c>', text('B4', '12,50'))
    expect((await prices(file)).prices).toEqual([1.299, 12.5, 12.5])
  })

  test('of a column that contradicts itself are left open where a mark is alone, unless the workspace says it', async () => {
    const file = ['sku;price', 'A;9.99', 'B;12.50', 'C;7,99', 'D;1.299'].join('\n')
    const read = await prices(file)
    if (decimal_separator === null)
      expect(read).toEqual({ prices: [9.99, 12.5, 7.99, null], warnings: { ambiguous_number: 1 } })
    else expect(read).toEqual({ prices: [9.99, 12.5, 7.99, 1299], warnings: {} })
  })

  test('of Google’s feed in XML are written with a point', async () => {
    expect((await prices(rss('12.345 KWD'))).prices).toEqual([12.345])
  })

  test('are so in the preview and on a repeated import, which changes nothing', async () => {
    const catalog = await assay.newCatalog()
    const file = Buffer.from(lines({ sku: 'A', title: 'Mug', price: 12.345 }))
    const path = `/api/workspace/${workspace}/import/preview?catalog_id=${catalog}`
    const { body } = await assay.call('POST', path, file)
    const column = body.preview.columns.find(({ name }: { name: string }) => name === 'price')
    expect(column.numbers).toEqual({ decimal: '.', reason: expect.stringContaining('12.345') })
    await assay.job(body.job.id)
    await assay.ingest(catalog, file)
    expect((await assay.ingest(catalog, file)).result).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  })

  test('of rejected rows stay numbers in their file of rejects', async () => {
    const catalog = await assay.newCatalog()
    const file = lines({ sku: 'A', title: 'Mug', price: 12.345 }, { sku: 'A', title: 'Cup', price: 7.125 })
    const { result } = await assay.ingest(catalog, file, { source: 'kuwait', kind: 'ndjson' })
    const { text } = await assay.call('GET', `/api/workspace/${workspace}/imports/${result.importId}/rejects`)
    expect(text).toMatch(/^assay_row,assay_reason,assay_lists,assay_numbers,sku/)
    await assay.ingest(catalog, text.replace(',A,', ',B,'))
    expect(await assay.products(catalog, { sku: 'B' })).toMatchObject([{ title: 'Mug', price: 12.345 }])
  })

  test('mapped later are read as the numbers that they were', async () => {
    const catalog = await assay.newCatalog()
    const rows = lines({ sku: 'A', title: 'Mug', recommended: 12.345 })
    await assay.ingest(catalog, rows, { source: 'later', kind: 'ndjson' })
    const map = (by_source: object) => saveSettings(assay, { mappings: { every_source: {}, by_source } as never })
    await map({ later: { recommended: 'price' } })
    await settled(assay)
    expect(await assay.products(catalog)).toMatchObject([{ price: 12.345 }])
    await map({})
  })
})

test('a text that a number cannot be told from is in doubt, and so is the number', async () => {
  const file = lines({ sku: 'A', price: 1.299 }, { sku: 'B', price: '1.299' }, { sku: 'C', price: '12,50' })
  expect(await prices(file)).toMatchObject({ prices: [null, null, 12.5], warnings: { ambiguous_number: 2 } })
})
