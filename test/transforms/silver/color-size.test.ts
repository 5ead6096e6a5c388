import { describe, expect, test } from 'vitest'
import { colorOf, sizeOf } from '../../../transforms/silver/color-size.ts'

describe('a colour', () => {
  test.each([
    'Multi',
    'multi-colour',
    'Mehrfarbig',
    'Multicolore',
    'Multicolorido',
    'Wielokolorowy',
    'Vícebarevná',
    'Разноцветный',
    'マルチカラー',
    '多色',
  ])('of many, %j, has the word that platforms compare', (text) => {
    expect(colorOf(text)).toBe('multicolor')
  })

  test.each(['Ink Blue', 'Tintenblau', 'Bleu nuit', 'Rot/Schwarz', 'Assorted', 'uni'])(
    'is as on the product: %j',
    (text) => {
      expect(colorOf(text)).toBe(text)
    },
  )

  test.each(['Default', 'Default Title', 'Not applicable', 'Keine Angabe', 'Sans objet', 'Не указан', 'なし', '默认'])(
    'is none where %j stands for one',
    (text) => {
      expect(colorOf(text)).toBeNull()
    },
  )
})

describe('a size', () => {
  test.each([
    'One Size',
    'ONESIZE',
    'OSFA',
    'Einheitsgröße',
    'Taille unique',
    'Talla única',
    'Tamanho único',
    'Taglia unica',
    'Rozmiar uniwersalny',
    'Univerzální velikost',
    'Единый размер',
    'フリーサイズ',
    '均码',
    'En storlek',
    'Én størrelse',
    'Tek Beden',
    'Один розмір',
    'Jedna veľkosť',
  ])('that fits all, %j, has the word that platforms compare', (text) => {
    expect(sizeOf(text)).toBe('one size')
  })

  test.each(['S', 'Small', 'EU 42', '14 cm', '40 1/2', 'Standard', 'ЕДИНИЦА'])('is as on the product: %j', (text) => {
    expect(sizeOf(text)).toBe(text)
  })

  test.each(['Default', 'N/A', 'No aplica', '指定なし'])('is none where %j stands for one', (text) => {
    expect(sizeOf(text)).toBeNull()
  })
})
