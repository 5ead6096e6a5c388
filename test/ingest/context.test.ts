import { describe, expect, test } from 'vitest'
import { groupColumn } from '../../ingest/candidate.ts'
import { openReading } from '../../ingest/context.ts'
import { type Field, fields } from '../../schemas/product.ts'

const source = 'file:a'
const open = (
  header: readonly string[],
  given: Readonly<Record<string, Field>> = {},
  set: Readonly<Record<string, Field>> = {},
) => openReading(header, source, { mappings: { [source]: set } }, given)
const targets = (...args: Parameters<typeof open>) =>
  Object.fromEntries(Object.entries(open(...args).mapping).map(([column, { field }]) => [column, field]))
const refusal = (code: string) => expect.objectContaining({ code })

describe('the mapping of a file', () => {
  test('is what the header suggests, then what the workspace set for this source, then what the caller gives', () => {
    const header = ['sku', 'name', 'label', 'price']
    expect(targets(header)).toMatchObject({ sku: 'sku', name: 'title', price: 'price' })
    expect(targets(header, {}, { label: 'title' })).toEqual({ sku: 'sku', label: 'title', price: 'price' })
    expect(targets(header, { name: 'title' }, { label: 'title' })).toMatchObject({ name: 'title' })
    expect(targets(header, { name: 'title' }, { label: 'title' })).not.toHaveProperty('label')
  })

  test('tells why each column has its field', () => {
    const { mapping } = open(['sku', 'label'], { label: 'title' })
    expect(mapping.label).toEqual({ field: 'title', reason: 'given by the caller' })
    expect(mapping.sku?.reason).not.toBe('')
  })

  test('has no scalar field twice, and refuses a caller who wants that (KF-05)', () => {
    const mapped = Object.values(targets(['sku', 'title', 'name', 'product name', 'price', 'retail price']))
    const scalars = mapped.filter((field) => fields[field] === 'scalar')
    expect(new Set(scalars).size).toBe(scalars.length)
    expect(() => open(['sku', 'a', 'b'], { a: 'title', b: 'title' })).toThrow(refusal('mapping_conflict'))
    expect(targets(['sku', 'a', 'b'], { a: 'images', b: 'images' })).toMatchObject({ a: 'images', b: 'images' })
  })

  test('lets a second column of the same meaning fill the blanks of the first, and says so', () => {
    const { mapping, fills, notes } = open(['sku', 'EAN', 'UPC', 'Brand', 'Manufacturer', 'title'])
    expect(fills).toEqual({ UPC: 'gtin', Manufacturer: 'brand' })
    expect(mapping.EAN?.reason).toMatch(/; where it is blank, "UPC" fills it$/)
    expect(mapping).not.toHaveProperty('UPC')
    expect(notes).toContain('"UPC" gives gtin only where "EAN" is blank')
  })

  test.each([
    [['sku', 'title.en', 'title.de']],
    [['sku', 'title', 'price', 'retail price']],
    [['sku', 'Product code', 'title']],
  ])('fills no text, amount or identifier of a row: %j', (header) => {
    expect(open(header)).not.toHaveProperty('fills')
  })

  test('fills a regular price that is blank, as of variable products, with what is asked now, by its number format', () => {
    const reading = open(['sku', 'name', 'price', 'regular_price', 'sale_price'])
    expect(reading.mapping).toMatchObject({ regular_price: { field: 'price' }, sale_price: { field: 'sale_price' } })
    expect(reading.fills).toEqual({ price: 'price' })
    reading.see(['1', 'Mug', '12,50', '', ''])
    expect(reading.evidence().numbers.price).toMatchObject({ decimal: ',' })
  })

  test('lets nothing fill a field whose column somebody gave', () => {
    expect(open(['sku', 'EAN', 'UPC', 'title'], { UPC: 'gtin' })).not.toHaveProperty('fills')
  })

  test('takes several columns as levels of a category where somebody chose them, and else one (KF-05)', () => {
    const header = ['sku', 'category', 'department', 'a', 'b']
    expect(targets(header)).toEqual({ sku: 'sku', category: 'category' })
    const both = { sku: 'sku', a: 'category', b: 'category' }
    expect(targets(header, { a: 'category', b: 'category' })).toEqual(both)
    expect(targets(header, {}, { a: 'category', b: 'category' })).toEqual(both)
    expect(targets(header, { b: 'category' }, { a: 'category' })).toEqual({ sku: 'sku', b: 'category' })
  })

  test('says which columns were not taken for the field that they mean, and what gives it', () => {
    const { notes } = open(['sku', 'title', 'name', 'product name', 'finish', 'price'])
    expect(notes).toEqual([
      '"name" was not taken for title: "title" gives it',
      '"product name" was not taken for title: "title" gives it',
    ])
    expect(open(['sku', 'title', 'name'], { name: 'mpn' }).notes).toEqual([])
    expect(open(['sku', 'title', 'label'], { label: 'title' }).notes).toEqual([
      '"title" was not taken for title: "label" gives it',
    ])
    expect(open(['sku', 'image', 'image url', 'title']).notes).toEqual([])
  })

  test('says so of a few columns only, however many there are', () => {
    const names = [
      'name',
      'product name',
      'product title',
      'item name',
      'item title',
      'product',
      'titel',
      'nom',
      'titre',
    ]
    const { notes } = open(['sku', 'title', ...names, 'nombre', 'nome', 'titolo'])
    expect(notes).toHaveLength(11)
    expect(notes.at(-1)).toBe('2 more columns were not taken for the same reason')
  })

  test('is kept also without what the workspace set, where that made a difference', () => {
    const header = ['sku', 'title', 'label', 'code']
    expect(open(header, { code: 'mpn' })).not.toHaveProperty('proposed')
    const { mapping, proposed = {} } = open(header, { code: 'mpn' }, { label: 'title' })
    expect(mapping.title).toBeUndefined()
    expect(Object.entries(proposed).map(([column, { field }]) => [column, field])).toEqual([
      ['sku', 'sku'],
      ['title', 'title'],
      ['code', 'mpn'],
    ])
  })

  test('refuses a column that the caller names and the file lacks; a setting for such a column waits for another file', () => {
    expect(() => open(['sku', 'title'], { label: 'title' })).toThrow(refusal('unknown_column'))
    expect(targets(['sku', 'title'], {}, { label: 'title' })).toEqual({ sku: 'sku', title: 'title' })
  })

  test('refuses a file in which no column says which product a row is', () => {
    expect(() => open(['date', 'amount', 'customer'])).toThrow(refusal('no_columns'))
    expect(targets(['date', 'amount', 'customer'], { customer: 'sku' })).toMatchObject({ customer: 'sku' })
  })
})

