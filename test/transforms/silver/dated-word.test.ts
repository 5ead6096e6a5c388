import { describe, expect, test } from 'vitest'
import { readStock } from '../../../transforms/silver/availability.ts'
import { datedWord } from '../../../transforms/silver/dated-word.ts'
import { contextOf, plainSettings, said } from './said.ts'

test.each([
  ['preorder from 2026-12-01', 'preorder', '2026-12-01'],
  ['Vorbestellbar ab dem 1. Dezember 2026', 'Vorbestellbar', '1. Dezember 2026'],
  ['Précommande (à partir du 01/12/2026)', 'Précommande', '01/12/2026'],
  ['preventa desde el 1 de diciembre de 2026', 'preventa', '1 de diciembre de 2026'],
  ['предзаказ с 01.12.2026', 'предзаказ', '01.12.2026'],
  ['予約 2026年12月1日より', '予約', '2026年12月1日'],
  ['预售2026-12-01', '预售', '2026-12-01'],
  ['backorder until: December 1, 2026', 'backorder', 'December 1, 2026'],
  ['2026-12-01', '', '2026-12-01'],
])('%j is %j and %j', (text, word, date) => {
  expect(datedWord(text)).toEqual({ word, date })
})

test.each(['in stock', '5-7 days', 'ships in 24 h', '3 left', 'model 2026', '1'.repeat(100)])(
  '%j has no date',
  (text) => {
    expect(datedWord(text)).toBeNull()
  },
)

describe('a stock word with a date', () => {
  const read = (availability: string) => {
    const { warnings, ...stock } = readStock(said({ availability }), contextOf(), plainSettings)
    return [stock.availability, stock.availabilityDate, ...warnings.map(({ code }) => code)]
  }

  test('gives both', () => {
    expect(read('preorder from 2026-12-01')).toEqual(['preorder', '2026-12-01'])
    expect(read('auf Bestellung, ab 01.12.2026')).toEqual(['backorder', '2026-12-01'])
    expect(read('out of stock until 2026-12-01')).toEqual(['out_of_stock', '2026-12-01'])
  })

  test('that says only when gives the date, and its row says what is missing (KF-16)', () => {
    for (const word of ['available from 2026-12-01', 'lieferbar ab 01.12.2026', '2026-12-01'])
      expect(read(word)).toEqual([null, '2026-12-01', 'unknown_availability'])
  })

  test('gives the word where its date can be two days', () => {
    expect(read('preorder from 03/04/2026')).toEqual(['preorder', null, 'ambiguous_date'])
  })

  test('is none where there is no date', () => {
    expect(read('5-7 days')).toEqual([null, null, 'unknown_availability'])
  })
})
