import { describe, expect, test } from 'vitest'
import { type FamilyRule, familyRules } from '../../ingest/family-rules.ts'
import { groupRule } from '../../ingest/group-rule.ts'

const rule = (platform: string): FamilyRule => {
  const found = familyRules.find((one) => one.platform === platform)
  if (!found) throw new Error(`no rule for ${platform}`)
  return found
}
const cellsOf =
  (cells: Readonly<Record<string, string>>) =>
  (column: string): string =>
    cells[column] ?? ''
const read = (platform: string, cells: Readonly<Record<string, string>>, above = '') =>
  rule(platform).read(cellsOf(cells), above)

const alone = { role: 'alone', key: '', options: {} }

describe("a row of Shopify's file", () => {
  test.each([
    [
      'a variant with options by place',
      { Handle: 'mug', 'Option1 Value': 'Red', 'Option3 Value': 'L' },
      'member',
      { 1: 'Red', 3: 'L' },
    ],
    ['a product without options', { Handle: 'mug', Title: 'Mug', 'Option1 Value': 'Default Title' }, 'member', {}],
    ['a variant that has only a price', { Handle: 'mug', 'Variant Price': '10' }, 'member', {}],
    ['a product that has only a title', { Handle: 'mug', Title: 'Mug' }, 'member', {}],
    ['another image', { Handle: 'mug', 'Image Src': 'https://x.test/2.jpg', 'Image Position': '2' }, 'more', {}],
  ])('is %s', (_, cells, role, options) => {
    expect(read('shopify', cells)).toEqual({ role, key: 'mug', options })
  })

  test('without a handle belongs to no family', () => {
    expect(read('shopify', { Title: 'Mug', Handle: ' ' })).toEqual(alone)
  })

  test('takes the names of its options from the first row, and a name by place where there is none', () => {
    const { optionName } = rule('shopify')
    const head = cellsOf({ 'Option1 Name': ' Color ', 'Option2 Name': '' })
    expect([optionName?.('1', head), optionName?.('2', head)]).toEqual(['Color', 'Option 2'])
  })

  test('shares what describes the product, and nothing that is a variant’s own', () => {
    const { shared } = rule('shopify')
    const columns = ['Title', 'Body (HTML)', 'Google Shopping / Gender', 'Variant Price', 'Variant SKU', 'Image Src']
    expect(columns.filter(shared)).toEqual(['Title', 'Body (HTML)', 'Google Shopping / Gender'])
  })
})

describe("a row of WooCommerce's file", () => {
  test.each([
    [
      { ID: '7', Type: 'variable', SKU: 'T' },
      { role: 'parent', key: 'T', options: {} },
    ],
    [
      { ID: '7', Type: 'variable, virtual' },
      { role: 'parent', key: 'id:7', options: {} },
    ],
    [
      {
        Type: 'variation',
        Parent: 'T',
        'Attribute 1 name': 'Size',
        'Attribute 1 value(s)': 'S',
        'Attribute 5 name': 'Cut',
        'Attribute 5 value(s)': 'slim',
      },
      { role: 'member', key: 'T', options: { Size: 'S' } },
    ],
    [
      { Type: 'variation, virtual', Parent: 'id:7', 'Attribute 3 name': 'Size', 'Attribute 3 value(s)': 'S' },
      { role: 'member', key: 'id:7', options: { Size: 'S' } },
    ],
    [{ Type: 'variation', SKU: 'T-S' }, alone],
    [{ Type: 'simple', SKU: 'X' }, alone],
  ])('%j', (cells, expected) => {
    expect(read('woocommerce', cells)).toEqual(expected)
  })

  test('has a key that means the same everywhere where the parent has a SKU', () => {
    const { keyIsSku } = rule('woocommerce')
    expect([keyIsSku('T'), keyIsSku('id:7')]).toEqual([true, false])
  })
})

describe("a row of Magento's file", () => {
  test('with variations is a parent that names its children and what each of them is', () => {
    const variations = 'sku=T-S,size=S,color=red|sku=T-M, size = M'
    expect(read('magento', { sku: 'T', configurable_variations: variations })).toEqual({
      role: 'parent',
      key: 'T',
      options: {},
      children: [
        { sku: 'T-S', options: { size: 'S', color: 'red' } },
        { sku: 'T-M', options: { size: 'M' } },
      ],
    })
  })

  test('without variations, or without a SKU that children could be found by, belongs to none', () => {
    expect(read('magento', { sku: 'X' })).toEqual(alone)
    expect(read('magento', { configurable_variations: 'sku=T-S,size=S' })).toEqual(alone)
  })
})

