import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCategories, readCategory } from '../../../transforms/silver/category.ts'
import { isBlank } from '../../../transforms/silver/placeholders.ts'

describe('a category path', () => {
  test.each([
    ['Clothing > Hoodies', ['Clothing', 'Hoodies']],
    ['A >> B >> C', ['A', 'B', 'C']],
    ['A/B/C', ['A', 'B', 'C']],
    ['Heureka.cz | Auto | Rims', ['Heureka.cz', 'Auto', 'Rims']],
    ['Snacks, Sweet snacks, Biscuits', ['Snacks', 'Sweet snacks', 'Biscuits']],
    ['Bags &amp; Shoes', ['Bags & Shoes']],
    ['["Clothing >> Lingerie, Sleep & Swimwear >> Shorts"]', ['Clothing', 'Lingerie, Sleep & Swimwear', 'Shorts']],
    ['Clothing > Lingerie, Sleep & Swimwear > Shorts', ['Clothing', 'Lingerie, Sleep & Swimwear', 'Shorts']],
    ['Clothing, Clothing > Tops > Tees, Clothing > Sale', ['Clothing', 'Tops', 'Tees']],
    ['', []],
    [' > ', []],
  ])('%j is %j', (raw, path) => {
    expect(readCategory(raw)).toEqual(path)
  })

  test('of Magento drops the root, and the first deepest of a list is taken', () => {
    const cell =
      'Default Category/Men/Tops/Hoodies & Sweatshirts,Default Category/Collections/Eco Friendly,Default Category'
    expect(readCategory(cell, 'magento')).toEqual(['Men', 'Tops', 'Hoodies & Sweatshirts'])
    expect(readCategory('Default Category', 'magento')).toEqual([])
  })

  test('of WooCommerce is one of a list, and a comma in a name is escaped', () => {
    expect(readCategory('Music, Clothing > Hats\\, caps', 'woocommerce')).toEqual(['Clothing', 'Hats, caps'])
  })
})

describe('several cells of categories (KF-05)', () => {
  test.each([
    [
      ['Home', 'Mugs'],
      ['Home', 'Mugs'],
    ],
    [
      ['Home', '', 'N/A', 'Mugs', ' '],
      ['Home', 'Mugs'],
    ],
    [
      ['Home > Kitchen', 'Mugs'],
      ['Home', 'Kitchen', 'Mugs'],
    ],
    [
      ['Home', 'Home > Kitchen', 'Home > Kitchen > Mugs'],
      ['Home', 'Kitchen', 'Mugs'],
    ],
    [
      ['Home > Mugs', 'Home > Mugs'],
      ['Home', 'Mugs'],
    ],
    [['', ' '], []],
  ])('%j are the levels %j', (cells, path) => {
    expect(readCategories(cells)).toEqual({ value: path, findings: [] })
  })

  test('that are each a path give the first, and the others are told', () => {
    const { value, findings } = readCategories(['Home > Mugs', 'Gifts > For him', 'Sale > Mugs'])
    expect(value).toEqual(['Home', 'Mugs'])
    expect(findings).toMatchObject([{ code: 'several_categories', raw: 'Gifts > For him, Sale > Mugs' }])
  })

  test('without a separator lose none, whatever the names are', () => {
    // `Nil` and `None` are words for no value.
    const name = fc.stringMatching(/^[A-Z][a-z]{1,8}( [a-z]{2,8})?$/).filter((text) => !isBlank(text))
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(names, (cells) => {
        expect(readCategories(cells).value).toEqual(cells)
      }),
    )
  })
})

describe('categories that are objects', () => {
  const objects = (...items: unknown[]) => readCategories(JSON.stringify(items))

  test('are their names, each as a cell of its own', () => {
    const shop = [
      { id: 1, name: 'Mugs', slug: 'mugs' },
      { id: 2, name: 'Cups &amp; Bowls, small', slug: 'cups' },
    ]
    expect(objects(...shop)).toEqual({ value: ['Mugs', 'Cups & Bowls, small'], findings: [] })
    expect(readCategories(JSON.stringify(shop[0])).value).toEqual(['Mugs'])
    expect(
      readCategories(
        shop.map((one) => JSON.stringify(one)),
        'woocommerce',
      ),
    ).toEqual(objects(...shop))
    expect(objects({ Title: 'Home > Mugs' }, { label: 'Sale > Mugs' })).toMatchObject({
      value: ['Home', 'Mugs'],
      findings: [{ code: 'several_categories' }],
    })
  })

  test('without a name are told, and leave the others as they are', () => {
    expect(objects({ id: 1, slug: 'mugs' }, { name: 'Cups' }, 7)).toMatchObject({
      value: ['Cups'],
      findings: [{ code: 'unreadable_category', raw: '{id, slug} 7' }],
    })
    expect(objects({ name: { en: 'Mugs' } })).toMatchObject({ value: [], findings: [{ code: 'unreadable_category' }] })
    expect(readCategories(`[${'['.repeat(20_000)}${']'.repeat(20_000)}]`).findings).toHaveLength(1)
    expect(objects()).toEqual({ value: [], findings: [] })
  })
})
