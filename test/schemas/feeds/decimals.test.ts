import { codes } from 'currency-codes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalsIn, decimalsOf } from '../../../schemas/feeds/decimals.ts'
import { exponent, minorUnits } from '../../../transforms/silver/currency.ts'

test('a currency has the decimals here that silver reads amounts by (KF-14)', () => {
  const money = [...codes(), 'XCG'].filter((code) => exponent(code) !== null)
  expect(money.length).toBeGreaterThan(150)
  expect(Object.fromEntries(money.map((code) => [code, decimalsOf(code)]))).toEqual(
    Object.fromEntries(money.map((code) => [code, exponent(code)])),
  )
})

test('an amount needs no more decimals than its currency has, where and only where it is whole minor units', () => {
  const amount = fc.tuple(fc.nat(99_999), fc.stringMatching(/^(\.\d{1,6})?$/)).map(([whole, part]) => `${whole}${part}`)
  fc.assert(
    fc.property(amount, fc.constantFrom('EUR', 'JPY', 'KWD', 'UYW'), (text, code) => {
      expect(decimalsIn(text) <= decimalsOf(code)).toBe(minorUnits(text, code) !== null)
    }),
  )
})
