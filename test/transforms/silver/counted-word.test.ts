import { expect, test } from 'vitest'
import { countedWord } from '../../../transforms/silver/counted-word.ts'

test.each([
  ['in stock (3)', 'in stock'],
  ['In stock: 12 pcs.', 'In stock'],
  ['Skladem > 5 ks', 'Skladem'],
  ['auf Lager - 10+', 'auf Lager'],
  ['sofort lieferbar, 3 Stück', 'sofort lieferbar'],
  ['12 ks skladem', 'skladem'],
  ['3 in stock', 'in stock'],
  ['10+ in stock', 'in stock'],
  ['在庫あり（3）'.normalize('NFKC'), '在庫あり'],
])('%j has a count beside %j', (text, word) => {
  expect(countedWord(text)).toBe(word)
})

test.each([
  'in stock',
  'in stock (0)',
  'in stock <1',
  'in stock -3',
  'available 2026',
  '24.12.2026',
  'lieferbar 3 Tage',
  '3',
  `${'in '.repeat(40)}3`,
])('%j has no count of pieces', (text) => {
  expect(countedWord(text)).toBeNull()
})
