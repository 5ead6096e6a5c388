import { describe, expect, test } from 'vitest'
import type { CertainPoint, NumberFormat } from '../../../schemas/pipeline.ts'
import { parseAmount } from '../../../transforms/silver/number-format.ts'
import { numberRule } from '../../../transforms/silver/number-rule.ts'
import { contextOf } from './said.ts'

const origin = { epoch: 0, offset: 1, import: 'i', row: 1 }
const read = (
  raw: string,
  format: NumberFormat | null,
  decimal: '.' | ',' | null,
  { currency = null, context = 1 }: { currency?: string | null; context?: number } = {},
) => {
  const found = contextOf({ numbers: format ? { price: format } : {} })(1)
  return parseAmount(raw, numberRule({ column: 'price', origin: { ...origin, context } }, found, { decimal }, currency))
    .text
}

const marks = ['.', ',', null] as const
const evidence = (decimal: '.' | ',' | null): NumberFormat => ({ decimal, reason: '' })
const certain = (point: Partial<CertainPoint> = {}): NumberFormat => ({
  decimal: '.',
  reason: '',
  point: { by: 'numbers', texts: null, lonePoints: false, exponents: false, ...point },
})

describe('a lone mark', () => {
  test('is read as the workspace says, else by the evidence of its column, as contexts stored before have it', () => {
    for (const of of marks) {
      expect(read('1.299', evidence(of), ',')).toBe('1299')
      expect(read('1.299', evidence(of), '.')).toBe('1.299')
    }
    expect(read('1.299', evidence(','), null)).toBe('1299')
    expect(read('1.299', evidence(null), null)).toBeNull()
    expect(read('1.299', null, null)).toBeNull()
  })

  test('of a number is the decimal point that it is, whatever the workspace says (KF-14)', () => {
    for (const setting of marks)
      for (const texts of marks) expect(read('12.345', certain({ texts }), setting)).toBe('12.345')
  })

  test('of a text beside numbers is read by the texts alone, else it is in doubt', () => {
    expect(read('1,299', certain(), null)).toBeNull()
    expect(read('1,299', certain({ texts: ',' }), null)).toBe('1.299')
    expect(read('1,299', certain({ texts: '.' }), null)).toBe('1299')
    expect(read('1,299', certain({ texts: '.' }), ',')).toBe('1.299')
    expect(read('12,50', certain(), '.')).toBe('12.50')
  })

  test('is in doubt where a text of thousands and a number look alike', () => {
    expect(read('1.299', certain({ lonePoints: true }), ',')).toBeNull()
    expect(read('1.299', certain({ lonePoints: true, texts: ',' }), null)).toBeNull()
    expect(read('1.299', certain({ lonePoints: true, texts: ',' }), '.')).toBe('1.299')
    expect(read('1.299', certain({ lonePoints: true }), null)).toBe('1.299')
  })

  test('of a column that contradicts itself is in doubt, or a guess, unless the workspace says it', () => {
    const rule = (format: NumberFormat, decimal: '.' | ',' | null = null, currency: string | null = null) =>
      numberRule(
        { column: 'price', origin: { ...origin, context: 1 } },
        contextOf({ numbers: { price: format } })(1),
        { decimal },
        currency,
      )
    const guess = (raw: string, ...of: Parameters<typeof rule>) => parseAmount(raw, rule(...of)).guess
    const open = { ...evidence(null), mixed: true } as const
    const nearly = { ...evidence('.'), mixed: true } as const
    expect([read('1.299', open, null), read('1,299', open, null), read('7,99', open, null)]).toEqual([
      null,
      null,
      '7.99',
    ])
    expect([read('1.299', open, '.'), guess('1.299', open, '.')]).toEqual(['1.299', false])
    expect([read('1.299', nearly, null), read('1,299', nearly, null)]).toEqual(['1.299', '1299'])
    expect([guess('1.299', nearly), guess('1,299', nearly), guess('7,99', nearly)]).toEqual([true, true, false])
    expect([guess('1.299', nearly, ','), guess('1.299', evidence('.'))]).toEqual([false, false])
    expect([read('1.299', open, null, { currency: 'JPY' }), guess('1.299', nearly, null, 'JPY')]).toEqual([
      '1299',
      false,
    ])
  })

  test('of a number beside texts that contradict each other is in doubt only where such a text looks like it', () => {
    const mixed = (point: Partial<CertainPoint>) => ({ ...certain(point), mixed: true }) as const
    expect(read('1.299', mixed({}), null)).toBe('1.299')
    expect(read('1.299', mixed({ lonePoints: true }), null)).toBeNull()
    expect(read('1,299', mixed({}), null)).toBeNull()
  })

  test('is the point that the specification of a format asks for, whatever the workspace says', () => {
    const google = certain({ by: 'format', texts: '.', lonePoints: true })
    for (const setting of marks) {
      expect(read('12.345 KWD', google, setting)).toBe('12.345')
      expect(read('1,299 USD', google, setting)).toBe('1299')
    }
  })

  test('of our own interface is read by its own rule', () => {
    expect(read('1.299', evidence('.'), ',', { context: 0 })).toBe('1.299')
  })
})

describe('a lone mark in money without minor units', () => {
  const yen = { currency: 'JPY' }

  test.each(['1,500', '1.500'])('groups digits, whatever the workspace says: %s', (raw) => {
    for (const setting of marks) {
      expect(read(raw, evidence(null), setting, yen)).toBe('1500')
      expect(read(raw, null, setting, yen)).toBe('1500')
    }
  })

  test('is in doubt where its column has decimals by that mark, but for zeros', () => {
    expect(read('1.500', evidence('.'), null, yen)).toBeNull()
    expect(read('1,500', evidence('.'), null, yen)).toBe('1500')
    expect(read('980.000', evidence('.'), null, yen)).toBe('980.000')
    expect(read('1.500', certain({ by: 'format', texts: '.' }), null, yen)).toBeNull()
  })

  test('of a number stays its point', () => {
    expect(read('1.500', certain(), ',', yen)).toBe('1.500')
    expect(read('1,500', certain(), null, yen)).toBe('1500')
  })

  test.each(['KWD', 'EUR'])('is not told by a currency that has them: %s', (currency) => {
    expect(read('1,299', evidence(null), null, { currency })).toBeNull()
  })
})
