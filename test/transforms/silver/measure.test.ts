import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMeasure } from '../../../transforms/silver/measure.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { unitOfColumn } from '../../../transforms/silver/units.ts'
import { contextOf, plainSettings, said } from './said.ts'

const read = (raw: string, unit: string | null = null, how: '.' | ',' | null = null) => {
  const { value, findings } = readMeasure(raw, ['weight'], how, unit)
  return [value, ...findings.map(({ code }) => code)]
}

describe('a weight', () => {
  test.each([
    ['Weight (kg)', '0,5', '0.5 kg'],
    ['Variant Grams', '3780.0', '3780 g'],
    ['weight_lbs', '1.25', '1.25 lb'],
    ['Gewicht in kg', '1,50', '1.5 kg'],
    ['Weight', '220', '220'],
    ['Weight (kg)', '500 g', '500 g'],
    ['Weight (kg)', '0.00', null],
    ['Weight', '', null],
  ])('%s %j is %j', (column, raw, weight) => {
    expect(read(raw, unitOfColumn(column, 'weight'))).toEqual([weight])
  })

  test.each([
    ['1.5 kg', '1.5 kg'],
    ['1,5 kg', '1.5 kg'],
    ['2KG', '2 kg'],
    ['12 oz.', '12 oz'],
    ['1.234,5 g', '1234.5 g'],
    ['250 KGM', '250 kg'],
    ['3 [lb_av]', '3 lb'],
    ['300 Gramm', '300 g'],
    ['2 кг', '2 kg'],
    ['500グラム', '500 g'],
    ['３千克', '3 kg'],
    ['1.5E+3 ', '1500'],
    ['0 kg', null],
  ])('%j is %j', (raw, weight) => {
    expect(read(raw)).toEqual([weight])
  })

  test.each([
    ['1,299 kg', null, 'ambiguous_number'],
    ['-2 kg', null, 'negative_measure'],
    ['12 stone', '12 stone', 'unknown_unit'],
    ['2 m', '2 m', 'unknown_unit'],
    ['about 3 kg', 'about 3 kg', 'unreadable_measure'],
    ['5 kg brutto', '5 kg brutto', 'unknown_unit'],
    ['1-2 kg', '1-2 kg', 'unreadable_measure'],
  ])('%j is %j, and its row says why: %s', (raw, weight, code) => {
    expect(read(raw)).toEqual([weight, code])
  })

  test('is read by the decimal mark of its column, and with the unit beside it', () => {
    expect(read('1,299', 'kilograms', ',')).toEqual(['1.299 kg'])
    expect(read('1,299', 'kilograms', '.')).toEqual(['1299 kg'])
    expect(read('5', 'stone')).toEqual(['5 stone', 'unknown_unit'])
  })

  test('that is a number of its file is read with its point under any setting (KF-14)', () => {
    const point = { by: 'numbers' as const, texts: null, lonePoints: false, exponents: false }
    const context = contextOf({ numbers: { 'Weight (kg)': { decimal: '.', reason: '', point } } })
    for (const decimal of ['.', ',', null] as const) {
      const cells = said({ weight: { column: 'Weight (kg)', value: '1.299' } })
      expect(refine(cells, 'single', context, { ...plainSettings, decimal }).product.weight).toBe('1.299 kg')
    }
  })

  test('that was read is read as itself again, whatever it was', () => {
    const raw = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE kglbozt"\'½²') }),
    )
    fc.assert(
      fc.property(raw, fc.option(fc.constantFrom('kg', 'lb', 'stone')), (text, unit) => {
        const { value, findings } = readMeasure(text, ['weight'], ',', unit)
        for (const { says } of findings) expect(says).toMatch(/\S/)
        if (value !== null) expect(readMeasure(value, ['weight'], '.', null).value).toBe(value)
      }),
      { numRuns: 500 },
    )
  })
})

test('the unit of a column is what its name says of it, and nothing else in the name', () => {
  expect(unitOfColumn('Länge in mm', 'length')).toBe('mm')
  expect(unitOfColumn('Height (in)', 'length')).toBe('in')
  expect(unitOfColumn('Height in cm', 'length')).toBe('cm')
  expect(unitOfColumn('Weight in stock', 'weight')).toBeNull()
  expect(unitOfColumn('Weight (kg)', 'length')).toBeNull()
})
