import { describe, expect, test } from 'vitest'
import { readPrices } from '../../../transforms/silver/price.ts'
import { contextOf, plainSettings, said } from './said.ts'

type Cells = Parameters<typeof said>[0]

const read = (
  cells: Cells,
  context: Parameters<typeof contextOf>[0] = {},
  settings: Partial<typeof plainSettings> = {},
) => {
  const { warnings, ...prices } = readPrices(said(cells), contextOf(context), { ...plainSettings, ...settings })
  return { ...prices, codes: warnings.map(({ code }) => code) }
}

const point = { decimal: '.' as const, reason: '' }
const comma = { decimal: ',' as const, reason: '' }

describe('a price', () => {
  test.each([
    ['1500', 'JPY', '1500'],
    ['12.345', 'KWD', '12.345'],
    ['250', 'TWD', '250.00'],
    ['9.5', 'EUR', '9.50'],
    ['0', 'EUR', '0.00'],
  ])('%s beside %s reads %s (KF-14)', (price, currency, text) => {
    expect(read({ price, currency }, { numbers: { price: point } })).toMatchObject({ price: text, currency, codes: [] })
  })

  test('takes the number format of its own column; the setting of the workspace wins', () => {
    expect(read({ price: '1.299' }, { numbers: { price: comma } })).toMatchObject({ price: '1299', codes: [] })
    expect(read({ price: '1.299' }, { numbers: { price: comma } }, { decimal: '.' })).toMatchObject({ price: '1.299' })
  })

  test.each([
    ['1,500', 'JPY', [], '1500'],
    ['1.500', 'JPY', [], '1500'],
    ['1,500 ISK', undefined, [], '1500'],
    ['¥1,500', undefined, ['currency_guess'], '1500'],
    ['￦12,000', undefined, [], '12000'],
    ['1,299', 'KWD', ['ambiguous_number'], null],
    ['1,299', 'EUR', ['ambiguous_number'], null],
  ])('%s beside %s is grouped where its money has no minor units, and only there', (price, currency, codes, text) => {
    const cells = currency === undefined ? { price } : { price, currency }
    expect(read(cells)).toMatchObject({ price: text, codes })
  })

  test('in yen by the workspace alone, or by the name of its column, is grouped too', () => {
    expect(read({ price: '1,500' }, {}, { currency: 'JPY' })).toMatchObject({ price: '1500', codes: [] })
    expect(read({ price: { column: 'Price (JPY)', value: '1,500' } })).toMatchObject({ price: '1500', codes: [] })
  })

  test.each([
    ['Preis in €', null, 'EUR', []],
    ['Price $', null, 'USD', ['currency_guess']],
    ['Price $', 'CAD', 'CAD', []],
    ['Price $', 'EUR', 'USD', ['currency_guess']],
    ['Price US$', 'CAD', 'USD', []],
    ['Preis in DM', null, null, []],
    ['price_fr', null, null, []],
  ])('in a column named %s, in a workspace of %s, is in %s', (column, currency, code, codes) => {
    expect(read({ price: { column, value: '12.50' } }, {}, { currency })).toMatchObject({ currency: code, codes })
  })

  test('whose column has a sign that several currencies share is told once for the column, and not row by row', () => {
    const currencies = { 'Price $': { code: 'USD', guess: true, reason: '' } }
    const cells = { price: { column: 'Price $', value: '12.50' } }
    expect(read(cells, { currencies })).toMatchObject({ currency: 'USD', codes: [] })
    expect(read(cells, { currencies }, { currency: 'MXN' })).toMatchObject({ currency: 'MXN', codes: [] })
  })

  test.each(['UVP 9.99', 'UVP: 9.99', 'MSRP 9.99', '9.99 RRP', 'RRP £9.99', 'List price: 9.99', 'РРЦ 9.99'])(
    'that says to be what the maker recommends is no price in silence: %s',
    (price) => {
      const currency = price.includes('£') ? 'GBP' : 'EUR'
      expect(read({ price, currency })).toMatchObject({ price: null, codes: ['list_price'] })
      expect(read({ price: '8.00', sale_price: price, currency }).codes).toEqual(['list_price'])
      expect(read({ price: '8.00', original_price: price, currency })).toMatchObject({
        originalPrice: '9.99',
        codes: [],
      })
    },
  )

  test('with a word that nobody knows beside a currency is doubted', () => {
    expect(read({ price: 'QQQ 9.99', currency: 'EUR' })).toMatchObject({ price: '9.99', codes: ['unknown_currency'] })
  })

  test('that is a number of its file is read with its point under any setting (KF-14)', () => {
    const typed = {
      ...point,
      point: { by: 'numbers' as const, texts: null, lonePoints: false, exponents: false },
    }
    for (const decimal of ['.', ',', null] as const) {
      const context = { numbers: { price: typed } }
      const kuwait = { price: '12.345', currency: 'KWD' }
      expect(read(kuwait, context, { decimal })).toMatchObject({ price: '12.345', codes: [] })
      expect(read({ price: '12,50' }, context, { decimal })).toMatchObject({ price: '12.50', codes: [] })
      expect(read({ price: '1.5e3' }, context, { decimal })).toMatchObject({ price: '1500', codes: [] })
    }
    expect(read({ price: '1,299' }, { numbers: { price: typed } })).toMatchObject({
      price: null,
      codes: ['ambiguous_number'],
    })
  })

  test.each(['1.5E+3', '1,5E+3', '1.5e3'])('%s in a text is read, and its row is warned', (price) => {
    for (const format of [point, comma])
      expect(read({ price }, { numbers: { price: format } })).toMatchObject({
        price: '1500',
        codes: ['scientific_number'],
      })
  })

  test.each([
    ['1.5E+3 EUR', ['scientific_number'], '1500.00', 'EUR'],
    ['€ 1,5E+3', ['scientific_number'], '1500.00', 'EUR'],
    ['9,99 EUR inkl. MwSt', [], '9.99', 'EUR'],
    ['9,99 € inkl. 19 % MwSt. zzgl. Versandkosten', [], '9.99', 'EUR'],
    ['£9.99 inc. VAT', [], '9.99', 'GBP'],
    ['9,99 € TTC', [], '9.99', 'EUR'],
    ['9,99 € (IVA incluido)', [], '9.99', 'EUR'],
    ['€ 9,99 incl. btw', [], '9.99', 'EUR'],
    ['1 299 Kč s DPH', [], '1299.00', 'CZK'],
    ['990 руб. с НДС', [], '990.00', 'RUB'],
    ['1500円(税込)', [], '1500', 'JPY'],
    ['5:-', [], '5', null],
    ['199:- SEK', [], '199.00', 'SEK'],
    ['5,-', [], '5', null],
  ])('%s is read with the word beside it', (price, codes, text, currency) => {
    expect(read({ price })).toMatchObject({ price: text, currency, codes })
  })

  test.each([
    ...['gross', 'incl. VAT', 'VAT included', 'brutto', 'inkl. MwSt.', 'inkl. 19 % MwSt.', 'TTC', 'T.T.C.'],
    ...['TVA comprise', 'toutes taxes comprises', 'IVA incluido', 'con IVA', 'IVA incluído', 'com IVA'],
    ...['lordo', 'IVA inclusa', 'IVA compresa', 'ivato', 'incl. btw', 'inclusief btw', 'z VAT', 'w tym VAT'],
    ...['s DPH', 'včetně DPH', 'с НДС', 'НДС включен', '税込', '税込み', '内税', '含税', 'inkl. moms'],
  ])('that says its tax is in it is what a buyer pays, wherever it says so: %s', (word) => {
    for (const price of [`9,99 € ${word}`, `9,99 € (${word})`, `9,99 € [${word}]`, `9,99€, ${word}`])
      expect([price, read({ price })]).toMatchObject([price, { price: '9.99', currency: 'EUR', codes: [] }])
    for (const price of [`${word} 9,99 €`, `(${word}) 9,99 €`, `${word}: 9,99 €`, `${word} €9,99`])
      expect([price, read({ price })]).toMatchObject([price, { price: '9.99', currency: 'EUR', codes: [] }])
  })

  test.each(['980円税込', '税込980円', '980円（税込）', '税込価格 980円'])(
    '%s is read without a space too',
    (price) => {
      expect(read({ price })).toMatchObject({ price: '980', currency: 'JPY', codes: [] })
    },
  )

  test.each(['9,99 € netto (11,89 € brutto)', 'netto 9,99 €', '9,99 € netto', '税抜980円', 'brutto', 'grosso 9,99 €'])(
    '%s is not taken for one with its tax',
    (price) => {
      expect(read({ price })).toMatchObject({ price: null, codes: ['unreadable_price'] })
    },
  )

  test.each([
    [`1${'0'.repeat(40)}`, null, ['price_too_large']],
    ['1000000000000001 EUR', null, ['price_too_large']],
    ['1E+16', null, ['price_too_large']],
    ['1000000000000000', '1000000000000000', []],
    ['999999999999999.99', '999999999999999.99', []],
  ])('%s is %j: nothing costs more than a thousand million millions', (price, text, codes) => {
    expect(read({ price })).toMatchObject({ price: text, codes })
    expect(read({ price: '1', original_price: price }).codes).toEqual(codes)
  })

  test('in yen is grouped in a column whose numbers contradict each other, by majority or without one', () => {
    for (const decimal of ['.', ',', null] as const) {
      const numbers = { price: { decimal, mixed: true as const, reason: '' } }
      for (const price of ['JPY 1,299', '1.299 JPY', '¥1,299 JPY'])
        expect(read({ price }, { numbers })).toMatchObject({ price: '1299', currency: 'JPY', codes: [] })
    }
  })

  test.each([
    ['1,299', 'ambiguous_number'],
    ['-5', 'negative_price'],
    ['#REF!', 'spreadsheet_error'],
  ])('%j is none, and the row says why: %s', (price, code) => {
    expect(read({ price })).toMatchObject({ price: null, codes: [code] })
  })

  test.each([
    ['9.99 - 12.99', 'a range of prices'],
    ['9,99 € – 12,99 €', 'a range of prices'],
    ['$9.99 to $12.99', 'a range of prices'],
    ['from 9.99', 'only the least'],
    ['ab 9,99 €', 'only the least'],
    ['à partir de 9,99 €', 'only the least'],
    ['desde 9.99', 'only the least'],
    ['от 990 руб.', 'only the least'],
    ['990円から', 'only the least'],
    ['9.99 EUR/kg', 'the price of a measure'],
    ['9,99 € pro 100 g', 'the price of a measure'],
    ['ca. 5 €', 'only about'],
    ['approx. 5.00', 'only about'],
    ['~5 EUR', 'only about'],
    ['9,99 EUR zzgl. MwSt', 'without tax'],
    ['9.99 ex VAT', 'without tax'],
    ['9,99 € HT', 'without tax'],
    ['on request', 'not one amount'],
    ['gratis', 'not one amount'],
    ['call 0800 1234', 'not one amount'],
  ])('%j is none, and the row says that it is %s', (price, says) => {
    const { price: amount, warnings } = readPrices(said({ price }), contextOf(), plainSettings)
    expect(amount).toBeNull()
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'unreadable_price', says: expect.stringContaining(says) }),
    ])
  })

  test.each(['', ' ', 'N/A', '-'])('%j says nothing and needs no warning', (price) => {
    expect(read({ price })).toMatchObject({ price: null, codes: [] })
  })
})

