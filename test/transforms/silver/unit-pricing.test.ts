import { expect, test } from 'vitest'
import { agreed, readBaseMeasure, readPricingMeasure } from '../../../transforms/silver/unit-pricing.ts'

test.each([
  ['750 ml', '750 ml'],
  ['75cl', '75 cl'],
  ['0,75 l', '0.75 l'],
  ['12 fl oz', '12 floz'],
  ['6 Stück', '6 ct'],
  ['2,5 m²', '2.5 sqm'],
  ['100 г', '100 g'],
  ['2 sq m', '2 sqm'],
  ['2 sq. m.', '2 sqm'],
  ['2 кв. м', '2 sqm'],
  ['2 m^2', '2 sqm'],
  ['3 kvm', '3 sqm'],
  ['10 sq. ft.', '10 sqft'],
  ['2 cu m', '2 cbm'],
])('%j is sold by %j', (raw, measure) => {
  expect(readPricingMeasure('unit_pricing_measure', raw, null)).toEqual({ value: measure, findings: [] })
})

test('the unit may stand in the name of the column', () => {
  expect(readPricingMeasure('Füllmenge (ml)', '250', null).value).toBe('250 ml')
})

test.each([
  ['100 g', '100 g'],
  ['per 100 g', '100 g'],
  ['je 1 Liter', '1 l'],
  ['€/kg', '€/kg'],
  ['/100ml', '100 ml'],
  ['1/kg', '1 kg'],
  ['kg', '1 kg'],
  ['per per kg', '1 kg'],
  ['1/2 kg', '1/2 kg'],
])('%j is the base %j', (raw, base) => {
  const { value } = readBaseMeasure(raw, null)
  expect(value).toBe(base)
  expect(readBaseMeasure(base, '.').value).toBe(base)
})

test('a base that measures something else than what is sold is none', () => {
  const base = readBaseMeasure('100 g', null)
  expect(agreed(base, '750 ml')).toMatchObject({ value: null, findings: [{ code: 'unit_pricing_mismatch' }] })
  expect(agreed(readBaseMeasure('1 m²', null), '750 ml').findings[0]?.says).toContain(
    '"1 sqm" is an area and "750 ml" a volume',
  )
  expect(agreed(readBaseMeasure('1 m²', null), '2 sq yd m').value).toBe('1 sqm')
  expect(agreed(base, '1.5 kg').value).toBe('100 g')
  expect(agreed(base, null).value).toBe('100 g')
})
