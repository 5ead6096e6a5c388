import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardFormula, unguardFormula } from '../../ingest/formula-guard.ts'

test.each([
  ['=HYPERLINK("http://x.example.test","Sale")', `'=HYPERLINK("http://x.example.test","Sale")`],
  ['-20% Summer Mug', `'-20% Summer Mug`],
  ['@home Lamp', `'@home Lamp`],
  ['+SUM(A1)', `'+SUM(A1)`],
  ['\t=1', `'\t=1`],
  ["'=1", "''=1"],
])('%j is made inert (KF-25)', (text, inert) => {
  expect(guardFormula(text)).toBe(inert)
})

test.each(['-5.5', '+49', '-12,5%', 'Mug', "'s Gravenhage", '', 'a=b'])('%j stays as it is', (text) => {
  expect(guardFormula(text)).toBe(text)
})

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '@', '\t', '\r', '1', '.', 'a') }),
)

test('reading undoes the guard exactly, and nothing guarded begins a formula', () => {
  fc.assert(
    fc.property(text, (one) => {
      const inert = guardFormula(one)
      expect(unguardFormula(inert)).toBe(one)
      expect(/^[=+\-@\t\r]/.test(inert) && !/^[+-]?[\d.,]+%?$/.test(inert)).toBe(false)
    }),
  )
})
