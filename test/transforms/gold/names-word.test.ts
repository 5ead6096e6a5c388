import { expect, test } from 'vitest'
import { namesWord } from '../../../transforms/gold/names-word.ts'

test.each([
  ['Oak stool, black', 'Black', true],
  ['Shirt M', 'M', true],
  ['Shirt for men', 'M', false],
  ['T-shirt (xl)', 'XL', true],
  ['Größe 42', '42', true],
  ['Größe 425', '42', false],
  ['Blackbird in black', 'black', true],
  ['Сумка чёрная', 'чёрная', true],
  ['赤いスツール', '赤', true],
  ['Oak stool', ' ', false],
])('%j has the word %j: %s', (title, word, has) => {
  expect(namesWord(title.toLowerCase(), word)).toBe(has)
})
