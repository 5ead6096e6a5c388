import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unrefined } from '../../../schemas/product.ts'
import { foldLetters } from '../../../transforms/search/fold-letters.ts'
import { identifierTerm } from '../../../transforms/search/identifier-term.ts'
import { type FieldBit, productTerms, wordTerms } from '../../../transforms/search/product-terms.ts'
import { readQuery } from '../../../transforms/search/read-query.ts'
import { errorsBetween, spellingKeys } from '../../../transforms/search/spelling.ts'
import { termHash } from '../../../transforms/search/term-hash.ts'

const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'cs', 'ru', 'ja', 'zh']

function termsOf(title: string, spoken: readonly string[]): Set<string> {
  const terms = new Set<string>()
  productTerms({ ...unrefined, title }, '0b2c3d4e-0000-4000-8000-000000000001', spoken, {
    term: (term: string) => void terms.add(term),
    word: (part, _bit: FieldBit, _place, stems) => {
      for (const term of wordTerms(part, stems)) terms.add(term)
    },
  })
  return terms
}

const isFound = (title: string, q: string, spoken: readonly string[]) => {
  const terms = termsOf(title, spoken)
  return readQuery(q, spoken).words.every(({ ways }) => ways.some((way) => way.terms.every((term) => terms.has(term))))
}

describe('laws of the analyser', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  const spoken = fc.subarray(languages, { maxLength: 3 })
  /** Pieces of which titles are made, run together and apart. */
  const pieces = fc
    .array(
      fc.constantFrom(
        'iPhone',
        '15',
        '1,299.50',
        '13',
        '"',
        ' inch',
        'AB-1042',
        '-',
        ' ',
        ' ',
        "l'eau",
        'ß',
        'Łódka',
        '電動',
        '自転車',
        'กางเกง',
        'Ünïcode',
        '½',
        '™',
        'cm',
        '.',
        '/',
        'x',
      ),
      { maxLength: 14 },
    )
    .map((all) => all.join(''))

  test('whatever a text is, it is taken apart', () => {
    fc.assert(fc.property(text, spoken, (any, of) => void [termsOf(any, of), readQuery(any, of), identifierTerm(any)]))
  })

  test('a text is found by itself', () => {
    fc.assert(
      fc.property(fc.oneof(text, pieces), spoken, (any, of) => isFound(any, any, of)),
      { numRuns: 400 },
    )
  })

  test('folding twice is folding once, and knows no case', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(foldLetters(foldLetters(any))).toBe(foldLetters(any))
      }),
    )
  })

  test('terms of a large vocabulary have numbers of their own', () => {
    const numbers = new Set(Array.from({ length: 200_000 }, (_, i) => termHash(`term${i.toString(36)}`)))
    expect(numbers.size).toBe(200_000)
    for (const number of numbers) if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${number}`)
  })
})

describe('what finds what', () => {
  test.each([
    ['iPhone 15 Pro', 'iphone15', true],
    ['iPhone15 Pro', 'iphone 15', true],
    ['Laptop 13" silver', '13 inch laptop', true],
    ['Laptop 13in', 'laptop 13"', true],
    ['Flour 1,5 kg', '1.5kg', true],
    ['T-shirt', 'tshirt', true],
    ['Tshirt', 't-shirt', true],
    ['Wardrobe 200cm', '200 cm', true],
    ['Filter AB-1042', 'AB1042', true],
    ['Filter AB 1042', 'AB-1042', true],
    ['Filter AB-1043', 'AB-1042', false],
    ['Filter 2000', '2001', false],
    ['Shoe sizes 40,41,42', '41', true],
    ['Price 1,299 only', '1299', true],
    ['running shoes', 'run shoe', true],
    ['電動自転車', '自転車', true],
    ['電動自転車', '車', true],
    ['電動自転車', '自動車', false],
    ['กางเกงยีนส์', 'ยีนส์', true],
  ])('%s by %s: %s', (title, q, found) => expect(isFound(title, q, ['en'])).toBe(found))

  test('a GTIN is found with its zeros and without', () => {
    expect(identifierTerm('04006381333931')).toBe(identifierTerm('4006381333931'))
    expect(identifierTerm('ab_10 42')).toBe(identifierTerm('AB-1042'))
  })

  test.each(['805381ab-294e-828f-9114-9a8378f3770a', 'A1-B2-C3-D4-E5-F6-G7-H8'])(
    '%s of many parts is one word, and some of its parts are not it',
    (code) => {
      const { words, identifier } = readQuery(` ${code} `, ['en'])
      expect(words).toHaveLength(1)
      expect(words[0]?.ways[0]?.terms).toEqual([identifier])
      expect(isFound(`Part ${code}`, code, ['en'])).toBe(true)
      expect(isFound(`Part ${code.slice(0, -3)}`, code, ['en'])).toBe(false)
    },
  )
})

describe('typing errors', () => {
  test.each([
    ['fliter', 'filter', 1],
    ['filtr', 'filter', 1],
    ['hammock', 'hammock', 0],
    ['washingmashine', 'washingmachine', 1],
    ['refridgerater', 'refrigerator', 2],
    ['chair', 'chart', null],
  ])('%s is %s with %s', (typed, meant, errors) => expect(errorsBetween(typed, meant)).toBe(errors))

  test('one letter off, a word shares a key with what was meant', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 5, maxLength: 12 })
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('drop', 'double', 'swap', 'change'), (meant, at, how) => {
        const i = at % (meant.length - 1)
        const typed =
          how === 'drop'
            ? meant.slice(0, i) + meant.slice(i + 1)
            : how === 'double'
              ? meant.slice(0, i) + meant[i] + meant.slice(i)
              : how === 'swap'
                ? meant.slice(0, i) + meant[i + 1] + meant[i] + meant.slice(i + 2)
                : `${meant.slice(0, i)}z${meant.slice(i + 1)}`
        fc.pre(typed.length >= 5)
        const keys = new Set(spellingKeys('c', meant))
        expect(spellingKeys('c', typed).some((key) => keys.has(key))).toBe(true)
        expect(errorsBetween(typed, meant)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('words with digits are never corrected (KF-30)', () => expect(spellingKeys('c', 'ab1042x')).toEqual([]))
})
