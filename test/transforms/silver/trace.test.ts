import { describe, expect, test } from 'vitest'
import type { NumberFormat } from '../../../schemas/pipeline.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { stepsOf } from '../../../transforms/silver/trace.ts'
import { contextOf, plainSettings, said } from './said.ts'

function readingOf(price: string, currency: string, format: NumberFormat, decimal: '.' | ',' | null) {
  const merged = said({ price, currency })
  const contexts = contextOf({ numbers: { price: format } })
  const settings = { ...plainSettings, decimal }
  const { product } = refine(merged, 'single', contexts, settings)
  const cell = merged.get('price')
  const traced = {
    field: 'price',
    cell,
    value: product.price,
    product,
    merged,
    contexts,
    settings,
    doubts: [],
  } as const
  return stepsOf(traced).find(({ step }) => step === 'number-format')?.says
}

const undecided: NumberFormat = { decimal: null, reason: 'no cell tells' }
const numbers: NumberFormat = {
  decimal: '.',
  reason: 'the file has numbers',
  point: { by: 'numbers', texts: null, lonePoints: false, exponents: false },
}

/** What the trail says of a field of a product of one file. */
function saysOf(
  field: Parameters<typeof stepsOf>[0]['field'],
  value: (product: RefinedProduct) => unknown,
  cells: Parameters<typeof said>[0],
  context: Parameters<typeof contextOf>[0] = {},
  some: Partial<typeof plainSettings> = {},
) {
  const merged = said(cells)
  const contexts = contextOf(context)
  const settings = { ...plainSettings, ...some }
  const { product } = refine(merged, 'single', contexts, settings)
  const traced = {
    field,
    cell: merged.get(field),
    value: value(product),
    product,
    merged,
    contexts,
    settings,
    doubts: [],
  }
  return stepsOf(traced).map(({ says }) => says)
}

describe('where a currency comes from', () => {
  const usd = { price: { code: 'USD', guess: true, reason: '"$" in 3 cells' } }
  type Case = [Parameters<typeof said>[0], Parameters<typeof contextOf>[0], string | null, string[]]
  test.each<Case>([
    [{ price: '5', currency: 'EUR' }, {}, null, []],
    [{ price: '5', currency: 'euro' }, {}, null, ['"euro" is EUR']],
    [
      { price: '$ 5', currency: '$' },
      {},
      'CAD',
      ['"$" is CAD, a sign of several, of which the workspace has this one'],
    ],
    [{ price: '$ 5', currency: 'CAD' }, {}, null, []],
    [{ price: '5 USD' }, {}, 'EUR', ['The price itself names it: "5 USD"']],
    [
      { price: '$ 5' },
      {},
      'CAD',
      ['The price itself names it: "$ 5", a sign of several, of which the workspace has this one'],
    ],
    [{ price: '5 USD', currency: 'XYZ' }, {}, 'EUR', ['The price itself names it: "5 USD"']],
    [{ price: '5' }, { currencies: usd }, 'EUR', ['By the column "price": "$" in 3 cells']],
    [{ price: '5' }, {}, 'EUR', ['No source gives it; the currency of the workspace does']],
  ])('%o', (cells, context, currency, says) => {
    expect(saysOf('currency', (p) => p.currency, cells, context, { currency })).toEqual(says)
  })
})

describe('why a date is read as it is', () => {
  const cells = { expiration_date: '03/04/2026' }
  test('says the column, else the locale, and nothing where the text tells', () => {
    const dates = { expiration_date: { order: 'day first' as const, reason: 'day first in 2 cells' } }
    const read = (...rest: [Parameters<typeof contextOf>[0]?, Partial<typeof plainSettings>?]) =>
      saysOf('expiration_date', (p) => p.expirationDate, cells, ...rest)
    expect(read({ dates })).toEqual(['"03/04/2026" is read as "2026-04-03": day first in 2 cells'])
    expect(read({}, { locale: 'en-US' })).toEqual([
      '"03/04/2026" is read as "2026-03-04": month first by the locale of the workspace',
    ])
    const plain = saysOf('expiration_date', (p) => p.expirationDate, { expiration_date: '3.4.2026' })
    expect(plain).toEqual(['"3.4.2026" is read as "2026-04-03"'])
  })
})

test('what another cell says is told for each field that it gives', () => {
  const cells = {
    dimensions: '1 x 2 x 3 cm',
    availability: 'preorder from 2026-12-01',
    sale_price_start_date: '2026-12-01',
  }
  expect(saysOf('width', (p) => p.width, cells)).toEqual(['Taken from the dimensions'])
  expect(saysOf('availability_date', (p) => p.availabilityDate, cells)).toEqual(['The date behind the stock word'])
  const sale = saysOf('sale_price_effective_date', (p) => p.salePriceEffectiveDate, cells)
  expect(sale).toEqual(['The two columns of its beginning and end'])
  expect(saysOf('dimensions', () => null, cells)).toEqual([])
})

describe('why an amount is read as it is', () => {
  test.each([
    [
      '1,500',
      'JPY',
      undecided,
      null,
      '"1,500" is read as 1500: JPY has no minor units, so that the mark groups digits',
    ],
    ['1,500', 'JPY', undecided, ',', '"1,500" is read as 1500: JPY has no minor units, so that the mark groups digits'],
    ['1.299', 'EUR', undecided, ',', '"1.299" is read as 1299: the decimal mark of the workspace'],
    ['1.5e3', 'EUR', numbers, ',', '"1.5e3" is read as 1500: the file has numbers'],
  ] as const)('%s %s', (price, currency, format, decimal, says) => {
    expect(readingOf(price, currency, format, decimal)).toBe(says)
  })

  test('is not asked of a number that is its own text', () => {
    expect(readingOf('12.345', 'KWD', numbers, ',')).toBeUndefined()
  })
})
