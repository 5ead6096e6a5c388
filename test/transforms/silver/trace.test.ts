import { describe, expect, test } from 'vitest'
import type { NumberFormat } from '../../../schemas/pipeline.ts'
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
