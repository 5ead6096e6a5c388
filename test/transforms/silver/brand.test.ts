import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBrand } from '../../../transforms/silver/brand.ts'

describe('a brand', () => {
  test.each([
    ['Lumo®', 'Lumo'],
    ['Lumo ™', 'Lumo'],
    ['Lumo (R)', 'Lumo'],
    ['Lumo(TM)®', 'Lumo'],
    ['Brand: Lumo', 'Lumo'],
    ['Marke:Lumo®', 'Lumo'],
    ['Hersteller: Marke: Lumo', 'Lumo'],
    ['Бренд: Люмо', 'Люмо'],
    ['品牌：流明', '流明'],
    ['<b>Lumo</b>&reg;', 'Lumo'],
    ['Salt &amp; Co.', 'Salt & Co.'],
  ])('%j is the name alone: %j', (raw, name) => {
    expect(readBrand(raw)).toBe(name)
  })

  test.each([
    '3M',
    'Dr. Oetker',
    'Re:Zero',
    'Studio: Nord',
    'A (Nordic) Thing',
    'Post-it® Notes',
    "Levi's",
    'Neu',
    'Altro',
  ])('that is really called %j is so', (name) => {
    expect(readBrand(name)).toBe(name)
  })

  test.each([
    'Does not apply',
    'DOES NOT APPLY',
    'Generic',
    'No-Name',
    'Unbranded®',
    'Brand: N/A',
    'ohne Marke',
    'Sans marque',
    'Sin marca',
    'Sem marca',
    'Senza marca',
    'Geen merk',
    'Bez marki',
    'Bez značky',
    'Без бренда',
    'ノーブランド品',
    '无品牌',
    'markasız',
    'Märkeslös',
    'Uden mærke',
    'Merkeløs',
    'Ei merkkiä',
    'Без бренду',
    '®',
    'Marke:',
    '<p></p>',
  ])('is none where %j stands for one', (raw) => {
    expect(readBrand(raw)).toBeNull()
  })

  test('is read again as it was read', () => {
    const part = fc.constantFrom('Lumo', '®', '™', ' ', 'Brand', ':', '：', 'Marke', '(R)', 'N/A', 'none', '&amp;', 'é')
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (raw) => {
        const name = readBrand(raw)
        if (name !== null && !/[<&]/.test(name)) expect(readBrand(name)).toBe(name)
      }),
    )
  })
})
