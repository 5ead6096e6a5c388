import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAvailability, readQuantity, readStock } from '../../../transforms/silver/availability.ts'
import { contextOf, plainSettings, said } from './said.ts'

const word = (raw: string, column = 'stock status') => readAvailability(column, raw)

const stock = (cells: Parameters<typeof said>[0], context: Parameters<typeof contextOf>[0] = {}) => {
  const { warnings, availabilityDate: _, ...read } = readStock(said(cells), contextOf(context), plainSettings)
  return { ...read, codes: warnings.map(({ code }) => code) }
}

/** Shopify has a column for tracking; a blank cell in it says that nobody counts. */
const shopify = { platform: 'shopify', mapping: { Tracker: { field: 'track_stock' as const, reason: '' } } }

describe('a stock word', () => {
  test.each([
    ['in_stock', 'in_stock'],
    ['OutOfStock', 'out_of_stock'],
    [' http://schema.org/InStock', 'in_stock'],
    ['https://schema.org/OutOfStock', 'out_of_stock'],
    ['Épuisé', 'out_of_stock'],
    ['preorder', 'preorder'],
    ['backorder', 'backorder'],
    ['available for order', 'backorder'],
    ['Vorbestellbar', 'preorder'],
    ['в наличии', 'in_stock'],
    ['在庫なし', 'out_of_stock'],
    ['有货', 'in_stock'],
    ['Niedostępny', 'out_of_stock'],
    ['Stokta var', 'in_stock'],
    ['mevcut', 'in_stock'],
    ['STOKTA YOK', 'out_of_stock'],
    ['Ön Sipariş', 'preorder'],
    ['finns i lager', 'in_stock'],
    ['Finns ej i lager', 'out_of_stock'],
    ['förbeställning', 'preorder'],
    ['Forudbestilling', 'preorder'],
    ['Midlertidig utsolgt', 'out_of_stock'],
    ['Ei varastossa', 'out_of_stock'],
    ['есть на складе', 'in_stock'],
    ['Немає в наявності', 'out_of_stock'],
    ['od ręki', 'in_stock'],
    ['na sklade', 'in_stock'],
    ['in arrivo', 'backorder'],
    ['schema:PreOrder', 'preorder'],
    ['http://www.schema.org/MadeToOrder', 'backorder'],
    ['in\u00adstock\u200b', 'in_stock'],
  ])('%j means %s', (raw, value) => {
    expect(word(raw)).toEqual({ value, findings: [] })
  })

  test('that nobody knows is reported and never defaulted (KF-16)', () => {
    expect(word('5-7 days')).toMatchObject({ value: null, findings: [{ code: 'unknown_availability' }] })
  })

  test('yes and no answer a column that asks for stock, and no other', () => {
    for (const column of ['In stock?', 'is_in_stock', 'available']) {
      expect(word('true', column).value).toBe('in_stock')
      expect(word('0', column).value).toBe('out_of_stock')
    }
    expect(word('true', 'Lieferung').value).toBeNull()
  })

  test('yes and no answer a column whose name means availability, and what else says a yes there does not', () => {
    for (const column of ['availability', 'Verfügbarkeit', 'Disponibilità', 'stok_durumu', 'Наличие']) {
      for (const yes of ['yes', 'TRUE', 'ja', 'evet', 'да'])
        expect([yes, word(yes, column).value]).toEqual([yes, 'in_stock'])
      for (const no of ['no', 'False', 'hayır']) expect([no, word(no, column).value]).toEqual([no, 'out_of_stock'])
      for (const other of ['continue', 'shopify', 'none']) expect(word(other, column).value).toBeNull()
    }
  })

  test('yes and no are no words of a format that lists its own', () => {
    expect(readAvailability('availability', 'true', 'google').value).toBeNull()
    expect(stock({ availability: 'true' }, { platform: 'google' })).toMatchObject({ codes: ['unknown_availability'] })
    expect(stock({ availability: 'true' })).toMatchObject({ availability: 'in_stock', codes: [] })
  })

  test.each([
    ['in stock (3)', 'in_stock'],
    ['In stock: 12 pcs', 'in_stock'],
    ['Skladem > 5 ks', 'in_stock'],
    ['Skladem (>5 ks)', 'in_stock'],
    ['auf Lager 10+', 'in_stock'],
    ['12 ks skladem', 'in_stock'],
    ['3 in stock', 'in_stock'],
    ['В наличии: 4 шт.', 'in_stock'],
    ['pre-order (20)', 'preorder'],
  ])('may have a count beside it: %j means %s', (raw, value) => {
    expect(word(raw)).toEqual({ value, findings: [] })
  })

  test.each(['in stock (0)', '0 in stock', 'sold out (3)', 'lieferbar 3 Tage', 'in stock 24 h', 'call us (3)'])(
    'with a count that says otherwise, or with a time, is none: %j',
    (raw) => {
      expect(word(raw)).toMatchObject({ value: null, findings: [{ code: 'unknown_availability' }] })
    },
  )

  test('of any characters gives a value or a finding, never both and never an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const { value, findings } = word(raw)
        expect((value === null) === findings.length > 0).toBe(true)
      }),
    )
  })
})