describe("a row of Vendure's file", () => {
  test('with a name begins a product, and one without goes on with it', () => {
    const first = { name: 'Shirt', slug: 'shirt', optionValues: 'S|red' }
    expect(read('vendure', first, 'mug')).toEqual({ role: 'member', key: 'shirt', options: { 1: 'S', 2: 'red' } })
    expect(read('vendure', { optionValues: 'M' }, 'shirt')).toEqual({
      role: 'member',
      key: 'shirt',
      options: { 1: 'M' },
    })
    expect(read('vendure', { name: 'Mug' }, 'shirt')).toMatchObject({ key: 'Mug' })
    expect(read('vendure', { optionValues: 'M' })).toEqual(alone)
  })
})

describe('a column of groups or parents', () => {
  const columns = {
    sku: ['SKU'],
    color: ['Colour'],
    title: ['Name'],
    images: ['Pictures'],
    category: ['Dept', 'Aisle'],
  }
  const columnsOf = (field: string) => columns[field as keyof typeof columns] ?? []
  const byGroup = groupRule('Group', columnsOf, false)
  const byParent = groupRule('Parent', columnsOf, true)

  test('shares a category with all its levels', () => {
    expect(['Dept', 'Aisle', 'Name', 'Colour'].map(byGroup.shared)).toEqual([true, true, true, false])
  })

  test('names the family, and the columns that are known tell its variants apart', () => {
    const cells = cellsOf({ SKU: 'A', Group: ' g1 ', Colour: 'red', Size: 'L' })
    expect(byGroup.read(cells, '')).toEqual({ role: 'member', key: 'g1', options: { color: 'red' } })
    // A member may name its SKU: then it is the parent, and stands in no feed beside its variants (KF-23).
    expect(byGroup.read(cellsOf({ SKU: 'A' }), '')).toEqual({ role: 'alone', key: 'A', options: {} })
    expect(byGroup.read(cellsOf({ SKU: 'A', Group: 'A' }), '')).toMatchObject({ role: 'member', key: 'A' })
    expect(['Name', 'Pictures', 'SKU', 'Colour'].filter(byGroup.shared)).toEqual(['Name', 'Pictures'])
  })

  test('leaves open whether a row without a parent is one', () => {
    expect(byParent.read(cellsOf({ SKU: 'T' }), '')).toEqual({ role: 'alone', key: 'T', options: {} })
    expect(byParent.read(cellsOf({ SKU: 'T', Parent: 'T' }), '')).toEqual({ role: 'alone', key: 'T', options: {} })
    expect(byParent.read(cellsOf({ SKU: 'T-S', Parent: 'T' }), '')).toMatchObject({ role: 'member', key: 'T' })
    expect(byParent.read(cellsOf({}), '')).toEqual(alone)
  })

  test('has keys that are SKUs where it names parents', () => {
    expect([byGroup.keyIsSku('T'), byParent.keyIsSku('T')]).toEqual([false, true])
  })
})

describe("a row of Yandex's or Heureka's feed", () => {
  const said = (pairs: object) => ({ group_id: ' G ', param: JSON.stringify(pairs) })

  test('is told from its siblings by what buyers choose, else by all that it says', () => {
    expect(read('yandex', said({ Цвет: 'красный', Вес: '1 кг' }))).toEqual({
      role: 'member',
      key: 'G',
      options: { Цвет: 'красный' },
    })
    expect(read('yandex', said({ Объём: '1 л', Вкус: ['a', 'b'], Вес: ' ' }))).toEqual({
      role: 'member',
      key: 'G',
      options: { Объём: '1 л' },
    })
    expect(read('heureka', { ITEMGROUP_ID: 'G', PARAM: '{"Velikost":"M"}' })).toMatchObject({
      options: { Velikost: 'M' },
    })
  })

  test('without a group belongs to no family, and broken pairs are no options', () => {
    expect(read('yandex', { param: '{"Цвет":"красный"}' })).toEqual(alone)
    expect(read('yandex', { group_id: 'G', param: '{' })).toEqual({ role: 'member', key: 'G', options: {} })
  })
})
