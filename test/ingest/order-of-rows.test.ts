import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startAssay } from '../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
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
  image: maybe(fc.constantFrom('https://cdn.example.test/a.jpg', 'htp:/broken')),
  item_group_id: maybe(fc.constantFrom('G-1', 'G-2')),
  color: maybe(fc.constantFrom('black', 'white')),
})
type Row = Record<string, string>

/** What a family has in common stands on all its rows alike: where rows of one differ, the first of the file speaks for it. */
function numbered(one: Row, i: number): Row {
  const family = one.item_group_id ? { title: `Stool ${one.item_group_id}`, description: 'Oiled oak', image: '' } : {}
  return { ...one, ...family, sku: `S-${i}`, color: one.color || `shade ${i}` }
}

/** Score, and where it is ready, of each SKU. */
async function graded(rows: readonly Row[]) {
  const catalog = await assay.newCatalog()
  const columns = [
    'sku',
    'title',
    'description',
    'price',
    'currency',
    'availability',
    'gtin',
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
    { numRuns: 6, endOnFailure: true },
  )
}, 60_000)
