import { expect, test } from 'vitest'
import { addressKey } from '../../../transforms/duplicates/address-key.ts'
import { sameBrand } from '../../../transforms/duplicates/brand-words.ts'
import { spelledAlike } from '../../../transforms/duplicates/spelled-alike.ts'
import { titleParts } from '../../../transforms/duplicates/title-parts.ts'

const parts = (title: string, brand: string[] = []) => titleParts(title, brand)

test.each([
  ['0.5 l', '500ml'],
  ['0,5 Liter', '500 ml'],
  ['50 cl', '500ml'],
  ['1 kg', '1000 g'],
  ['24 cm', '240mm'],
  ['pack of 6', '6 pcs'],
  ['6-Pack', '6 Stück'],
  ['2,5 л', '2500 мл'],
])('%s and %s are one amount', (one, other) => {
  const [a, b] = [parts(`Teapot ${one}`), parts(`Teapot ${other}`)]
  expect(a.measures).toHaveLength(1)
  expect(b).toEqual(a)
})

test('a model has one name wherever its maker puts a space, and another digit is another model', () => {
  const codes = (title: string) => parts(title).codes
  expect(codes('WH-1000XM4')).toEqual(['wh1000xm4'])
  expect(codes('WH 1000XM4')).toEqual(codes('WH1000XM4'))
  expect(codes('WH-1000XM5')).not.toEqual(codes('WH-1000XM4'))
})

test('brand, fillers and signs are no words; colors and marks are told by their meaning', () => {
  expect(parts('NEU: Lumo® Teekanne, schwarz, für Kinder', ['lumo'])).toEqual({
    words: ['teekanne'],
    codes: [],
    measures: [],
    marks: ['for', 'kids'],
    colors: ['black'],
  })
})

test('a slip of the hand is no other word, and a short word is', () => {
  expect(spelledAlike('splitting', 'spiltting')).toBe(true)
  expect(spelledAlike('stainless', 'stainles')).toBe(true)
  expect(spelledAlike('pen', 'pens')).toBe(true)
  for (const [a, b] of [
    ['oak', 'oat'],
    ['lime', 'line'],
    ['japan', 'jordan'],
    ['brown', 'crown'],
    ['2019x', '2018x'],
  ] as const)
    expect(spelledAlike(a, b), `${a} ${b}`).toBe(false)
})

test('a company is its brand, and a line of a maker is the maker', () => {
  expect(sameBrand(['lodge'], ['lodge'])).toBe(true)
  expect(sameBrand(['bosch'], ['bosch', 'professional'])).toBe(true)
  expect(sameBrand(['le', 'creuset'], ['lecreuset'])).toBe(true)
  expect(sameBrand(['lodge'], ['skeppshult'])).toBe(false)
})

test('an address is a page, whatever campaign led there, and the front page is none', () => {
  expect(addressKey('http://www.shop.example/a/?utm_source=x#top')).toBe(addressKey('https://SHOP.example/a'))
  expect(addressKey('https://shop.example/a?id=1')).not.toBe(addressKey('https://shop.example/a?id=2'))
  expect(addressKey('https://shop.example/?utm_source=x')).toBeNull()
})
