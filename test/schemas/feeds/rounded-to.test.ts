import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalsIn } from '../../../schemas/feeds/decimals.ts'
import { roundedTo } from '../../../schemas/feeds/rounded-to.ts'

test.each([
  ['12.345', 2, '12.35'],
  ['12.344', 2, '12.34'],
  ['9.999', 2, '10.00'],
  ['0.004', 2, '0.00'],
  ['0.005', 2, '0.01'],
  ['9.5', 2, '9.5'],
  ['1500', 2, '1500'],
  ['9.5', 0, '10'],
])('%s at %i decimals is %s', (amount, decimals, text) => {
  expect(roundedTo(amount, decimals)).toBe(text)
})

test('what is rounded is never finer than asked, and never further off than half of the last digit', () => {
  const amount = fc.tuple(fc.nat(99_999), fc.stringMatching(/^\d{1,6}$/)).map(([whole, part]) => `${whole}.${part}`)
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 4 }), (text, decimals) => {
      const rounded = roundedTo(text, decimals)
      expect(decimalsIn(rounded)).toBeLessThanOrEqual(decimals)
      expect(Math.abs(Number(rounded) - Number(text))).toBeLessThanOrEqual(0.5 * 10 ** -decimals + 1e-9)
    }),
  )
})
