import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldNames } from '../../../schemas/product.ts'
import { exportColumns, exportRow, isEditable } from '../../../transforms/versions/export-row.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'

/** Made of other fields, or no value of a product. */
const notExported = [
  'short_description',
  'track_stock',
  'allow_backorder',
  'image',
  'deleted',
  'sale_price_start_date',
  'sale_price_end_date',
  'weight_unit',
  'dimensions',
  'dimensions_unit',
]

test('the id comes first, and every field that silver makes has its column', () => {
  expect(exportColumns[0]).toBe('assay_id')
  expect(exportColumns.slice(3)).toEqual(fieldNames.filter((field) => !notExported.includes(field)))
})

test('a row has a cell for each column, whatever the product is', () => {
  const kind = fc.constantFrom('single' as const, 'variant' as const, 'parent' as const)
  fc.assert(
    fc.property(anyProduct, kind, (product, kind) => {
      const row = exportRow({ id: 'p', kind, family: null, product })
      expect(row.slice(0, 3)).toEqual(['p', kind, 'p'])
      expect(row).toHaveLength(exportColumns.length)
      expect(row.every((cell) => typeof cell === 'string')).toBe(true)
    }),
  )
})

test('a deletion is no cell among others', () => {
  expect(fieldNames.filter((name) => !isEditable(name))).toEqual(['deleted'])
  expect(isEditable('assay_id') || isEditable('toString')).toBe(false)
})
