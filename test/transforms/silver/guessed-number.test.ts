import { describe, expect, test } from 'vitest'
import type { CellValue, NumberFormat } from '../../../schemas/pipeline.ts'
import type { Field } from '../../../schemas/product.ts'
import { numberEvidence } from '../../../transforms/silver/number-format.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { contextOf, plainSettings, said } from './said.ts'

const formatOf = (cells: readonly string[]): NumberFormat => {
  const evidence = numberEvidence()
  for (const cell of cells) evidence.see(cell)
  return evidence.result()
}
const some = ['9.99', '12.50', '5.49', '7,99']
const nearlyAll = [...Array<string>(20).fill('9.99'), '7,99']

const make = (cells: Partial<Record<Field, CellValue>>, column: readonly string[]) => {
  const fields = said(cells)
  const numbers = Object.fromEntries(
    (Object.keys(cells) as Field[]).flatMap((field) => {
      const cell = fields.get(field)
      return cell ? [[cell.column, formatOf(column)]] : []
    }),
  )
  const { product, warnings } = refine(fields, 'single', contextOf({ numbers }), plainSettings)
  return { product, codes: warnings.map(({ field, code }) => `${field} ${code}`) }
}

describe('a lone mark before three digits', () => {
  test.each(['1.299', '1,299'])('is no price where its column contradicts itself: %s', (price) => {
    const { product, codes } = make({ sku: 'A', title: 'Mug', price, currency: 'EUR' }, some)
    expect(product.price).toBeNull()
    expect(codes).toContain('price ambiguous_number')
  })

  test('is read as nearly all of its column are, and told to be a guess', () => {
    const { product, codes } = make({ price: '1,299', sale_price: '1,199', currency: 'EUR' }, nearlyAll)
    expect(product).toMatchObject({ price: '1299.00', salePrice: '1199.00' })
    expect(codes).toEqual(expect.arrayContaining(['price number_guess', 'sale_price number_guess']))
    expect(make({ price: '7,99', currency: 'EUR' }, nearlyAll).codes).toEqual([])
  })

  test('of a measure goes by the same evidence', () => {
    const cells = { weight: '1,299 g', dimensions: '1,299 x 30 x 20 cm', unit_pricing_measure: '1,299 ml' }
    const open = make(cells, some)
    expect(open.product).toMatchObject({ weight: null, length: null, unitPricingMeasure: null })
    expect(open.codes.sort()).toEqual(
      Object.keys(cells)
        .map((field) => `${field} ambiguous_number`)
        .sort(),
    )
    const guessed = make(cells, nearlyAll)
    expect(guessed.product).toMatchObject({
      weight: '1299 g',
      length: '1299 cm',
      width: '30 cm',
      unitPricingMeasure: '1299 ml',
    })
    expect(guessed.codes.sort()).toEqual(
      Object.keys(cells)
        .map((field) => `${field} number_guess`)
        .sort(),
    )
  })
})
