import { describe, expect, test } from 'vitest'
import { googleBranch } from '../../../schemas/feeds/google-branch.ts'
import { named } from '../../../schemas/feeds/named.ts'
import { tradableGtin } from '../../../schemas/feeds/tradable-gtin.ts'

describe('a GTIN', () => {
  test.each([
    ['4006381333931', '4006381333931'],
    ['036282818705', '036282818705'],
    ['90311017', '90311017'],
    ['10614141000415', '10614141000415'],
    ['9780306406157', '9780306406157'],
    ['4006381-333931', '4006381333931'],
  ])('%s may go to platforms as %s', (gtin, digits) => {
    expect(tradableGtin(gtin)).toBe(digits)
  })

  test.each([
    '0000000000000',
    '2012345678903',
    '0212345678905',
    '0412345678903',
    '9812345678908',
    '9912345678905',
    '20123451',
    '02345673',
    '12012345678900',
    '123',
    '',
  ])('%j stays inside the shop', (gtin) => {
    expect(tradableGtin(gtin)).toBeNull()
  })
})

test.each(['n/a', ' N/A ', 'None', 'Unbranded', '-', '  '])('%j names nobody', (text) => {
  expect(named(text)).toBeNull()
})

test.each(['Lumo', 'Nonesuch', 'No Brand New Furniture Ltd.'])('%j is a name', (text) => {
  expect(named(text)).toBe(text)
})

test.each([
  ['1604', 'clothing'],
  ['187', 'clothing'],
  ['212', 'clothing'],
  ['166', 'apparel'],
  ['167', 'apparel'],
  ['784', 'media'],
  ['Apparel & Accessories > Clothing > Dresses', 'clothing'],
  ['Apparel & Accessories > Clothing Accessories > Hats', 'apparel'],
  ['Apparel & Accessories', 'apparel'],
  ['Media > Books', 'media'],
  ['Media Consoles', null],
  ['1463', null],
  [null, null],
])("Google's category %s lies in branch %s", (category, branch) => {
  expect(googleBranch(category)).toBe(branch)
})
