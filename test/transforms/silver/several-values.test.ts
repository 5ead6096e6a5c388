import { describe, expect, test } from 'vitest'
import type { CellValue } from '../../../schemas/pipeline.ts'
import { type Field, fieldNames, fields } from '../../../schemas/product.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { contextOf, plainSettings, said } from './said.ts'

const make = (cells: Partial<Record<Field, CellValue>>) => refine(said(cells), 'single', contextOf(), plainSettings)
const told = (cells: Partial<Record<Field, CellValue>>) =>
  make(cells).warnings.flatMap(({ code, field }) => (code === 'several_values' ? [field] : []))

describe('several values of a field that takes one', () => {
  test('are told for every such field, and for none that takes a list', () => {
    const listed = new Set<Field>(['image', 'images', 'category', 'tags'])
    for (const field of fieldNames) {
      expect(told({ [field]: ['one', 'two'] }), field).toEqual(listed.has(field) ? [] : [field])
      expect(fields[field] === 'scalar' || listed.has(field)).toBe(true)
    }
  })

  test('are one where all say the same, or say nothing', () => {
    expect(told({ title: ['Mug', ' Mug'], sku: ['', 'A'], brand: ['', ' '], color: ['Red'] })).toEqual([])
    expect(make({ title: ['Mug', ' Mug'], sku: ['', 'A'] }).product).toMatchObject({ title: 'Mug', sku: 'A' })
  })

  test('give no amount: not of two prices, nor in one of two currencies', () => {
    const amounts = make({ price: ['1.00', '2.00'], sale_price: '0.50', currency: 'EUR' })
    expect(amounts.product).toMatchObject({ price: null, salePrice: null, currency: 'EUR' })
    const currencies = make({ price: '1.00', currency: ['EUR', 'USD'] })
    expect(currencies.product).toMatchObject({ price: null, currency: null })
  })
})
