import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberEvidence, parseAmount } from '../../../transforms/silver/number-format.ts'

const decide = (...cells: string[]) => {
  const evidence = numberEvidence()
  for (const cell of cells) evidence.see(cell)
  return evidence.result()
}

describe('the decimal mark of a column', () => {
  test.each([
    ['.', ['1,299.00', '12']],
    ['.', ['5.99']],
    ['.', ['$ 5.99', '1,299']],
    ['.', ["1'299.50"]],
    ['.', ['1,00,000']],
    [',', ['5 000,50', '5000']],
    [',', ['18,9', '1.299']],
    [',', ['1.299,00 €']],
    [',', ['1.299.000']],
    [null, ['1,299', '1.299', '999', '', 'call us', '2024-05-01']],
    [null, []],
  ] as const)('is %j for %j', (decimal, cells) => {
    expect(decide(...cells).decimal).toBe(decimal)
  })

  const cells = (many: number, few: number) => [...Array(many).fill('24,58'), ...Array(few).fill('5.99')]

  test('is open where cells contradict each other, and says so', () => {
    const { decimal, mixed, reason } = decide('18,9', '24,58', '5.99')
    expect({ decimal, mixed }).toEqual({ decimal: null, mixed: true })
    expect(reason).toMatch(/2 cells such as "18,9".*1 cells such as "5.99".*contradict/)
    expect(decide('9.99', '12.50', '5.49', '7,99', '1.299', '1,299')).toMatchObject({ decimal: null, mixed: true })
    expect(decide(...cells(19, 1))).toMatchObject({ decimal: null, mixed: true })
    expect(decide('18,9', '24,58')).not.toHaveProperty('mixed')
  })

  test('is a guess where nearly all cells are alike', () => {
    const { decimal, mixed, reason } = decide(...cells(20, 1))
    expect({ decimal, mixed }).toEqual({ decimal: ',', mixed: true })
    expect(reason).toMatch(/20 cells.*against.*1 cells.*guess/)
    expect(decide(...cells(39, 2)).decimal).toBeNull()
  })
})

describe('a column in which the file has numbers', () => {
  const see = (typed: readonly string[], texts: readonly string[]) => {
    const evidence = numberEvidence()
    for (const cell of typed) evidence.see(cell, true)
    for (const cell of texts) evidence.see(cell)
    return evidence.result()
  }
  const of = (point: object) => ({ decimal: '.', point: { by: 'numbers', ...point } })

  test('has a decimal point, and tells apart what its texts say', () => {
    const plain = { texts: null, lonePoints: false, exponents: false }
    expect(see(['12.345'], [])).toMatchObject(of(plain))
    expect(see(['1e3'], [])).toMatchObject(of(plain))
    expect(see(['12.345'], ['12,50', '9,90'])).toMatchObject(of({ ...plain, texts: ',' }))
    expect(see(['12.5'], ['1.299'])).toMatchObject(of({ ...plain, lonePoints: true }))
    expect(see(['12.5'], ['1.5E+3'])).toMatchObject(of({ ...plain, exponents: true }))
    expect(see(['12.345'], []).reason).toMatch(/numbers such as 12\.345/)
  })

  test('is told by a point or an exponent alone: counts, and texts in the place of a number, tell nothing', () => {
    expect(see(['1299', '5'], [])).toMatchObject({ decimal: null })
    expect(see(['1299'], ['12,50'])).toMatchObject({ decimal: ',' })
    expect(see(['NaN', '12,50'], [])).toMatchObject({ decimal: ',' })
  })
})

describe('a column whose format asks for a point', () => {
  const see = (...cells: string[]) => {
    const evidence = numberEvidence()
    for (const cell of cells) evidence.see(cell)
    return evidence.result('the specification says so')
  }

  test('has one, while no text shows that its writer does not keep to it', () => {
    expect(see('12.345 KWD', '1,299.00 USD')).toMatchObject({ decimal: '.', point: { by: 'format' } })
    expect(see('12.345 KWD').reason).toBe('the specification says so')
    expect(see('1.299 EUR', '12,50 EUR', '9,90 EUR')).toMatchObject({ decimal: ',' })
    expect(see('12,50 EUR')).not.toHaveProperty('point')
  })
})

