import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import type { Ledger, Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import {
  expectedPrices,
  metric,
  numbersIn,
  overShared,
  type PriceFigures,
  priceFigures,
  realPath,
  sharedIsThere,
} from './expected-figures.ts'
import { expectValidFeeds } from './feeds-of.ts'
import { cases, forSale, topLevel, wooParents } from './real-cases.ts'
import { realImports, rowsOf } from './real-imports.ts'
import { gradeCatalog } from './real-scores.ts'
import { areWorthWhatWasReviewed } from './real-worth.ts'

let assay: Running
beforeAll(async () => {
  if (sharedIsThere) assay = await sharedAssay()
})
afterAll(() => assay?.close())

const imported = realImports(() => assay)
const total = (l: Ledger) => l.created + l.updated + l.unchanged + l.duplicate + l.rejected
const bySku = (products: readonly ProductResource[]) => new Map(products.map((product) => [product.sku, product]))

describe.each(cases)('$file', ({ file, products, variants, duplicates, prices }) => {
  const expectedDuplicates = () => duplicates?.(file) ?? 0

  test.skipIf(!sharedIsThere)(overShared('is read whole, every row with exactly one result'), async () => {
    const { first } = await imported(file)
    const read = metric(file, 'records')
    expect(first).toMatchObject({
      read,
      created: read - expectedDuplicates(),
      updated: 0,
      unchanged: 0,
      duplicate: expectedDuplicates(),
      rejected: 0,
    })
    expect(total(first)).toBe(read)
  })

  test.skipIf(!sharedIsThere)(overShared('is as many products and variants as were counted apart'), async () => {
    const found = (await imported(file)).products
    expect({ products: topLevel(found).length, variants: forSale(found).length }).toEqual({
      products: products(file),
      variants: variants(file),
    })
  })

  test.skipIf(!sharedIsThere)(overShared('keeps every price to the last digit'), async () => {
    const found = await imported(file)
    const read = Object.fromEntries(prices.map(([column, of]) => [column, priceFigures(of(found))]))
    const expected: Record<string, PriceFigures> = {}
    for (const [column] of prices) expected[column] = expectedPrices(file, column)
    expect(read).toEqual(expected)
  })

  test.skipIf(!sharedIsThere)(overShared('a second time changes nothing, and says the same of its rows'), async () => {
    const { first, again } = await imported(file)
    const { second, written } = await again()
    expect(second).toMatchObject({
      read: first.read,
      created: 0,
      updated: 0,
      unchanged: first.created,
      duplicate: first.duplicate,
      rejected: first.rejected,
      warnings: first.warnings,
    })
    const results = async ({ importId }: Ledger) =>
      (await assay.rows(importId)).map(({ row, code, says }) => ({ row, code, says }))
    expect(await results(second)).toEqual(await results(first))
    expect(written[1]).toBe(written[0])
  })
})

test.skipIf(!sharedIsThere).each(cases)(
  overShared('what feeds of $file have is valid, as readers of others read it'),
  async ({ file }) => {
    await expectValidFeeds(assay, (await imported(file)).catalog)
  },
)

const withGtins = cases.filter(({ file }) => !/hm|woocommerce|magento|vendure|flipkart/.test(file))
test.skipIf(!sharedIsThere).each(withGtins)(overShared('$file has exactly the valid GTINs'), async ({ file }) => {
  const { products } = await imported(file)
  const gtins = forSale(products).flatMap(({ gtin }) => gtin ?? [])
  const [valid, rows, distinct] = numbersIn(file, /GTIN: (\d+) of (\d+) rows valid \((\d+) distinct/)
  expect([gtins.length, forSale(products).length, new Set(gtins).size]).toEqual([valid, rows, distinct])
})

const withoutCurrency = cases.filter(({ file }) => !file.startsWith('hm/'))
test.skipIf(!sharedIsThere).each(withoutCurrency)(
  overShared('$file names no currency, so its products have none'),
  async ({ file }) => {
    const { products, context } = await imported(file)
    expect(new Set(products.map(({ currency }) => currency))).toEqual(new Set([null]))
    expect(context.currencies).toEqual({})
  },
)

test.skipIf(!sharedIsThere)(
  overShared('a dollar sign is read as USD and reported as a guess, once a file'),
  async () => {
    const { first, products, context } = await imported('hm/products.csv')
    expect(new Set(products.map(({ currency }) => currency))).toEqual(new Set(['USD']))
    expect(context.currencies).toMatchObject({ price: { code: 'USD', guess: true } })
    expect(first.notes).toContainEqual(expect.stringMatching(/"price" .*USD.* guess.*"\$" in 5400 cells/))
    expect(first.warnings).toEqual({})
  },
)

const shops = cases.filter(({ file }) => file.startsWith('shopify/'))
describe.each(shops)('the Shopify file $file', ({ file }) => {
  test.skipIf(!sharedIsThere)(overShared('gives each product its images once, from all of its rows'), async () => {
    const { products } = await imported(file)
    const distinct = topLevel(products).map(({ images }) => new Set(images).size)
    expect(distinct.reduce((sum, n) => sum + n, 0)).toBe(metric(file, 'images'))
    expect(products.filter(({ images }) => new Set(images).size !== images.length)).toEqual([])
  })

  test.skipIf(!sharedIsThere)(overShared('makes a single of every Default Title, without options'), async () => {
    const { products, rows } = await imported(file)
    const titles = rows.filter((row) => row['Option1 Value'] === 'Default Title').map(({ Title }) => Title)
    const singles = products.filter(({ title, kind }) => kind === 'single' && titles.includes(title ?? ''))
    expect(singles).toHaveLength(titles.length)
    expect(singles.filter(({ options, familyId }) => Object.keys(options).length > 0 || familyId)).toEqual([])
  })

  test.skipIf(!sharedIsThere)(overShared('has the SKUs of its variants and no others'), async () => {
    const { products } = await imported(file)
    const [blank, of, distinct] = numbersIn(file, /SKU blank on (\d+) of (\d+) variants \((\d+) distinct/)
    const skus = forSale(products).map(({ sku }) => sku)
    expect(skus.filter((sku) => sku === null)).toHaveLength(blank ?? 0)
    expect([skus.length, new Set(skus.filter((sku) => sku !== null)).size]).toEqual([of, distinct])
  })
})

test.skipIf(!sharedIsThere)(
  overShared('rows that only add an image are counted with the result of their product'),
  async () => {
    const file = 'shopify/partners-jewelery.csv'
    const bytes = await readFile(realPath(file), 'utf8')
    const rows = await rowsOf(file)
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, bytes)
    const added = rows.filter((row) => row['Variant Price'] === '')
    expect(added).toHaveLength(metric(file, 'image_only_rows'))
    const { Handle, 'Image Src': image = '' } = added[0] ?? {}
    const { result } = await assay.ingest(catalog, bytes.replace(image, `${image}&again=1`))
    const touched = rows.filter((row) => row.Handle === Handle).length
    expect(result).toMatchObject({ created: 0, updated: touched, unchanged: rows.length - touched, rejected: 0 })
  },
)

test.skipIf(!sharedIsThere)(overShared("Magento's children belong to the parents that name them"), async () => {
  const { products, rows } = await imported('magento/configurable-products.csv')
  const skus = bySku(products)
  const parents = rows.filter((row) => row.configurable_variations !== '')
  const wrong = parents.flatMap(({ sku: parent = '', configurable_variations = '' }) =>
    configurable_variations.split('|').filter((variation) => {
      const { sku = '', ...options } = Object.fromEntries(variation.split(',').map((pair) => pair.split('=')))
      const child = skus.get(sku)
      return !(
        child?.kind === 'variant' &&
        child.familyId === skus.get(parent)?.id &&
        child.itemGroupId === parent &&
        JSON.stringify(Object.entries(child.options).sort()) === JSON.stringify(Object.entries(options).sort())
      )
    }),
  )
  expect(wrong).toEqual([])
  expect(parents).toHaveLength(products.filter(({ kind }) => kind === 'parent').length)
})

test.skipIf(!sharedIsThere)(overShared("WooCommerce's variations belong to their parents, with options"), async () => {
  const file = 'woocommerce/sample-products.csv'
  const { products, rows } = await imported(file)
  const skus = bySku(products)
  const variations = rows.filter(({ Type }) => Type === 'variation')
  expect([products.filter(({ kind }) => kind === 'parent').length, variations.length]).toEqual(wooParents(file))
  for (const row of variations) {
    const child = skus.get(row.SKU ?? '')
    expect(child).toMatchObject({ kind: 'variant', familyId: skus.get(row.Parent ?? '')?.id, itemGroupId: row.Parent })
    expect(child?.options).toMatchObject({ [row['Attribute 1 name'] ?? '']: row['Attribute 1 value(s)'] })
  }
})

test.skipIf(!sharedIsThere)(
  overShared("Vendure's SKU on three variants keeps three products, and says so"),
  async () => {
    const { first, products } = await imported('vendure/mock-products.csv')
    const [distinct = 0, repeated = 0, surplus = 0] = numbersIn(
      'vendure/mock-products.csv',
      /sku: (\d+) distinct, (\d+) seen more than once \((\d+) surplus rows\)/,
    )
    const found = forSale(products)
    expect(new Set(found.map(({ sku }) => sku)).size).toBe(distinct)
    expect(found).toHaveLength(distinct + surplus)
    const three = found.filter(({ sku }) => sku === '404.038.96')
    expect(three.map(({ options }) => options.color).sort()).toEqual(['mint', 'mustard', 'pearl'])
    expect(new Set(three.map(({ familyId }) => familyId)).size).toBe(repeated)
    expect(first.warnings.sku_shared).toBe(three.length)
    const notes = (await assay.rows(first.importId)).filter(({ code }) => code === 'sku_shared')
    expect(notes.map(({ row, raw }) => [row, raw])).toEqual([
      [86, '404.038.96'],
      [87, '404.038.96'],
      [88, '404.038.96'],
    ])
  },
)

test.skipIf(!sharedIsThere)(overShared("PrestaShop's seven share a placeholder barcode and stay seven"), async () => {
  const { first, products } = await imported('prestashop/products-semicolon.csv')
  const [bad] = numbersIn('prestashop/products-semicolon.csv', /bad-check-digit (\d+)/)
  // Its weight, width, height and depth are numbers whose unit is a setting of the shop.
  expect(first.warnings).toEqual({ gtin_placeholder: bad, unit_missing: 4 * Number(bad) })
  expect(new Set(products.map(({ sku }) => sku)).size).toBe(bad)
})

test.skipIf(!sharedIsThere)(overShared("Odoo's barcodes are judged, and its Cost is not the price"), async () => {
  const file = 'odoo/product-template-de.csv'
  const { first, products, context, rows } = await imported(file)
  const [restricted] = numbersIn(file, /(\d+) with an in-store\/restricted prefix/)
  const [bad] = numbersIn(file, /bad-check-digit (\d+)/)
  expect(first.warnings).toEqual({ gtin_restricted: restricted, gtin_bad_check_digit: bad })
  expect(context.mapping.Cost).toBeUndefined()
  const skus = bySku(products)
  for (const row of rows) {
    const asked = row.Verkaufspreis === '' ? null : Number(row.Verkaufspreis)
    expect(skus.get(row['Internal Reference'] ?? '')?.price).toBe(asked)
  }
})

test.skipIf(!sharedIsThere)(overShared('four Flipkart products without a price have none, and no other'), async () => {
  const { products } = await imported('flipkart/sample-with-blank-rows.csv')
  const [without] = numbersIn('flipkart/sample-with-blank-rows.csv', /(\d+) products have no price/)
  expect(products.filter(({ price, salePrice }) => price === null && salePrice === null)).toHaveLength(without ?? 0)
})

test.skipIf(!sharedIsThere)(overShared('ids keep their leading zeros'), async () => {
  const { catalog } = await imported('hm/products.csv')
  const [zeros] = numbersIn('hm/products.csv', /ids with a leading zero: (\d+)/)
  const { rows } = await assay.system.catalog.pipeline.query(
    `select refined ->> 'sourceId' as id from products where catalog_id = $1 and refined ->> 'sourceId' like '0%'`,
    [catalog],
  )
  const { rows: file } = await imported('hm/products.csv')
  expect(file.filter(({ id }) => id?.startsWith('0'))).toHaveLength(zeros ?? 0)
  expect(new Set(rows.map(({ id }) => id))).toEqual(
    new Set(file.map(({ id }) => id).filter((id) => id?.startsWith('0'))),
  )
})

areWorthWhatWasReviewed(
  'real-files.scores.txt',
  cases.map(({ file }) => file),
  async (file) => gradeCatalog(assay, file, (await imported(file)).catalog),
)