describe('a quantity', () => {
  test.each([
    ['12', 12],
    ['12.0', 12],
    ['-3', -3],
    ['1 200', 1200],
  ])('%j is %d', (raw, value) => {
    expect(readQuantity(raw, null)).toEqual({ value, findings: [] })
  })

  test.each([
    ['50+', 50, 'quantity_at_least'],
    ['1.200', null, 'ambiguous_number'],
    ['500 g', null, 'unreadable_quantity'],
    ['1.5', null, 'unreadable_quantity'],
    ['1.2E+3', 1200, 'scientific_number'],
    ['1,2E+3', 1200, 'scientific_number'],
  ])('%j is %j and reported: %s', (raw, value, code) => {
    expect(readQuantity(raw, null)).toMatchObject({ value, findings: [{ code }] })
  })
})

describe('availability', () => {
  test('is what an explicit word says, whatever the quantity (KF-16)', () => {
    expect(stock({ availability: 'preorder', quantity: '0' })).toEqual({
      availability: 'preorder',
      quantity: 0,
      codes: [],
    })
    expect(stock({ availability: '5-7 days', quantity: '3' })).toMatchObject({
      availability: null,
      codes: ['unknown_availability'],
    })
  })

  test('follows a quantity that stands alone', () => {
    expect(stock({ quantity: '3' })).toMatchObject({ availability: 'in_stock', quantity: 3 })
    expect(stock({ quantity: '0' })).toMatchObject({ availability: 'out_of_stock', quantity: 0 })
    expect(stock({ quantity: '-2' })).toMatchObject({ availability: 'out_of_stock', quantity: -2 })
    expect(stock({})).toEqual({ availability: null, quantity: null, codes: [] })
  })

  test('of a column of tracking that is set for all sources counts only where the file has that column', () => {
    const zero = (header: readonly string[]) =>
      readStock(said({ quantity: '0' }), contextOf({ header }), { ...plainSettings, everySource: { T: 'track_stock' } })
    expect(zero(['sku', 'T']).availability).toBeNull()
    expect(zero(['sku']).availability).toBe('out_of_stock')
  })

  test('is unknown for a quantity of zero that nobody counts (KF-16)', () => {
    expect(stock({ quantity: '0' }, shopify)).toMatchObject({ availability: null, quantity: 0, codes: [] })
    expect(stock({ quantity: '0', track_stock: 'false' }).availability).toBeNull()
    expect(stock({ quantity: '0', track_stock: 'shopify' }, shopify).availability).toBe('out_of_stock')
    expect(stock({ quantity: '1' }, shopify).availability).toBe('in_stock')
    expect(stock({ quantity: '0' }, { ...shopify, platform: 'vendure' }).availability).toBe('out_of_stock')
  })

  test('is backorder where the shop goes on selling at zero', () => {
    expect(stock({ quantity: '0', allow_backorder: 'continue', track_stock: 'shopify' }, shopify).availability).toBe(
      'backorder',
    )
    expect(stock({ quantity: '0', allow_backorder: 'yes' }, shopify).availability).toBe('backorder')
    expect(stock({ quantity: '0', allow_backorder: 'deny' }).availability).toBe('out_of_stock')
  })

  test('may be a word in the quantity’s column, or a count in its own', () => {
    expect(stock({ quantity: 'In stock' })).toEqual({ availability: 'in_stock', quantity: null, codes: [] })
    expect(stock({ availability: { column: 'Disponibilita', value: '50' } })).toMatchObject({
      availability: 'in_stock',
      quantity: 50,
    })
    expect(stock({ availability: { column: 'is_in_stock', value: '1' } })).toMatchObject({
      availability: 'in_stock',
      quantity: null,
    })
  })
})