describe('the families of a file', () => {
  test.each([
    ['shopify', ['Handle', 'Title', 'Option1 Value', 'Variant Price']],
    ['woocommerce', ['ID', 'Type', 'SKU', 'Name', 'Parent']],
    ['magento', ['sku', 'product_type', 'name', 'configurable_variations']],
    ['vendure', ['name', 'slug', 'optionGroups', 'optionValues', 'sku']],
    ['heureka', ['ITEM_ID', 'PRODUCTNAME', 'PRICE_VAT', 'ITEMGROUP_ID', 'PARAM']],
    ['yandex', ['id', 'name', 'currencyId', 'group_id', 'param']],
    ['item group', ['sku', 'title', 'item_group_id']],
    ['parent column', ['sku', 'title', 'Parent SKU']],
  ])('go by the columns: %s', (platform, header) => {
    const reading = open(header)
    expect(reading.platform).toBe(platform)
    expect(reading.mapping[groupColumn]?.field).toBe('item_group_id')
    expect(Object.values(reading.mapping).filter(({ field }) => field === 'item_group_id')).toHaveLength(1)
  })

  test('are none where a file is flat, and where a parent is named but no SKU could be it', () => {
    expect(open(['sku', 'title']).rule).toBeNull()
    expect(open(['gtin', 'title', 'parent']).rule).toBeNull()
  })
})

