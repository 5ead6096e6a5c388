import { describe, expect, test } from 'vitest'
import { optionFor, readOptions } from '../../../transforms/silver/variants.ts'
import { said } from './said.ts'

const read = (options: string) => {
  const cell = said({ options }).get('options')
  if (!cell) throw new Error('no cell')
  return readOptions(cell)
}

describe('options', () => {
  test('are names and values as cleaned text, in their order', () => {
    const { value } = read('{"Größe":" US 7 - EU 40","Farbe":"Schwarz &amp; weiß","Pack":3}')
    expect(Object.entries(value)).toEqual([
      ['Größe', 'US 7 - EU 40'],
      ['Farbe', 'Schwarz & weiß'],
      ['Pack', '3'],
    ])
  })

  test.each([
    ['Color', 'color'],
    ['Colour', 'color'],
    ['Farbe', 'color'],
    ['Cor', 'color'],
    ['Couleur', 'color'],
    ['颜色', 'color'],
    ['Größe', 'size'],
    ['Tamanho', 'size'],
    ['サイズ', 'size'],
    ['Matière', 'material'],
    ['Muster', 'pattern'],
  ] as const)('named %s say the %s', (name, field) => {
    expect(optionFor({ Cable: '1 m', [name]: 'x' }, field)).toBe('x')
  })

  test('without a value, or only there because Shopify needs one, are none', () => {
    expect(read('{"Title":"Default Title"}').value).toEqual({})
    expect(read('{"Size":"","Color":null}').value).toEqual({})
  })

  test.each(['Size: M', '["M"]', '{"Size":'])('%j is none, with a warning', (raw) => {
    expect(read(raw)).toMatchObject({ value: {}, findings: [{ code: 'options_unreadable' }] })
  })

  test('cannot reach the prototype', () => {
    const { value } = read('{"__proto__":"x"}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })
})
