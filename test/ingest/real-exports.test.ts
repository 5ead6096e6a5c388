import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportFormatNames } from '../../schemas/export.ts'
import { exportColumns } from '../../transforms/versions/export-row.ts'
import { enough } from '../enough.ts'
import { changedFields, exportOf, refinedOf, rowsIn, written } from '../exported.ts'
import type { Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import { overShared, realPath, sharedIsThere } from './expected-figures.ts'

let assay: Running
beforeAll(async () => {
  if (sharedIsThere) assay = await sharedAssay()
})
afterAll(() => assay?.close())

/** By turns where not every file is exported in every format. */
const formatsOf = (file: string) =>
  enough(
    exportFormatNames.filter((_, i) => i % files.length === files.indexOf(file)),
    [...exportFormatNames],
  )

const files = [
  'shopify/partners-apparel.csv',
  'woocommerce/sample-products.csv',
  'odoo/product-template-de.csv',
  'flipkart/sample-with-blank-rows.csv',
]

/** Fields with something to change, and what they are said to be. */
const said = [
  ['title', 'title', 'Another name'],
  ['price', 'price', 'one cent less'],
  ['description', 'description', 'Two lines,\nand a "quote"'],
  ['images', 'images', '["https://cdn.example.test/a,b.jpg"]'],
  ['brand', 'brand', 'Another brand'],
  ['tags', 'tags', '["one, two","three"]'],
  ['category', 'categoryPath', 'Home > Kitchen > Cups'],
  ['sku', 'sku', 'of its own'],
  ['weight', 'weight', '1.5 kg'],
] as const
function otherwise(field: string, now: string, value: string, i: number): string {
  // A higher price would bring a sale price to light that was none before.
  if (field === 'price') return (Number(now) - 0.01).toFixed(2)
  return field === 'sku' ? `ANOTHER-${i}` : value
}
const at = (column: string) => exportColumns.indexOf(column)

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

  test.skipIf(!sharedIsThere).each(formatsOf(file))(
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

  test.skipIf(!sharedIsThere)(
    overShared('a cell that is said otherwise in the export changes this field of this product alone'),
    async () => {
      const rows = (await rowsIn((await exportOf(assay, catalog, 'parquet')).bytes)).map(({ cells }) =>
        cells.map(String),
      )
      const wanted = new Map<string, string[]>()
      for (const [i, row] of rows.entries()) {
        if (i % Math.ceil(rows.length / 40) !== 0) continue
        const edits = said.filter(([field]) => row[at(field)] !== '')
        const [field, name, value] = edits[wanted.size % edits.length] ?? ['title', 'title', 'Named']
        row[at(field)] = otherwise(field, row[at(field)] ?? '', value, i)
        wanted.set(row[0] ?? '', [name])
      }
      const before = await refinedOf(assay, catalog)
      const { result } = await assay.ingest(catalog, await written('csv', rows))
      expect(result).toMatchObject({ created: 0, updated: wanted.size, unchanged: rows.length - wanted.size })
      const changed = changedFields(before, await refinedOf(assay, catalog))
      // A sale price that was the price itself is above it now.
      for (const [id, names] of changed) if (String(names) === 'price,refusedSale') changed.set(id, ['price'])
      expect(changed).toEqual(wanted)
    },
  )
})
