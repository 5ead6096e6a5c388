import { expect, test } from 'vitest'
import { readWeight } from '../../../transforms/silver/weight.ts'

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
