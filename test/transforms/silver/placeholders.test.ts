import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank } from '../../../transforms/silver/placeholders.ts'

test.each([
  ...[
    '',
    ' ',
    '-',
    '--',
    '—',
    '.',
    '...',
    '…',
    '?',
    '???',
    '/',
    '***',
    '- - -',
    '[]',
    '{}',
    '""',
    'N/A',
    '(null)',
    'なし',
  ],
  ...['\u3164', '\u2800\u2800', '\ufe0f', '\u0301', '\ufffd', '\u{e0041}', '-'.repeat(40), '\u3164'.repeat(40)],
])('%j stands where a value is missing', (raw) => {
  expect(isBlank(raw)).toBe(true)
})

test.each([
  '0',
  'Oak',
  '#',
  '%',
  '5 %',
  '&',
  '@',
  '+',
  '€',
  '★',
  '🚀',
  '無',
  '...and more',
  '(M)',
  '"M"',
  '-1',
  '{"a":1}',
])('%j says something', (raw) => {
  expect(isBlank(raw)).toBe(false)
})

test('a text with a letter or digit beside signs of any kind says something, but for the words of the list', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('7', 'q', 'Ж', '木'), (text, letter) => {
      expect(isBlank(`${text}${letter}${text}`)).toBe(false)
    }),
  )
})
