import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGoogleCategory } from '../../../transforms/silver/google-category.ts'
import { readTaxonomy } from '../../../transforms/silver/taxonomy.ts'

const english = [
  '# Google_Product_Taxonomy_Version: 2021-09-21',
  '166 - Apparel & Accessories',
  '1604 - Apparel & Accessories > Clothing',
  '436 - Furniture',
]
const german = [
  '# Google_Product_Taxonomy_Version: 2021-09-21',
  '166 - Bekleidung & Accessoires',
  '1604 - Bekleidung & Accessoires > Bekleidung',
]
const known = { key: 'k', ...readTaxonomy([english.join('\n'), german.join('\n')]) }

const doubt = { value: null, findings: [{ code: 'unknown_google_category' }] }

describe('a Google category, where the files of the taxonomy are known', () => {
  test.each([
    ['166', '166'],
    ['0166', '166'],
    ['Apparel & Accessories', '166'],
    ['Apparel &amp; Accessories > Clothing', '1604'],
    ['Bekleidung & Accessoires', '166'],
    ['bekleidung & accessoires>bekleidung', '1604'],
    ['1604 - Apparel & Accessories > Clothing', '1604'],
    ['1604 - Bekleidung & Accessoires > Bekleidung', '1604'],
    ['1604 – as it was called in 2013', '1604'],
  ])('%s is the id %s', (raw, id) => {
    expect(readGoogleCategory(raw, known)).toEqual({ value: id, findings: [] })
  })

  test.each([
    '371',
    '999999',
    '0',
    'Furniture > Nonsense',
    'Clothing',
    'affordable prices',
    '371 - Apparel & Accessories',
    '436 - Apparel & Accessories',
  ])('%s is none, and is doubted', (raw) => {
    expect(readGoogleCategory(raw, known)).toMatchObject(doubt)
  })

  test('is read anew as itself', () => {
    const entry = fc.constantFrom(...known.entries)
    fc.assert(
      fc.property(entry, ({ id, path }) => {
        const read = readGoogleCategory(path.join(' > '), known)
        expect(read).toEqual({ value: id, findings: [] })
        expect(readGoogleCategory(read.value ?? '', known)).toEqual(read)
      }),
    )
  })
})

describe('a Google category, where no file is known', () => {
  test.each([
    ['1604', '1604'],
    ['1604 - Apparel & Accessories > Clothing', '1604'],
    ['Apparel & Accessories > Clothing', 'Apparel & Accessories > Clothing'],
    ['Apparel & Accessories', 'Apparel & Accessories'],
    ['Bekleidung & Accessoires > Bekleidung', 'Bekleidung & Accessoires > Bekleidung'],
  ])('%s has the form of one and is %s', (raw, value) => {
    expect(readGoogleCategory(raw)).toEqual({ value, findings: [] })
  })

  test.each(['0', '000', ' affordable prices', 'Clothing', '12345678'])('%s has none of its forms', (raw) => {
    expect(readGoogleCategory(raw)).toMatchObject(doubt)
  })
})