describe('an amount', () => {
  test.each([
    ['5.99', '5.99', null],
    ['$ 5.99', '5.99', '$'],
    ['599 CZK', '599', 'CZK'],
    ['10.00 USD', '10.00', 'USD'],
    ['€12', '12', '€'],
    ['1 299,00 Kč', '1299.00', 'Kč'],
    ['1\u00a0299,00\u202f€', '1299.00', '€'],
    ['R$ 9,90', '9.90', 'R$'],
    ['12,50 zł', '12.50', 'zł'],
    ['¥1500', '1500', '¥'],
    ['₹ 1,00,000', '100000', '₹'],
    ['Rs. 1,299.00', '1299.00', 'Rs.'],
    ["CHF 1'299.50", '1299.50', 'CHF'],
    ['599,-', '599', null],
    ['０１２．５０', '12.50', null],
    ['٣٫٥', '3.5', null],
    ['007', '7', null],
    ['.5', '0.5', null],
    ['0,999', '0.999', null],
    ['1234.567', '1234.567', null],
  ])('%j reads as %s with %j beside it', (raw, text, beside) => {
    const amount = parseAmount(raw, null)
    expect(amount).toMatchObject({ text, ambiguous: false, negative: false })
    expect(amount.code ?? amount.symbol).toBe(beside)
  })

  test('with a lone mark before three digits needs the column', () => {
    expect(parseAmount('1,299', null)).toMatchObject({ text: null, ambiguous: true })
    expect(parseAmount('1,299', '.').text).toBe('1299')
    expect(parseAmount('1,299', ',').text).toBe('1.299')
    expect(parseAmount('$ 1.299', null)).toMatchObject({ text: null, ambiguous: true, symbol: '$' })
  })

  test.each(['-5', '−5.00', '(5.00)', '5.00-', '-$5', '$ -5'])(
    '%j is below zero, and its sign is told apart',
    (raw) => {
      expect(parseAmount(raw, null)).toMatchObject({ negative: true, text: expect.stringMatching(/^5(\.00)?$/) })
    },
  )

  test.each([
    '',
    '9.99 - 12.99',
    '9.99-12.99',
    'from 9.99',
    'free',
    '12.05.2024',
    '1,2,3',
    '5.99 12.99',
    '10 EUR USD',
    '€ 10 USD',
    '12 per piece',
  ])('%j is no single amount', (raw) => {
    expect(parseAmount(raw, '.').text).toBeNull()
  })

  test('of any digits, however grouped, comes back as the plain number', () => {
    const marks = fc.constantFrom([',', '.'], ['.', ','], [' ', ','], ["'", '.'], ['\u00a0', ','], ['', '.'])
    fc.assert(
      fc.property(
        fc.nat(999_999_999),
        fc.integer({ min: 0, max: 99 }),
        marks,
        (whole, cents, [group = '', decimal = '']) => {
          const fraction = String(cents).padStart(2, '0')
          const written = String(whole).replace(/\B(?=(\d{3})+$)/g, group) + decimal + fraction
          expect(parseAmount(written, null).text).toBe(`${whole}.${fraction}`)
        },
      ),
    )
  })

  test('of any text is plain decimal text or none', () => {
    const mark = fc.constantFrom(null, '.' as const, ',' as const)
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'0123456789.,- $€') }))
    fc.assert(
      fc.property(text, mark, (raw, decimal) => {
        const { text } = parseAmount(raw, decimal)
        if (text !== null) expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)
      }),
    )
  })

  test.each([
    ['1e5', '100000'],
    ['1.5E+2', '150'],
    ['1.234e1', '12.34'],
    ['12e-1', '1.2'],
    ['1.5e-3', '0.0015'],
    ['0e9', '0'],
    ['-2.5e1', '25'],
  ])('with an exponent, as JSON may write it, is written out: %s', (raw, text) => {
    expect(parseAmount(raw, ',')).toMatchObject({ text, negative: raw.startsWith('-'), ambiguous: false })
  })

  test('with an exponent in a text is told, and reads either mark as the decimal one', () => {
    for (const mark of ['.', ',', null] as const)
      for (const raw of ['1.5E+3', '1,5E+3'])
        expect(parseAmount(raw, mark)).toMatchObject({ text: '1500', scientific: true, ambiguous: false })
    expect(parseAmount('1.5e3', { point: null, comma: null, guesses: '', exact: true }).scientific).toBe(false)
    expect(parseAmount('1500', null).scientific).toBe(false)
  })

  test.each(['1e400', '1e-400', '1e9999', '1e', 'e5', '1e5 EUR EUR'])(
    'is none where nobody asks so much: %s',
    (raw) => {
      expect(parseAmount(raw, '.').text).toBeNull()
    },
  )

  test('with an exponent is the number that JSON means by it', () => {
    const number = fc.tuple(fc.nat(1_000_000), fc.stringMatching(/^(\.\d{1,6})?$/), fc.integer({ min: -12, max: 12 }))
    fc.assert(
      fc.property(number, ([whole, fraction, exponent]) => {
        const raw = `${whole}${fraction}e${exponent}`
        const { text } = parseAmount(raw, null)
        expect(text).toMatch(/^\d+(\.\d+)?$/)
        expect(Number(text)).toBeCloseTo(Number(raw), 10)
        expect(Number(text) / (Number(raw) || 1)).toBeCloseTo(Number(raw) === 0 ? 0 : 1, 12)
      }),
    )
  })
})
