import { expect, test } from 'vitest'
import { refine } from '../../../transforms/silver/refine.ts'
import { readWeight } from '../../../transforms/silver/weight.ts'
import { contextOf, plainSettings, said } from './said.ts'

test.each([
  ['Weight (kg)', '0,5', '0.5 kg'],
  ['Variant Grams', '3780.0', '3780 g'],
  ['weight_lbs', '1.25', '1.25 lb'],
  ['Weight', '220', '220'],
  ['Weight (kg)', '500 g', '500 g'],
  ['Weight (kg)', '1,299', '1,299 kg'],
  ['Weight (kg)', '0.00', null],
  ['Weight', '', null],
])('%s %j is %j', (column, raw, weight) => {
  expect(readWeight(column, raw, null)).toBe(weight)
})

test('a weight that is a number of its file is read with its point under any setting (KF-14)', () => {
  const point = { by: 'numbers' as const, texts: null, lonePoints: false, exponents: false }
  const context = contextOf({ numbers: { 'Weight (kg)': { decimal: '.', reason: '', point } } })
  for (const decimal of ['.', ',', null] as const) {
    const cells = said({ weight: { column: 'Weight (kg)', value: '1.299' } })
    expect(refine(cells, 'single', context, { ...plainSettings, decimal }).product.weight).toBe('1.299 kg')
  }
})
