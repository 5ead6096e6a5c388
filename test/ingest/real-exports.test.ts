import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportFormatNames } from '../../schemas/export.ts'
import { exportOf } from '../exported.ts'
import { type Running, startAssay } from '../running.ts'
import { overShared, realPath, sharedIsThere } from './expected-figures.ts'

let assay: Running
beforeAll(async () => {
  if (sharedIsThere) assay = await startAssay()
})
afterAll(() => assay?.close())

const files = [
  'shopify/partners-apparel.csv',
  'woocommerce/sample-products.csv',
  'odoo/product-template-de.csv',
  'flipkart/sample-with-blank-rows.csv',
]

/** A row cannot change without its counter. */
async function writtenRows(catalog: string): Promise<string> {
  const sql = `select md5(string_agg(product_id || ':' || rev, ',' order by product_id)) as rows from products where catalog_id = $1`
  return (await assay.system.catalog.pipeline.query<{ rows: string }>(sql, [catalog])).rows[0]?.rows ?? ''
}

describe.each(files)('%s', (file) => {
  let catalog: string
  let counts: { products: number; sellable: number }
  beforeAll(async () => {
    if (!sharedIsThere) return
    catalog = await assay.newCatalog(file)
    await assay.ingest(catalog, await readFile(realPath(file)))
    await assay.publish(catalog)
    const products = await assay.products(catalog)
    counts = { products: products.length, sellable: products.filter(({ kind }) => kind !== 'parent').length }
  })

  test.skipIf(!sharedIsThere).each(exportFormatNames)(
    overShared('exported as %s is imported again as unchanged, the catalog and its version'),
    async (format) => {
      const before = await writtenRows(catalog)
      for (const [version, rows] of [
        [undefined, counts.products],
        [1, counts.sellable],
      ] as const) {
        const { bytes } = await exportOf(assay, catalog, format, version)
        const { status, result } = await assay.ingest(catalog, bytes)
        expect({ status, ...result }).toMatchObject({
          status: 'completed',
          read: rows,
          created: 0,
          updated: 0,
          unchanged: rows,
          duplicate: 0,
          rejected: 0,
        })
      }
      expect(await writtenRows(catalog)).toBe(before)
    },
  )
})
