import { expect, test } from 'vitest'
import { readCondition } from '../../../transforms/silver/condition.ts'

test.each([
  ['NEW', 'new'],
  ['New', 'new'],
  ['https://schema.org/UsedCondition', 'used'],
  ['Generalüberholt', 'refurbished'],
  ['Б/У', 'used'],
  ['中古', 'used'],
  ['schema:NewCondition', 'new'],
  ['Sıfır', 'new'],
  ['kullanılmış', 'used'],
  ['KULLANILMIŞ', 'used'],
  ['yenilenmiş', 'refurbished'],
  ['Använd', 'used'],
  ['Ubrugt', 'new'],
  ['käyttämätön', 'new'],
  ['б/в', 'used'],
])('%j is %s', (raw, value) => {
  expect(readCondition(raw)).toEqual({ value, findings: [] })
})

test.each(['FALSE', 'almost new', ''])('%j is none, with a warning', (raw) => {
  expect(readCondition(raw)).toMatchObject({ value: null, findings: [{ code: 'unknown_condition' }] })
})
