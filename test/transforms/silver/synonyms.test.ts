import { describe, expect, test } from 'vitest'
import { type Field, fieldNames } from '../../../schemas/product.ts'
import { foldName } from '../../../transforms/silver/fold-name.ts'
import { mapHeader } from '../../../transforms/silver/mapping.ts'
import { languages, synonyms } from '../../../transforms/silver/synonyms.ts'

const several = new Set([
  'bezna cena',
  'cena regularna',
  'masse',
  'precio normal',
  'prezzo di listino',
  'prix regulier',
  'regular price',
  'regularer preis',
  'reguliere prijs',
  'stan',
  'tarif regulier',
])
/** A lone column of our own name for the primary image may hold several. */
const givenFor = (name: string, field: Field): Field => (foldName(name) === 'image' ? 'images' : field)

const named = fieldNames.filter((field) => field !== 'options' && field !== 'deleted')
const namesIn = (language: keyof typeof languages, field: (typeof named)[number]) =>
  languages[language][field as keyof (typeof languages)['en']].split('|').map(foldName)

describe('the names of a column', () => {
  test.each(named)('for %s are known in twelve languages', (field) => {
    const spoken = Object.keys(languages) as (keyof typeof languages)[]
    expect(spoken.length).toBeGreaterThanOrEqual(12)
    for (const language of spoken) {
      const names = namesIn(language, field)
      expect(
        names.every((name) => name !== '' && names.indexOf(name) === names.lastIndexOf(name)),
        language,
      ).toBe(true)
    }
  })

  test('mean one field, but for those that values or a better column tell apart', () => {
    const fieldsOf = new Map<string, Set<Field>>()
    for (const { name, field } of synonyms) {
      const key = foldName(name)
      fieldsOf.set(key, (fieldsOf.get(key) ?? new Set()).add(field))
    }
    const shared = [...fieldsOf].filter(([, fields]) => fields.size > 1)
    expect(Object.fromEntries(shared.map(([name, fields]) => [name, [...fields].sort()]))).toEqual({
      // A former price beside a price, and the price where a file has no other.
      'bezna cena': ['original_price', 'price'],
      'cena regularna': ['original_price', 'price'],
      'precio normal': ['original_price', 'price'],
      'prezzo di listino': ['original_price', 'price'],
      'prix regulier': ['original_price', 'price'],
      'regular price': ['original_price', 'price'],
      'regularer preis': ['original_price', 'price'],
      'reguliere prijs': ['original_price', 'price'],
      'tarif regulier': ['original_price', 'price'],
      // The sizes of a thing in German, without its ß; what it weighs in French and German.
      masse: ['dimensions', 'weight'],
      stan: ['condition', 'quantity'],
    })
  })

  test('give their field where a file has no other', () => {
    for (const { name, field } of synonyms) {
      const given = mapHeader([name.trim()]).mapping[name.trim()]?.field
      expect([name, given]).not.toEqual([name, undefined])
      if (!several.has(foldName(name))) expect([name, given]).toEqual([name, givenFor(name, field)])
    }
  })

  test('for a former price give the price where nothing else does', () => {
    const targets = (header: readonly string[]) =>
      Object.fromEntries(Object.entries(mapHeader(header).mapping).map(([column, { field }]) => [column, field]))
    expect(targets(['Cena regularna', 'Cena promocyjna'])).toEqual({
      'Cena regularna': 'price',
      'Cena promocyjna': 'sale_price',
    })
    expect(targets(['Cena', 'Cena regularna'])).toEqual({ Cena: 'price', 'Cena regularna': 'original_price' })
  })
})
