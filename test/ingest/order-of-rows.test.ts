import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvLine } from '../../ingest/writers/csv.ts'
import { enough } from '../enough.ts'
import { rowsOf, withTable } from '../exported.ts'
import type { Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import { overShared, realPath, sharedIsThere } from './expected-figures.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: '' })
const row = fc.record({
  title: maybe(fc.constantFrom('Enamel mug', 'Linen cloth for the kitchen table', 'Oak stool, black', 'TEST')),
  description: maybe(fc.constantFrom('A mug of thick enamel with a white rim.', '<p>Oiled oak</p>')),
  price: maybe(fc.constantFrom('9,50', '12,00', '1.299,00', '0')),
  currency: maybe(fc.constantFrom('EUR', 'CHF')),
  availability: maybe(fc.constantFrom('in stock', 'ausverkauft', '5-7 days')),
  gtin: maybe(fc.constantFrom('4006381333931', '0000000000000')),
  brand: maybe(fc.constantFrom('Lumo', 'Nord')),
  image: maybe(fc.constantFrom('https://cdn.example.test/a.jpg', 'htp:/broken')),
  item_group_id: maybe(fc.constantFrom('G-1', 'G-2')),
  color: maybe(fc.constantFrom('black', 'white')),
})
type Row = Record<string, string>

const numbered = (one: Row, i: number): Row => ({ ...one, sku: `S-${i}`, color: one.color || `shade ${i}` })

/** Score, and where it is ready, of each SKU. */
async function graded(rows: readonly Row[]): Promise<ReadonlyMap<string | null, object>> {
  const catalog = await assay.newCatalog()
  const columns = [
    'sku',
    'title',
    'description',
    'price',
    'currency',
    'availability',
    'gtin',
    'brand',
    'image',
    'item_group_id',
    'color',
  ]
  const lines = rows.map((one) => columns.map((name) => `"${one[name] ?? ''}"`).join(';'))
  await assay.ingest(catalog, `${[columns.join(';'), ...lines].join('\n')}\n`)
  const found = await assay.products(catalog)
  return new Map(
    found
      .filter(({ kind }) => kind !== 'parent')
      .map(({ sku, optimizationScore, feedReadyFor }) => [sku, { optimizationScore, feedReadyFor }]),
  )
}

test('the order of rows never changes a score', async () => {
  const orders = fc
    .array(row, { minLength: 2, maxLength: 12 })
    .map((rows) => rows.map(numbered))
    .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })))
  await fc.assert(
    fc.asyncProperty(orders, async ([rows, shuffled]) => {
      expect(await graded(shuffled)).toEqual(await graded(rows))
    }),
    { numRuns: enough(3, 6), endOnFailure: true },
  )
}, 60_000)

test('the order of rows never changes what a variant has from its family', async () => {
  const black = { title: 'Oak stool black', color: 'black', image: 'https://c.example.test/1.jpg' }
  const white = { title: 'Oak stool white', color: 'white', brand: 'Lumo', description: 'A stool of oak in white' }
  const rows = [black, white].map((one, i) => ({
    sku: `V${i}`,
    item_group_id: 'G1',
    price: '10',
    currency: 'EUR',
    ...one,
  }))
  for (const ordered of [rows, rows.toReversed()]) {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, ordered.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const found = new Map((await assay.products(catalog)).map((one) => [one.sku, one]))
    expect(found.get('V0')).toMatchObject({ title: 'Oak stool black', brand: 'Lumo', description: null })
    expect(found.get('V1')).toMatchObject({ title: 'Oak stool white', brand: 'Lumo', images: [] })
  }
})

test.skipIf(!sharedIsThere)(overShared("the order of a Shopify file's rows never changes a score"), async () => {
  const { header, rows } = await withTable(await readFile(realPath('shopify/pt-br-export.csv')), async (table) => ({
    header: table.header,
    rows: (await rowsOf(table)).map(({ cells }) => cells),
  }))
  const scores: string[][] = []
  for (const ordered of [rows, rows.toReversed()]) {
    const catalog = await assay.newCatalog()
    const file = [header, ...ordered].map((cells) => csvLine(cells.map(String))).join('')
    await assay.ingest(catalog, file)
    const all = (await assay.products(catalog)).filter(({ kind }) => kind !== 'parent')
    scores.push(all.map((one) => JSON.stringify([one.title, one.price, one.options, one.optimizationScore])).sort())
  }
  expect(scores[1]).toEqual(scores[0])
  expect(scores[0]).not.toEqual([])
})