test.each([
  ['1500 JPY', '1500', []],
  ['12.345 KWD', '12.345', []],
  ['250 TWD', '250.00', []],
  ['9.5 EUR', '9.50', []],
  ['1500.50 JPY', '1500.5', ['too_many_decimals']],
  ['12.3456 KWD', '12.3456', ['too_many_decimals']],
  ['0.30000000000000004 EUR', '0.30000000000000004', ['too_many_decimals']],
  ['1500.00 JPY', '1500', []],
])('%s is written %s: with the digits of its currency, and never rounded (KF-14)', (price, text, codes) => {
  expect(read({ price }, { numbers: { price: point } })).toMatchObject({ price: text, codes })
})

test.each(['sale_price', 'original_price'] as const)(
  'a %s with more decimals than its money has is told too',
  (field) => {
    const [price, amount] = field === 'sale_price' ? ['10.00', '8.125'] : ['8.00', '10.125']
    expect(read({ price, [field]: amount, currency: 'EUR' }, { numbers: { [field]: point } }).codes).toEqual([
      'too_many_decimals',
    ])
  },
)

test('more decimals than any money has are told where nobody says what it is in', () => {
  expect(read({ price: '0.30000000000000004' })).toMatchObject({ codes: ['too_many_decimals'] })
  expect(read({ price: '0.1234' })).toMatchObject({ price: '0.1234', codes: [] })
})

