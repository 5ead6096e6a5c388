import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownNumber } from '../../../../ingest/readers/xlsx/shown-number.ts'

test.each([
  ['0.30000000000000004', '0.3'],
  ['1.1000000000000001', '1.1'],
  ['29.989999999999998', '29.99'],
  ['-29.989999999999998', '-29.99'],
  ['1299.0000000000002', '1299'],
  ['1.1000000000000001E-2', '0.011'],
  ['12.3456789012345678', '12.3456789012346'],
  ['12345.0', '12345'],
  ['1.2345678E7', '12345678'],
  ['4.006381333931E12', '4006381333931'],
  ['3.6000291452E10', '36000291452'],
  ['-2.50E2', '-250'],
  ['0.0', '0'],
])('%s is shown as %s', (stored, shown) => {
  expect(shownNumber(stored)).toBe(shown)
})

test.each(['1.10', '12.345', '0.000123456789012345', '1E-3', '007.50', 'abc', ''])('%j stays as it is', (stored) => {
  expect(shownNumber(stored)).toBe(stored)
})

test.each(['04006381333931', '12345678901234567', '1.2345678901234568E+17', '1234567890123456.5'])(
  'no digit of an identifier is changed: %s',
  (stored) => {
    expect(shownNumber(stored)).toBe(stored)
  },
)

test('a sum of cents is shown as the cents that it is', () => {
  fc.assert(
    fc.property(fc.nat(99_999), fc.nat(99_999), (a, b) => {
      expect(Number(shownNumber(String(a / 100 + b / 100)))).toBe((a + b) / 100)
    }),
  )
})
