import { expect, test } from 'vitest'
import { readMpn } from '../../../transforms/silver/mpn.ts'

test.each([
  ['WH-1000XM4', 'WH-1000XM4'],
  [' 0012 ', '0012'],
  ['X', 'X'],
  ['00-1', '00-1'],
  ['NONE-5', 'NONE-5'],
  ['B&amp;O-1', 'B&O-1'],
  ['B&amp;amp;O-1', 'B&O-1'],
  ['O&#039;N 5', "O'N 5"],
  ['A&B;1', 'A&B;1'],
])('the number %j is as the maker gave it', (raw, number) => {
  expect(readMpn(raw)).toBe(number)
})

test.each([
  'Does not apply',
  'Nicht zutreffend',
  'Uygulanamaz',
  'Ej tillämpligt',
  'Не застосовується',
  'ne s’applique pas',
  'не применимо',
  '該当なし',
  '000000',
  '0',
  'XXX',
  '--',
])('%j is no number', (raw) => {
  expect(readMpn(raw)).toBeNull()
})