describe('the currency of a price', () => {
  const usd = { price: { code: 'USD', guess: true, reason: '' } }

  test('comes from the nearest that says it', () => {
    expect(read({ price: '5 USD', currency: 'EUR' }, {}, { currency: 'GBP' }).currency).toBe('EUR')
    expect(read({ price: '5 USD' }, {}, { currency: 'GBP' }).currency).toBe('USD')
    expect(read({ price: '5' }, { currencies: usd }, { currency: 'GBP' }).currency).toBe('USD')
    expect(read({ price: { column: 'Price (CHF)', value: '5' } }, {}, { currency: 'GBP' }).currency).toBe('CHF')
    expect(read({ price: '5' }, {}, { currency: 'GBP' }).currency).toBe('GBP')
    expect(read({ price: '5' }).currency).toBeNull()
    const byPlatform = { price: { ...usd.price, byPlatform: true as const } }
    expect(read({ price: '5' }, { currencies: byPlatform }).currency).toBe('USD')
    expect(read({ price: '5' }, { currencies: byPlatform }, { currency: 'GBP' }).currency).toBe('GBP')
  })

  test('nobody knows is reported, and the next that says one is asked', () => {
    expect(read({ price: '5 EUR', currency: 'XYZ' })).toMatchObject({ currency: 'EUR', codes: ['unknown_currency'] })
    expect(read({ price: '5 ABC' }, {}, { currency: 'EUR' })).toMatchObject({
      price: '5.00',
      codes: ['unknown_currency'],
    })
  })

  test.each(['XAU', 'xxx', 'XDR'])('that is none, though ISO 4217 lists it, is told apart: %s', (currency) => {
    const { warnings } = readPrices(said({ price: '5', currency }), contextOf(), plainSettings)
    expect(warnings).toMatchObject([
      { code: 'unknown_currency', says: expect.stringMatching(/lists .* no money that anything is priced in/) },
    ])
  })

  test('in a word that nobody knows is in no other, whatever its column or the workspace says', () => {
    const eur = { price: { code: 'EUR', guess: false, reason: '' } }
    expect(read({ price: '100', currency: 'XXX' }, { currencies: eur }, { currency: 'EUR' })).toMatchObject({
      price: '100',
      currency: null,
      codes: ['unknown_currency'],
    })
  })

  test('guessed from a shared sign is reported once: with the column, else with the row', () => {
    expect(read({ price: '$ 5' }, { currencies: usd })).toMatchObject({ currency: 'USD', codes: [] })
    expect(read({ price: '$ 5' })).toMatchObject({ currency: 'USD', codes: ['currency_guess'] })
    expect(read({ price: '$ 5' }, {}, { currency: 'CAD' })).toMatchObject({ currency: 'CAD', codes: [] })
  })

  test('that is no longer in force is kept and reported', () => {
    expect(read({ price: '5', currency: 'HRK' })).toMatchObject({ currency: 'HRK', codes: ['withdrawn_currency'] })
  })
})

