import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  currencyEvidence,
  currencyOf,
  exponent,
  isNoMoney,
  minorUnits,
  moneyText,
} from '../../../transforms/silver/currency.ts'

describe('a currency word', () => {
  test.each([
    ['EUR', 'EUR', false],
    ['usd', 'USD', false],
    ['€', 'EUR', false],
    ['£', 'GBP', false],
    ['R$', 'BRL', false],
    ['Kč', 'CZK', false],
    ['zł', 'PLN', false],
    ['руб.', 'RUB', false],
    ['$', 'USD', true],
    ['¥', 'JPY', true],
    ['￥', 'JPY', true],
    ['kr', 'SEK', true],
  ])('%s is %s, a guess: %j', (word, code, guess) => {
    expect(currencyOf(word)).toMatchObject({ code, guess, inForce: true })
  })

  test('of the past is told from one in force, and what is no money is none', () => {
    expect(currencyOf('HRK')).toMatchObject({ code: 'HRK', inForce: false })
    expect(currencyOf('XCG')).toMatchObject({ inForce: true })
    for (const word of ['XAU', 'xxx', ' XTS ']) expect(isNoMoney(word)).toBe(true)
    for (const word of ['EUR', 'HRK', 'ABC', 'XOF']) expect(isNoMoney(word)).toBe(false)
    for (const word of ['XXX', 'XAU', 'ABC', 'pcs', '']) expect(currencyOf(word)).toBeNull()
  })
})

describe('money', () => {
  test.each([
    ['1500', 'JPY', '1500'],
    ['1500.00', 'JPY', '1500'],
    ['12.345', 'KWD', '12.345'],
    ['250', 'TWD', '250.00'],
    ['9.5', 'EUR', '9.50'],
    ['9.5000', 'EUR', '9.50'],
    ['9.5', null, '9.5'],
  ])('%s %s is written %s (KF-14)', (amount, code, text) => {
    expect(moneyText(amount, code)).toEqual({ text, rounded: false })
  })

  test('finer than its currency keeps its digits and says that it would have to be rounded', () => {
    expect(moneyText('12.345', 'EUR')).toEqual({ text: '12.345', rounded: true })
    expect(minorUnits('12.345', 'EUR')).toBeNull()
  })

  test('in minor units goes by the currency, and by two digits where it has none', () => {
    expect(minorUnits('1500', 'JPY')).toBe(1500n)
    expect(minorUnits('12.345', 'KWD')).toBe(12345n)
    expect(minorUnits('9.5', 'EUR')).toBe(950n)
    expect(minorUnits('9.50', null)).toBe(950n)
    expect(minorUnits('99999999999999999999', 'EUR')).toBeNull()
    expect(minorUnits('abc', 'EUR')).toBeNull()
  })

  test('keeps its value: minor units of the text are those of the amount', () => {
    const amount = fc
      .tuple(fc.nat(), fc.stringMatching(/^\d{0,5}$/))
      .map(([whole, rest]) => (rest ? `${whole}.${rest}` : `${whole}`))
    fc.assert(
      fc.property(amount, fc.constantFrom('EUR', 'JPY', 'KWD', 'UYW'), (given, code) => {
        const { text, rounded } = moneyText(given, code)
        expect(minorUnits(text, code)).toBe(minorUnits(given, code))
        expect(rounded).toBe(minorUnits(given, code) === null)
        if (!rounded) expect(text.split('.')[1]?.length ?? 0).toBe(exponent(code))
      }),
    )
  })
})

describe('the currency of a column', () => {
  const decide = (...cells: string[]) => {
    const evidence = currencyEvidence()
    for (const cell of cells) evidence.see(cell)
    return evidence.result()
  }

  test('is what all cells that name one agree on', () => {
    expect(decide('5,99 €', '12', '7,00 EUR')).toMatchObject({ code: 'EUR', guess: false })
    expect(decide('$ 5.99', '$ 7.99')).toMatchObject({
      code: 'USD',
      guess: true,
      reason: expect.stringContaining('"$"'),
    })
    expect(decide('$ 10 CAD', '12 CAD')).toMatchObject({ code: 'CAD', guess: false })
  })

  test('is unknown where they disagree, where one is unknown, or where none says anything', () => {
    expect(decide('5 EUR', '5 USD')).toBeNull()
    expect(decide('5 EUR', '5 ABC')).toBeNull()
    expect(decide('5.99', '', 'on request')).toBeNull()
  })
})
