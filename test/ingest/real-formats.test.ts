import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { hundredths, numbersIn, overShared, priceFigures, realPath, sharedIsThere } from './expected-figures.ts'
import { expectValidFeeds } from './feeds-of.ts'
import { files, hm, importedFiles, onlyRead, select } from './real-format-cases.ts'
import { realImports, rowsOf } from './real-imports.ts'
import { gradeCatalog } from './real-scores.ts'
import { areWorthWhatWasReviewed } from './real-worth.ts'

let assay: Running
beforeAll(async () => {
  if (sharedIsThere) assay = await sharedAssay()
})
afterAll(() => assay?.close())

const imported = realImports(() => assay)
const real = test.skipIf(!sharedIsThere)

// Twelve thousand products are imported and listed in pages.
describe.each(importedFiles)(
  '$file',
  { timeout: 180_000 },
  ({ file, readAs, read, products, duplicate, rejected = 0, prices, once = false }) => {
    real(overShared('is read as what it is, whole, every row with exactly one result'), async () => {
      const { first, products: found } = await imported(file)
      expect(first.notes).toContainEqual(expect.stringMatching(readAs))
      const repeats = duplicate?.(file) ?? 0
      expect(first).toMatchObject({ read: read(file), created: products(file), duplicate: repeats, rejected })
      expect(first.created + first.duplicate + first.rejected).toBe(first.read)
      expect(found).toHaveLength(products(file))
      if (prices) expect(priceFigures(found.map(({ price }) => price))).toEqual(prices(file))
    })

    real(overShared('what feeds have of it is valid, as readers of others read it'), async () => {
      await expectValidFeeds(assay, (await imported(file)).catalog)
    })

    if (once) return

    real(overShared('a second time changes nothing'), async () => {
      const { first, again } = await imported(file)
      const { second, written } = await again()
      expect(second).toMatchObject({
        created: 0,
        updated: 0,
        unchanged: first.created,
        rejected,
        warnings: first.warnings,
      })
      expect(written[1]).toBe(written[0])
    })
  },
)

real.each(onlyRead)(overShared('$file has as many rows as were counted'), async ({ file, read }) => {
  expect(await rowsOf(file)).toHaveLength(read(file))
})

real(overShared('one catalogue in three encodings is the same records'), async () => {
  const [one, two, three] = await Promise.all(
    files.slice(0, 3).map(async ({ file }) => {
      const { rows } = await imported(file)
      return rows
    }),
  )
  expect(two).toEqual(one)
  expect(three).toEqual(one)
})

real(overShared('a workbook and the CSV of the same list have the same records'), async () => {
  const sheet = await rowsOf(hm)
  expect(sheet).toEqual(await rowsOf('hm/products.csv'))
  const ids = sheet.filter(({ id }) => id?.startsWith('0'))
  expect(ids).toHaveLength(numbersIn(hm, /ids with a leading zero: (\d+)/)[0] ?? 0)
})