describe('a sale price', () => {
  test('below the price is kept, with the digits of the currency', () => {
    expect(read({ price: '10', sale_price: '8.5', currency: 'EUR' })).toMatchObject({
      price: '10.00',
      salePrice: '8.50',
      codes: [],
    })
    expect(read({ price: '9', sale_price: '10' }).salePrice).toBeNull()
    expect(read({ price: '100.10', sale_price: '100.09' }).salePrice).toBe('100.09')
  })

  test.each([
    ['10.00', 'sale_not_below_price'],
    ['12', 'sale_not_below_price'],
    ['8 USD', 'sale_other_currency'],
    ['0', 'sale_price_zero'],
  ])('%j against 10.00 EUR is dropped: %s', (sale_price, code) => {
    expect(read({ price: '10.00 EUR', sale_price })).toMatchObject({ price: '10.00', salePrice: null, codes: [code] })
  })

  test.each([
    ['12', '12.00 EUR'],
    ['8 USD', '8.00 USD'],
    ['10', null],
    ['0', null],
    ['9', null],
  ])('%j against 10.00 EUR leaves %j to be told of', (sale_price, refusedSale) => {
    expect(read({ price: '10.00 EUR', sale_price }).refusedSale).toBe(refusedSale)
  })

  test('in the currency of another column than its own word says is told of too', () => {
    const cells = { price: '10.00', currency: 'EUR', sale_price: '8.00 USD' }
    expect(read(cells)).toMatchObject({ salePrice: null, refusedSale: '8.00 USD', codes: ['currency_conflict'] })
  })

  test('of another source that names no currency is not taken for the price’s', () => {
    const cells = { price: '10 EUR', sale_price: { value: '8', source: 'other' } }
    expect(read(cells)).toMatchObject({ salePrice: null, codes: ['sale_other_currency'] })
    expect(read({ price: '10 EUR', sale_price: '8' })).toMatchObject({ salePrice: '8.00', codes: [] })
  })

  test('without a price is nothing that a buyer could be asked', () => {
    expect(read({ sale_price: '8' })).toMatchObject({ price: null, salePrice: null, codes: ['sale_without_price'] })
  })
})

describe('a former price', () => {
  test.each([
    ['255.00', '255.00', []],
    ['89.00', null, []],
    ['0.00', null, []],
    ['', null, []],
    ['12', null, ['original_below_price']],
    ['255 USD', null, ['original_other_currency']],
    ['was more', null, ['unreadable_price']],
  ])(
    '%j above 89 EUR is %j, and what is dropped is told but for what programs write for none',
    (amount, text, codes) => {
      expect(read({ price: '89 EUR', original_price: amount })).toMatchObject({ originalPrice: text, codes })
    },
  )

  test('without a price is told too', () => {
    expect(read({ original_price: '12' })).toMatchObject({ originalPrice: null, codes: ['original_without_price'] })
    expect(read({ original_price: '0' }).codes).toEqual([])
  })
})
