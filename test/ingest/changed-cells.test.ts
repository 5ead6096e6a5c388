import { describe, expect, test } from 'vitest'
import { changedCells } from '../../ingest/changed-cells.ts'

const present = new Map([
  ['title', 'Mug\nblue'],
  ['price', '12.50'],
  ['sale_price', '9.90'],
  ['original_price', ''],
  ['currency', 'EUR'],
  ['images', '["https://cdn.example.test/a.jpg"]'],
  ['brand', ''],
])

describe('a cell is no edit', () => {
  test.each<[string, Record<string, string>]>([
    ['that says what the product says', Object.fromEntries([...present].filter(([, value]) => value !== ''))],
    ['whose line ends a program has changed', { title: 'Mug\r\nblue' }],
    ['whose last zero a spreadsheet has dropped', { price: '12.5', sale_price: '9.9' }],
    ['whose JSON has spaces', { images: '[ "https://cdn.example.test/a.jpg" ]' }],
    ['that clears what is empty', { brand: '__CLEAR__' }],
  ])('%s', (_, cells) => {
    expect(changedCells(cells, present)).toEqual({})
  })
})

describe('an edit', () => {
  test('of an amount takes its currency along, and of the currency every amount', () => {
    expect(changedCells({ price: '13.00', currency: 'EUR' }, present)).toEqual({ price: '13.00', currency: 'EUR' })
    expect(changedCells({ price: '13.00' }, present)).toEqual({ price: '13.00', currency: 'EUR' })
    expect(changedCells({ currency: 'USD' }, present)).toEqual({ currency: 'USD', price: '12.50', sale_price: '9.90' })
  })

  test('that clears an amount says nothing of others', () => {
    expect(changedCells({ sale_price: '__CLEAR__', price: '12.50' }, present)).toEqual({ sale_price: '__CLEAR__' })
  })

  test('of one side says all of them, since one cell may have said them together', () => {
    const sides = new Map([...present, ['length', '12 cm'], ['width', '30 cm'], ['height', '']])
    expect(changedCells({ length: '13 cm', width: '30 cm' }, sides)).toEqual({
      length: '13 cm',
      width: '30 cm',
      dimensions: '__CLEAR__',
    })
    expect(changedCells({ width: '__CLEAR__' }, sides)).toEqual({
      length: '12 cm',
      width: '__CLEAR__',
      dimensions: '__CLEAR__',
    })
  })

  test('that clears a date clears what else may have said it', () => {
    const dated = new Map([
      ...present,
      ['availability', 'preorder'],
      ['availability_date', '2026-12-01'],
      ['sale_price_effective_date', '2026-11-28/..'],
    ])
    expect(changedCells({ availability_date: '__CLEAR__' }, dated)).toEqual({
      availability_date: '__CLEAR__',
      availability: 'preorder',
    })
    expect(changedCells({ sale_price_effective_date: '__CLEAR__' }, dated)).toEqual({
      sale_price_effective_date: '__CLEAR__',
      sale_price_start_date: '__CLEAR__',
      sale_price_end_date: '__CLEAR__',
    })
    expect(changedCells({ availability_date: '2026-12-05' }, dated)).toEqual({ availability_date: '2026-12-05' })
  })

  test('of images replaces the primary one too', () => {
    expect(changedCells({ images: '[]' }, present)).toEqual({ images: '[]', image: '__CLEAR__' })
  })

  test('keeps a column by any name', () => {
    expect(Object.keys(changedCells(JSON.parse('{"__proto__": "x"}'), present))).toEqual(['__proto__'])
  })
})
