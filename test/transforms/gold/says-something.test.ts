import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saysSomething } from '../../../transforms/gold/says-something.ts'

test.each([
  'test',
  ' Test. ',
  'N/A',
  'TBD…',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.',
  ' LOREM IPSUM dolor sit amet',
  'Description coming soon...',
  'Beschreibung folgt',
  'Brak opisu',
  'テスト商品',
  '',
  ' \n ',
  '...',
  '— —',
  '=== + ===',
])('%j says nothing', (text) => {
  expect(saysSomething(text)).toBe(false)
})

test.each([
  'Test tube, 16 x 160 mm',
  'Sample spoon',
  'Nil desperandum',
  'Ipsum Lorem',
  'Oak',
  '無印良品',
  `${'A print of the text that printers set, framed. '.repeat(3)} Lorem ipsum`,
])('%j says something', (text) => {
  expect(saysSomething(text)).toBe(true)
})

test('no text at all says nothing', () => {
  expect(saysSomething(null)).toBe(false)
})

test('a text with more words than keep a place says something', () => {
  const word = fc.constantFrom('oak', 'stool', 'for', 'kitchen', 'and', 'bar', 'test', 'title')
  fc.assert(
    fc.property(fc.array(word, { minLength: 9, maxLength: 60 }), (words) => {
      expect(saysSomething(words.join(' '))).toBe(true)
    }),
  )
})
