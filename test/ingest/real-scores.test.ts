import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startAssay } from '../running.ts'
import { overShared, sharedIsThere } from './expected-figures.ts'
import { type Graded, gradeFile, productFiles } from './real-scores.ts'

let assay: Running
let graded: Graded[] = []
const real = test.skipIf(!sharedIsThere)

// Forty thousand products.
beforeAll(async () => {
  if (!sharedIsThere) return
  assay = await startAssay()
  graded = []
  for (const file of await productFiles()) graded.push(await gradeFile(assay, file))
}, 300_000)
afterAll(() => assay?.close())

/** Of each file that has products below 40: what it does not say of them. No workspace fills anything here. */
const reasons: Readonly<Record<string, string>> = {
  'odoo/product-template-de.csv': 'a parts list: no descriptions, images or stock, and 30 of 32 prices are blank',
  'openfoodfacts/it-excel-damaged.tsv.csv': 'a database of foods: no prices, no stock, often no descriptions',
  'parquet/alko-fi.parquet': 'a price list without images, stock, descriptions and currency',
  'pricelists/de-led-catalogue.cp1252.tsv.csv': 'a catalogue of types: no prices, images and stock',
  'pricelists/de-led-catalogue.utf16le.tsv.txt': 'the same list',
  'pricelists/de-led-catalogue.utf8bom.tsv.csv': 'the same list',
  'rakuten/dl-item.sjis.csv': 'no SKU, category or stock word stands in it, and 19 have hardly any text',
  'rakuten/dl-select.sjis.csv': 'options alone: titles, texts, images and prices are in the file of products',
  'rakuten/item-workbook.xlsx': 'as dl-item, without images',
  'shopify/pt-br-export.csv': 'a draft that was begun: PRODUTO 1 has no text, no image and a price of 0',
}

// After a change of silver or of the rubric: run with -u, and read what moved and why.
real(overShared('every real file is worth what was reviewed'), async () => {
  const text = graded.map(({ file, line }) => `${file}\n  ${line.replaceAll(' | ', '\n  ')}\n`).join('\n')
  await expect(text).toMatchFileSnapshot('real-scores.txt')
})

real(overShared('no product scores below 40 for a fault of ours: each file that has some lacks what they lack'), () => {
  expect(graded.flatMap(({ file, below }) => (below.length > 0 ? file : []))).toEqual(Object.keys(reasons).sort())
})

real(overShared('a well-formed shop has one such product, which is a draft'), () => {
  const shops = /^(shopify|woocommerce|magento|prestashop|vendure|hm)\//
  const found = graded.filter(({ file }) => shops.test(file))
  expect(found.length).toBeGreaterThan(9)
  expect(found.flatMap(({ below }) => below)).toEqual([
    expect.stringMatching(/^PRODUTO 1 \d+: without description, image/),
  ])
})
