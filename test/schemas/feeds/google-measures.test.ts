import { expect, test } from 'vitest'
import { pricingBase, pricingMeasure, productSide, productWeight } from '../../../schemas/feeds/google-measures.ts'
import { complete } from './complete-product.ts'

test.each([
  ['1.5KG', '1.5 kg'],
  ['1500 mg', '1.5 g'],
  ['0.05 t', '50 kg'],
  ['1.25 t', '1250 kg'],
  ['2000 g', '2000 g'],
  ['2001 g', null],
  ['0 kg', null],
  ['3 stone', null],
  ['220', null],
  [null, null],
])('a weight of %j is sent as %j, and never rounded', (text, sent) => {
  expect(productWeight(text)).toBe(sent)
})

test.each([
  [{ length: '12 cm', width: '300 mm', height: '0.05 m' }, ['12 cm', '30 cm', '5 cm']],
  [{ length: '12 in', width: '30 in', height: null }, ['12 in', '30 in', null]],
  [{ length: '12 in', width: '30 cm', height: '5 cm' }, [null, null, null]],
  [{ length: '5 mm', width: '30 cm', height: 'Long' }, [null, '30 cm', null]],
  [{ length: '40 m', width: '30 m', height: '3 m' }, [null, '3000 cm', '300 cm']],
])('the sides of %o are sent as %j', (sides, sent) => {
  const product = { ...complete, ...sides }
  expect((['length', 'width', 'height'] as const).map((side) => productSide(product, side))).toEqual(sent)
})

test.each([
  ['750 ml', '100 ml', '750ml', '100ml'],
  ['7.5 dl', '1 l', '75cl', '1l'],
  ['6 ct', '3 ct', '6ct', null],
  ['50 kg', '50 kg', '50kg', '50kg'],
  ['5 stone', '1 kg', null, null],
  [null, '1 kg', null, null],
])('%j per %j is sent as %j per %j', (measure, base, sentMeasure, sentBase) => {
  const product = { ...complete, unitPricingMeasure: measure, unitPricingBaseMeasure: base }
  expect([pricingMeasure(measure), pricingBase(product)]).toEqual([sentMeasure, sentBase])
})
