import fc from 'fast-check'
import { expect, test } from 'vitest'
import { floatText, floatTypes } from '../../../ingest/readers/stored-float.ts'

test.each([
  [0.1, 'single', '0.1'],
  [12.34, 'single', '12.34'],
  [16_777_213, 'single', '16777213'],
  [16_777_216, 'single', '1.6777216e+7'],
  [4_006_381_333_931, 'single', '4.0063814e+12'],
  [0.1, 'half', '0.1'],
  [1_234, 'half', '1234'],
  [2_049, 'half', '2.048e+3'],
  [4_006_381_333_931, 'double', '4006381333931'],
  [9_007_199_254_740_991, 'double', '9007199254740991'],
  [12_345_678_901_234_568, 'double', '1.2345678901234568e+16'],
  [-0, 'double', '0'],
  [Number.NaN, 'half', 'NaN'],
] as const)('%d of %s precision is spelled %s', (value, name, text) => {
  const type = floatTypes[name]
  expect(floatText(type.round(value), type)).toBe(text)
})

test.each(['half', 'single', 'double'] as const)(
  'any number of %s precision is read back as itself, and no text with fewer digits is',
  (name) => {
    const type = floatTypes[name]
    const digits = (text: string) =>
      text
        .replace(/e.*$/, '')
        .replace(/\D/g, '')
        .replace(/^0+|0+$/g, '').length
    fc.assert(
      fc.property(
        fc.oneof(fc.double({ noNaN: true }), fc.double({ min: -70_000, max: 70_000, noNaN: true })),
        (any) => {
          const value = type.round(any)
          const text = floatText(value, type)
          expect(type.round(Number(text))).toBe(value === 0 ? 0 : value)
          const fewer = digits(text) - 1
          if (Number.isFinite(value) && fewer > 0) expect(type.round(Number(value.toPrecision(fewer)))).not.toBe(value)
        },
      ),
      { numRuns: 2_000 },
    )
  },
)
