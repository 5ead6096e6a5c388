import { expect, test } from 'vitest'
import { readAgeGroup, readGender } from '../../../transforms/silver/gender-age.ts'

test.each([
  ['Мужской', 'male'],
  ['МУЖСКОЙ', 'male'],
  ["Women's", 'female'],
  ['Damen', 'female'],
  ['ユニセックス', 'unisex'],
  ['Dam', 'female'],
  ['Herr', 'male'],
  ['Naisten', 'female'],
  ['Erkek çocuk', 'male'],
  ['Жіночий', 'female'],
  ['men,women', 'unisex'],
  ['Herren / Damen', 'unisex'],
  ['Boys|Girls', 'unisex'],
  ['women; girls', 'female'],
  ['男、女', 'unisex'],
])('the gender %j is %s', (raw, value) => {
  expect(readGender(raw)).toEqual({ value, findings: [] })
})

test.each([
  ['Kinder', 'kids'],
  ['Взрослый', 'adult'],
  ['bébé', 'infant'],
  ['toddler', 'toddler'],
  ['bebek', 'infant'],
  ['Yenidoğan', 'newborn'],
  ['Spädbarn', 'infant'],
  ['Småbørn', 'toddler'],
  ['дитячий', 'kids'],
  ['18+', 'adult'],
])('the age group %j is %s', (raw, value) => {
  expect(readAgeGroup(raw)).toEqual({ value, findings: [] })
})

test('what a shifted column holds is reported and not taken', () => {
  expect(readGender(' 4-12 days delivery - shop now')).toMatchObject({
    value: null,
    findings: [{ code: 'unknown_gender' }],
  })
  for (const raw of ['men, dogs', ',', 'men,']) expect(readGender(raw).value).toBeNull()
  expect(readAgeGroup('Sneakers')).toMatchObject({ value: null, findings: [{ code: 'unknown_age_group' }] })
})