real.each(importedFiles.filter(({ file }) => /it-distributor|alko/.test(file)))(
  overShared('$file has exactly the valid GTINs, and the others are told'),
  async ({ file }) => {
    const { products, first } = await imported(file)
    const [valid, , distinct] = numbersIn(file, /GTIN: (\d+) of (\d+) rows valid \((\d+) distinct/)
    const gtins = products.flatMap(({ gtin }) => gtin ?? [])
    expect([gtins.length, new Set(gtins.map((gtin) => gtin.padStart(14, '0'))).size]).toEqual([valid, distinct])
    expect(first.warnings.gtin_bad_check_digit).toBe(numbersIn(file, /bad-check-digit (\d+)/)[0])
  },
)

real(overShared('a barcode that a spreadsheet made a float of is a warning and no barcode'), async () => {
  const file = 'openfoodfacts/it-excel-damaged.tsv.csv'
  const { products, first, rows } = await imported(file)
  const [scientific = 0] = numbersIn(file, /scientific (\d+)/)
  expect(rows.filter(({ code }) => /E\+/.test(code ?? ''))).toHaveLength(scientific)
  const repeated = new Set(
    (await assay.rows(first.importId)).filter(({ result }) => result === 'duplicate').map(({ row }) => row),
  )
  const lost = rows.filter(({ code }, i) => /E\+/.test(code ?? '') && !repeated.has(i + 1))
  expect(first.warnings.gtin_scientific).toBe(lost.length)
  expect(products.filter(({ gtin }) => gtin?.includes('E'))).toEqual([])
  const [distinct = 0, repaired = 0] = [
    ...numbersIn(file, /rows valid \((\d+) distinct/),
    ...numbersIn(file, /lost-leading-zero (\d+)/),
  ]
  expect(new Set(products.flatMap(({ gtin }) => gtin ?? [])).size).toBe(distinct + repaired)
})

real(overShared('errors of formulas are blank cells with a warning, never texts'), async () => {
  const file = 'rakuten/item-workbook.xlsx'
  const { first, products } = await imported(file)
  const [errors] = numbersIn(file, /(\d+) cells in `item`/)
  expect(first.warnings).toEqual({ spreadsheet_error: errors })
  expect(JSON.stringify(products)).not.toContain('#REF!')
  const [sum] = numbersIn(file, /sum ([\d,]+) JPY/)
  expect(products.reduce((total, { price }) => total + (price ?? 0), 0)).toBe(sum)
})

real(overShared('another sheet of a workbook is read where the caller asks for it'), async () => {
  const file = 'rakuten/item-workbook.xlsx'
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(catalog, await readFile(realPath(file)), { sheet: 'ALL' })
  expect(result.read).toBe(numbersIn(file, /`ALL` ([\d,]+)/)[0])
  expect(result.notes[0]).toMatch(/^sheet "ALL" of a workbook, as the caller says/)
  const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}&sheet=9`
  const refused = await assay.call('POST', path, await readFile(realPath(file)))
  expect(refused).toMatchObject({
    status: 400,
    body: { details: { field: 'sheet', message: expect.stringContaining('5 "ALL"') } },
  })
})

real(overShared('a short record is refused by its line, and nothing is shifted'), async () => {
  const { first, products } = await imported('vendure/invalid-row-length.csv')
  expect(await assay.rows(first.importId)).toMatchObject([
    {
      row: 2,
      result: 'rejected',
      code: 'ragged',
      says: expect.stringMatching(/^Line 3 has 12 cells where the header has 14/),
    },
  ])
  expect(products.map(({ sku }) => sku).sort()).toEqual(['10112', 'M02'].sort())
})

real(overShared('an id conflict is no duplicate: the later line counts, and the other is told'), async () => {
  const { first } = await imported('ndjson/google-retail-ja.jsonl')
  expect(await assay.rows(first.importId)).toMatchObject([{ result: 'rejected', code: 'id_conflict' }])
})

real(
  overShared('the price, currency and stock of each line of a retail API are read from where they are nested'),
  async () => {
    const file = 'ndjson/google-retail-ja.jsonl'
    const { first, products } = await imported(file)
    const [loser] = await assay.rows(first.importId)
    const lines = (await readFile(realPath(file), 'utf8')).split('\n')
    const lost = JSON.parse(lines[(loser?.row ?? 0) - 1] ?? '{}')
    const [numeric, zero] = numbersIn(file, /'numeric': (\d+), 'zero': (\d+)/)
    const [min, max, sum] = numbersIn(file, /'min': ([\d.]+), 'max': ([\d.]+), 'sum': ([\d.]+)/).map(hundredths)
    const amounts = priceFigures([...products.map(({ price }) => price), lost.priceInfo.price])
    expect(amounts).toEqual({ numeric, zero, min, max, sum })
    const count = (key: 'currency' | 'availability', value: string) =>
      products.filter((one) => one[key] === value).length
    const [usd, jpy] = numbersIn(file, /'USD': (\d+), 'JPY': (\d+)/)
    expect([count('currency', 'USD'), count('currency', 'JPY') + 1]).toEqual([usd, jpy])
    const [there, gone] = numbersIn(file, /'IN_STOCK': (\d+), 'OUT_OF_STOCK': (\d+)/)
    expect([count('availability', 'in_stock'), count('availability', 'out_of_stock') + 1]).toEqual([there, gone])
  },
)

real(overShared('a file without products is refused before anything is made of it'), async () => {
  const [file, says] = ['not-products/flights-google.csv', /columns: ID, Destination ID/] as const
  const catalog = await assay.newCatalog()
  const { status, error } = await assay.ingest(catalog, await readFile(realPath(file)))
  expect({ status, error }).toMatchObject({
    status: 'failed',
    error: { code: 'no_columns', message: expect.stringMatching(says) },
  })
  expect(await assay.products(catalog)).toEqual([])
})

real(overShared("Rakuten's file of options alone has families whose titles and prices are gaps"), async () => {
  const { catalog, first, again, products, rows } = await imported(select)
  const [records = 0, families = 0] = numbersIn(select, /^(\d+) records .* of (\d+) products/)
  expect(first).toMatchObject({ read: records, created: records, rejected: 0, duplicate: 0 })
  expect((await again()).second).toMatchObject({ read: records, created: 0, updated: 0, unchanged: records })
  const of = (wanted: string) => products.filter(({ kind }) => kind === wanted)
  expect([of('parent').length, of('variant').length, of('single').length]).toEqual([families, records, 0])
  const said = of('variant').map(({ itemGroupId, options, quantity }) => `${itemGroupId} ${options.横軸} ${quantity}`)
  const column = (row: Readonly<Record<string, string>>, name: string) => row[name] ?? ''
  const expected = rows.map((row) =>
    ['商品管理番号（商品URL）', '項目選択肢別在庫用横軸選択肢', '項目選択肢別在庫用在庫数']
      .map((name) => column(row, name))
      .join(' '),
  )
  expect(said.sort()).toEqual(expected.sort())
  expect(products.filter(({ title, price }) => title !== null || price !== null)).toEqual([])
  expect(of('variant').filter(({ optimizationScore }) => optimizationScore === null)).toEqual([])
  for (const gap of ['title', 'price']) expect(await assay.products(catalog, { missing: gap })).toHaveLength(records)
})

const paths = (all: typeof files) => all.map(({ file }) => file)
areWorthWhatWasReviewed(
  'real-formats.scores.txt',
  [...paths(importedFiles), select],
  async (file) => gradeCatalog(assay, file, (await imported(file)).catalog),
  paths(onlyRead),
)
