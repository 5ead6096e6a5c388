import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unguardFormula } from '../../../ingest/formula-guard.ts'
import { exportFormatNames } from '../../../schemas/export.ts'
import type { CellValue } from '../../../schemas/pipeline.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { exportColumns, exportRow } from '../../../transforms/versions/export-row.ts'
import { enough } from '../../enough.ts'
import { rowsOf, withTable, written } from '../../exported.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'

/** What no database gives back: U+0000, and halves of surrogate pairs. */
const storable = (product: RefinedProduct): RefinedProduct =>
  JSON.parse(JSON.stringify(product), (_, value) =>
    typeof value === 'string' ? value.replace(/\0|\p{Surrogate}/gu, '') : storableKeys(value),
  )
const storableKeys = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(/\0|\p{Surrogate}/gu, ''), inner]))
    : value

const anyRow = fc
  .record({
    id: fc.uuid(),
    kind: fc.constantFrom('single', 'variant', 'parent'),
    family: fc.option(fc.uuid()),
    product: anyProduct.map(storable),
  })
  .map(exportRow)

const textOf = (cell: CellValue) => (typeof cell === 'string' ? cell : JSON.stringify(cell))

describe.each(exportFormatNames)('an export as %s', (format) => {
  const people = format === 'csv' || format === 'xlsx'

  test('of any products is read with the same columns and the same cells', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 20 }), async (rows) => {
        const bytes = await written(format, rows)
        const read = await withTable(bytes, async (table) => {
          expect(table.header).toEqual(exportColumns)
          return rowsOf(table)
        })
        expect(read.filter(({ fault }) => fault)).toEqual([])
        const cells = read.map((row) => row.cells.map((cell) => (people ? unguardFormula(textOf(cell)) : textOf(cell))))
        expect(cells).toEqual(rows)
        expect(read.map(({ row }) => row)).toEqual(rows.map((_, i) => i + 1))
      }),
      { numRuns: enough(6, 15) },
    )
  })
})
