import { describe, expect, test } from 'vitest'
import { sampleOf } from '../../../transforms/silver/column-values.ts'
import { mapHeader } from '../../../transforms/silver/mapping.ts'

type Rows = readonly (readonly string[])[]
const read = (header: string, rows?: Rows) => {
  const columns = header.split(',')
  const texts = new Map(columns.map((column, at) => [column, (rows ?? []).map((row) => row[at] ?? '')]))
  return mapHeader(columns, rows && sampleOf(rows.length, texts))
}
const prices = (header: string, rows?: Rows) =>
  Object.fromEntries(Object.entries(read(header, rows).mapping).map(([column, { field }]) => [column, field]))

describe('of what is asked now, a regular price and a special one', () => {
  test.each([
    ['price,regular_price,sale_price', { regular_price: 'price', sale_price: 'sale_price' }],
    ['sale_price,regular_price,price', { regular_price: 'price', sale_price: 'sale_price' }],
    [
      'price,regular_price,sale_price,msrp',
      { regular_price: 'price', sale_price: 'sale_price', msrp: 'original_price' },
    ],
    ['price,special_price,final_price', { price: 'price', special_price: 'sale_price' }],
    ['Preis,Regulärer Preis,Angebotspreis', { 'Regulärer Preis': 'price', Angebotspreis: 'sale_price' }],
    [
      'variants.price,variants.regular_price,variants.sale_price',
      { 'variants.regular_price': 'price', 'variants.sale_price': 'sale_price' },
    ],
  ])('the regular one is the price: %s', (header, mapping) => {
    expect(prices(header)).toEqual(mapping)
  })

  test.each([
    ['price,regular_price', { price: 'price', regular_price: 'original_price' }],
    ['price,final_price', { final_price: 'price', price: 'original_price' }],
    ['regular_price,sale_price', { regular_price: 'price', sale_price: 'sale_price' }],
    [
      'variations.price,variations.regular_price',
      { 'variations.price': 'price', 'variations.regular_price': 'original_price' },
    ],
    ['price,msrp,sale_price', { price: 'price', msrp: 'original_price', sale_price: 'sale_price' }],
  ])('of two of them nothing is left out: %s', (header, mapping) => {
    expect(prices(header)).toEqual(mapping)
  })

  test('says why what is asked now is not taken', () => {
    const { passedOver, why } = read('price,regular_price,sale_price')
    expect([...passedOver]).toEqual([['price', 'price']])
    expect(why?.get('price')).toMatch(/"price" what is asked now/)
  })

  test('no column is left out that the rows show to be something else, and no regular price taken that is blank', () => {
    const kept = { price: 'price', regular_price: 'original_price', sale_price: 'sale_price' }
    const header = 'price,regular_price,sale_price'
    expect(
      prices(header, [
        ['80', '100', '70'],
        ['60', '90', ''],
      ]),
    ).toEqual(kept)
    expect(prices(header, [['80', '', '']])).toMatchObject({ price: 'price' })
    const [onSale, ofVariants] = [
      ['8', '10', '8'],
      ['12', '', ''],
    ]
    expect(prices(header, [onSale, ofVariants, ofVariants])).toEqual(kept)
    expect(prices(header, [onSale, ofVariants])).toEqual({ regular_price: 'price', sale_price: 'sale_price' })
    expect(prices(header, [['80', '80.00', '']])).toEqual({ regular_price: 'price', sale_price: 'sale_price' })
  })

  test('a list price is the regular one only where the rows bear it out', () => {
    const header = 'price,list_price,special_price'
    const kept = { price: 'price', list_price: 'original_price', special_price: 'sale_price' }
    const regular = { list_price: 'price', special_price: 'sale_price' }
    const onSale = ['8.00', '10.00', '8.00']
    expect(prices(header)).toEqual(kept)
    expect(prices(header, [onSale, ['9,50', '9,50', '']])).toEqual(regular)
    expect(prices(header, [onSale, ['8.00', '10.00', ''], ['7', '9', '6']])).toEqual(kept)
    expect(prices(header, [['10.00', '10.00', '']])).toEqual(kept)
  })
})

describe('of a price without tax and one with it', () => {
  test.each([
    ['Reference #,Name *,Price tax excluded,Price tax included', 'Price tax included'],
    ['Reference #,Name *,Price tax included,Price tax excluded', 'Price tax included'],
    ['sku,Price tax excluded,Price tax included', 'Price tax included'],
    ['sku,Price (tax excl.),Price (tax incl.)', 'Price (tax incl.)'],
    ['sku,Price,Price incl. VAT', 'Price incl. VAT'],
    ['sku,Preis netto,Preis brutto', 'Preis brutto'],
    ['sku,Prix,Prix TTC', 'Prix TTC'],
    ['sku,Cena s DPH,Cena', 'Cena s DPH'],
    ['variants.sku,variants.price,variants.price_vat', 'variants.price_vat'],
    ['Reference #,Name *,Active (0/1),Price tax excluded', 'Price tax excluded'],
  ])('a buyer pays the one with it: %s', (header, gross) => {
    const given = Object.entries(prices(header)).filter(([, field]) => field.includes('price'))
    expect(given).toEqual([[gross, 'price']])
  })
})