describe('the evidence of a file', () => {
  test('is taken from every row of the columns with amounts and measures, and of no other', () => {
    const reading = open(['sku', 'price', 'sale_price', 'weight', 'stock'])
    reading.see(['A', '1.299', '', '1,5 kg', '1,5'])
    reading.see(['B', '1.299,50 EUR', '9.99 USD', '2,5', ''])
    reading.see(['C', ['7', '8'], '1,000.00 USD', '', ''])
    const { numbers, currencies } = reading.evidence()
    expect(numbers).toMatchObject({ price: { decimal: ',' }, sale_price: { decimal: '.' } })
    expect(Object.keys(numbers)).toEqual(['price', 'sale_price', 'weight'])
    expect(numbers.weight?.decimal).toBe(',')
    expect(Object.keys(currencies).every((column) => column in numbers)).toBe(true)
  })

  test('takes a point from numbers, told apart from the texts beside them, also of a weight', () => {
    const reading = open(['sku', 'price', 'weight', 'stock'])
    reading.see(['A', '12.345', '1.299', '5'], [1, 2])
    reading.see(['B', '12,50', '1,5', '7'])
    const { numbers } = reading.evidence()
    expect(numbers.price).toMatchObject({ decimal: '.', point: { by: 'numbers', texts: ',', lonePoints: false } })
    expect(numbers.weight).toMatchObject({ decimal: '.', point: { by: 'numbers' } })
    expect(Object.keys(numbers)).toEqual(['price', 'weight'])
  })

  test('is kept of numbers in columns that nothing is mapped to, since somebody may map them later', () => {
    const reading = open(['sku', 'price', 'recommended', '__proto__'])
    reading.see(['A', '1,50', '12.345', '1.5'], [2, 3])
    const { numbers } = reading.evidence()
    expect(numbers.price).toMatchObject({ decimal: ',' })
    expect(numbers.recommended).toMatchObject({ decimal: '.', point: { by: 'numbers' } })
    expect(Object.keys(numbers)).toEqual(['price', 'recommended', '__proto__'])
  })

  test('takes a point from the specification of a platform, and of the format of its file', () => {
    const google = open(['id', 'title', 'link', 'image_link', 'availability', 'price', 'cost'])
    google.see(['A', '', '', '', '', '12.345 KWD', ''])
    expect(google.evidence().numbers.price).toMatchObject({ decimal: '.', point: { by: 'format' } })
    const plain = openReading(['id', 'price'], source, { mappings: {} }, {}, { by: 'a feed', pointed: ['price'] })
    plain.see(['A', '12.345 KWD'])
    expect(plain.evidence().numbers.price).toMatchObject({
      decimal: '.',
      reason: expect.stringContaining('a feed'),
      point: { by: 'format' },
    })
  })

  test('tells the order of dates and the language of texts, column by column', () => {
    const reading = open(['sku', 'title', 'description', 'availability', 'Sale from', 'note'])
    reading.see([
      'A',
      'Hocker',
      'Ein Hocker für die Küche und die Bar, der mit Öl',
      'preorder 03/25/2027',
      '25/12/2026',
      '1/13/2026',
    ])
    reading.see(['B', 'Bank', 'Eine Bank für den Garten, die nicht aus Eiche ist', 'in stock', '03/04/2026', ''])
    const { dates, languages } = reading.evidence()
    expect(dates).toEqual({
      'Sale from': { order: 'day first', reason: expect.stringContaining('25/12/2026') },
      availability: { order: 'month first', reason: expect.stringContaining('03/25/2027') },
    })
    expect(languages).toEqual({
      description: { language: 'de', confidence: expect.any(Number), reason: expect.stringContaining('"für"') },
    })
  })

  test('of a file without any is none, and a lone separator stays in doubt', () => {
    const reading = open(['sku', 'price'])
    expect(reading.evidence()).toMatchObject({ numbers: { price: { decimal: null } }, currencies: {} })
    reading.see(['A', '1,299'])
    expect(reading.evidence().numbers.price?.decimal).toBeNull()
  })
})
