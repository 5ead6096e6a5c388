import { expect, test } from 'vitest'
import { readCondition } from '../../../transforms/silver/condition.ts'
import { readAgeGroup, readGender } from '../../../transforms/silver/gender-age.ts'

test.each([
  [readCondition, 'NEW', 'new'],
  [readCondition, 'https://schema.org/UsedCondition', 'used'],
  [readCondition, 'Generalüberholt', 'refurbished'],
  [readCondition, '中古', 'used'],
  [readGender, 'Мужской', 'male'],
  [readGender, 'Damen', 'female'],
  [readGender, 'ユニセックス', 'unisex'],
  [readAgeGroup, 'Kinder', 'kids'],
  [readAgeGroup, 'Взрослый', 'adult'],
  [readAgeGroup, 'bébé', 'infant'],
])('%o reads %j as %s', (read, raw, value) => {
  expect(read(raw)).toEqual({ value, findings: [] })
})

test.each([
  [readCondition, 'FALSE', 'unknown_condition'],
  [readGender, ' 4-12 days delivery - shop now', 'unknown_gender'],
  [readAgeGroup, 'Sneakers', 'unknown_age_group'],
])('%o reports %j', (read, raw, code) => {
  expect(read(raw)).toMatchObject({ value: null, findings: [{ code }] })
})
