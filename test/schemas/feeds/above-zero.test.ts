import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aboveZero } from '../../../schemas/feeds/above-zero.ts'
import { compareAmounts } from '../../../schemas/feeds/compare-amounts.ts'

test('an amount is above zero where and only where it compares as above it, whatever the text', () => {
  const text = fc.oneof(
    fc.stringMatching(/^[-+]?[0-9.,]{0,8}$/),
    fc.string(),
    fc.constantFrom('0.00', '0.01', '00', '1.', '.5'),
  )
  fc.assert(
    fc.property(text, (one) => {
      expect(aboveZero(one)).toBe(compareAmounts(one, '0') > 0)
    }),
  )
})
