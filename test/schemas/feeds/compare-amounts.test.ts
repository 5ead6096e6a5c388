import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAmounts } from '../../../schemas/feeds/compare-amounts.ts'

test.each([
  ['9.50', '9.5', 0],
  ['10', '9.99', 1],
  ['0.30', '0.3000000000000000001', -1],
  ['0012', '12.000', 0],
  ['90071992547409930.01', '90071992547409930.02', -1],
])('%s against %s is %i', (a, b, order) => {
  expect(compareAmounts(a, b)).toBe(order)
})

test.each(['', '-1', '1,5', '1e3', '.5', 'free'])('%j compares with nothing', (text) => {
  expect(compareAmounts(text, '1')).toBeNaN()
  expect(compareAmounts('1', text)).toBeNaN()
})

test('amounts order as their minor units do', () => {
  const minor = fc.bigInt({ min: 0n, max: 10n ** 24n })
  const written = (n: bigint) => `${n / 1000n}.${String(n % 1000n).padStart(3, '0')}`
  fc.assert(
    fc.property(minor, minor, (a, b) => {
      expect(compareAmounts(written(a), written(b))).toBe(a === b ? 0 : a < b ? -1 : 1)
    }),
  )
})
