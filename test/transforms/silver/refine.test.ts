import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Field, fieldNames } from '../../../schemas/product.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { enough } from '../../enough.ts'
import { contextOf, plainSettings, said } from './said.ts'

const make = (
  cells: Parameters<typeof said>[0],
  settings: Partial<typeof plainSettings> = {},
  kind: Parameters<typeof refine>[1] = 'single',
) => refine(said(cells), kind, contextOf(), { ...plainSettings, ...settings })

describe('a product', () => {
  test('is read whole', () => {
    const { product, warnings } = make({
      sku: ' T-1-S ',
      source_id: '741',
      gtin: "'4006381333931",
      brand: 'Lumo',
      title: 'Pen\b Set 🚀\0 blue',
      description: '<p>One</p><p>Two</p>',
      link: 'https://shop.example.test/pen',
      price: '10.00',
      sale_price: '8',
      currency: 'EUR',
      availability: 'in stock',
      quantity: '4',
      condition: 'neu',
      category: 'Office > Pens',
      image: 'https://cdn.example.test/own.jpg',
      images: ['https://cdn.example.test/a.jpg', 'https://cdn.example.test/own.jpg'],
      options: '{"Farbe":"Blau","Größe":"S"}',
      size: 'Small',
      gender: 'Damen',
      weight: { column: 'Weight (kg)', value: '0,5' },
      dimensions: '14 x 1,5 x 2 cm',
      availability_date: '1. Dezember 2026',
      sale_price_start_date: '28.11.2026',
      sale_price_end_date: '24.12.2026',
      expiration_date: '2027-03-31',
      unit_pricing_measure: '6 Stück',
      unit_pricing_base_measure: 'Stück',
      tags: 'pen, office, pen',
      attributes: '{"refill":"D1"}',
    })
    expect(warnings).toEqual([])
    expect(product).toEqual({
      sku: 'T-1-S',
      sourceId: '741',
      gtin: '4006381333931',
      mpn: null,
      brand: 'Lumo',
      title: 'Pen Set 🚀 blue',
      description: 'One\n\nTwo',
      link: 'https://shop.example.test/pen',
      price: '10.00',
      salePrice: '8.00',
      originalPrice: null,
      currency: 'EUR',
      salePriceEffectiveDate: '2026-11-28/2026-12-24',
      unitPricingMeasure: '6 ct',
      unitPricingBaseMeasure: '1 ct',
      availability: 'in_stock',
      availabilityDate: '2026-12-01',
      quantity: 4,
      expirationDate: '2027-03-31',
      condition: 'new',
      categoryPath: ['Office', 'Pens'],
      googleProductCategory: null,
      images: ['https://cdn.example.test/own.jpg', 'https://cdn.example.test/a.jpg'],
      itemGroupId: null,
      options: { Farbe: 'Blau', Größe: 'S' },
      color: 'Blau',
      size: 'Small',
      material: null,
      pattern: null,
      gender: 'female',
      ageGroup: null,
      weight: '0.5 kg',
      length: '14 cm',
      width: '1.5 cm',
      height: '2 cm',
      seoTitle: null,
      seoDescription: null,
      tags: ['pen', 'office'],
      attributes: { refill: 'D1' },
      defaulted: [],
    })
  })

  test('of which nothing is said is null throughout, without warnings', () => {
    const { product, warnings } = make({})
    expect(warnings).toEqual([])
    expect(Object.values(product).every((value) => value === null || Object.keys(value).length === 0)).toBe(true)
  })

  test('whose parts cannot be read says so, field by field, and keeps the rest', () => {
    const { product, warnings } = make({
      title: 'Mug',
      price: { column: 'Preis', value: '1,299' },
      gtin: '9520000000012',
      images: ['https://cdn.example.test/a.jpg', 'htp:/broken'],
      attributes: '{"a"=>1}',
      options: 'Size S',
      length: '5 furlongs',
      expiration_date: '03/04/2026',
    })
    expect(product).toMatchObject({ title: 'Mug', price: null, gtin: null, images: ['https://cdn.example.test/a.jpg'] })
    expect(warnings.map(({ code, field, column, raw }) => [code, field, column, raw]).sort()).toEqual([
      ['ambiguous_date', 'expiration_date', 'expiration_date', '03/04/2026'],
      ['ambiguous_number', 'price', 'Preis', '1,299'],
      ['attributes_unreadable', 'attributes', 'attributes', '{"a"=>1}'],
      ['gtin_bad_check_digit', 'gtin', 'gtin', '9520000000012'],
      ['image_invalid', 'images', 'images', 'htp:/broken'],
      ['options_unreadable', 'options', 'options', 'Size S'],
      ['unknown_unit', 'length', 'length', '5 furlongs'],
    ])
  })
})

describe('a missing value', () => {
  test('of the description is the short one; a title has no substitute', () => {
    expect(make({ short_description: 'Short', description: '<p></p>' }).product).toMatchObject({
      description: 'Short',
      title: null,
    })
  })

  test.each(['N/A', 'Does not apply', '-', 'none', 'Generic'])('is what the brand %j means', (brand) => {
    expect(make({ brand }).product.brand).toBeNull()
  })

  test('is what a failed formula means, and it is reported', () => {
    const { product, warnings } = make({ description: '#REF!' })
    expect(product.description).toBeNull()
    expect(warnings).toMatchObject([{ code: 'spreadsheet_error', field: 'description' }])
  })

  test('of link and condition is filled by the workspace and marked', () => {
    const settings = { linkTemplate: 'https://shop.example.test/p/{handle}?sku={sku}', condition: 'new' } as const
    expect(make({ sku: 'A 1', item_group_id: 'mug' }, settings).product).toMatchObject({
      link: 'https://shop.example.test/p/mug?sku=A%201',
      condition: 'new',
      defaulted: ['link', 'condition'],
    })
    expect(make({ sku: 'A1' }, settings).product).toMatchObject({ link: null, defaulted: ['condition'] })
  })

  test('is not what an unreadable one means: nothing is filled over it', () => {
    const settings = { linkTemplate: 'https://shop.example.test/{sku}', condition: 'new' } as const
    const { product } = make({ sku: 'A1', link: '/mug', condition: 'almost new' }, settings)
    expect(product).toMatchObject({ link: null, condition: null, defaulted: [] })
  })
})

describe('a text that a wrong encoding spoiled', () => {
  test('is taken back wherever people read it, and every cell of it is told', () => {
    const { product, warnings } = make({
      title: 'MÃ¼llerin',
      brand: 'TallÃ¥sen',
      category: ['KÃ¼che', 'GlÃ¤ser'],
      tags: ['schÃ¶n', 'neu'],
      options: '{"GrÃ¶ÃŸe":"S"}',
    })
    expect(product).toMatchObject({
      title: 'Müllerin',
      brand: 'Tallåsen',
      categoryPath: ['Küche', 'Gläser'],
      tags: ['schön', 'neu'],
      options: { Größe: 'S' },
      size: 'S',
    })
    expect(warnings.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'mojibake_repaired options',
      'mojibake_repaired category',
      'mojibake_repaired category',
      'mojibake_repaired brand',
      'mojibake_repaired title',
      'mojibake_repaired tags',
    ])
    expect(warnings.at(-2)).toMatchObject({ raw: 'MÃ¼llerin', says: expect.stringContaining('"Müllerin"') })
  })

  test('is left in identifiers and addresses, which lead where they are written', () => {
    const { product, warnings } = make({ sku: 'GrÃ¶ÃŸe', link: 'https://shop.example.test/GrÃ¶ÃŸe' })
    expect(product.sku).toBe('GrÃ¶ÃŸe')
    expect(product.link).toBe('https://shop.example.test/Gr%C3%83%C2%B6%C3%83%C5%B8e')
    expect(warnings).toEqual([])
  })
})

test('a shouted title is kept as it is, and only gold holds it against the product', () => {
  const { product, warnings } = make({ title: 'SUPER SALE OAK STOOL NOW' })
  expect([product.title, warnings]).toEqual(['SUPER SALE OAK STOOL NOW', []])
})

test('options give color and size in any language, and a parent has none', () => {
  for (const options of ['{"Colour":"Red","Size":"M"}', '{"Cor":"Red","Tamanho":"M"}', '{"couleur":"Red","Größe":"M"}'])
    expect(make({ options }, {}, 'variant').product).toMatchObject({ color: 'Red', size: 'M' })
  expect(make({ options: '{"Title":"Default Title"}' }).product.options).toEqual({})
  expect(make({ options: '{"Color":"Red"}' }, {}, 'parent').product).toMatchObject({ options: {}, color: null })
})

test('refining never throws and never keeps what no database takes, whatever the cells hold', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'<>&;#{}[]":,.|/-0123456789eE €$%\ud800\0a') }),
    fc.constantFrom(
      '{"__proto__":{"a":1}}',
      '["a > b", 1]',
      'https://a/%',
      'https://\ud800',
      '{"a":"\\ud800"}',
      '{"a\\u0000b":["\\u0000"]}',
      '1e999',
      '#REF!',
    ),
  )
  const cells = fc.dictionary(fc.constantFrom<Field>(...fieldNames), fc.oneof(text, fc.array(text)))
  const settings = fc.record({
    decimal: fc.constantFrom(null, '.' as const, ',' as const),
    linkTemplate: fc.constantFrom(null, '{sku}{id}'),
  })
  fc.assert(
    fc.property(cells, settings, (given, some) => {
      const { product, warnings } = make(given as Parameters<typeof said>[0], some, 'variant')
      JSON.stringify(product, (name, value) => {
        for (const text of [name, value]) if (typeof text === 'string') expect(text).not.toMatch(/\0|\p{Cs}/u)
        return value
      })
      for (const warning of warnings) expect(warning.says).toMatch(/\S/)
    }),
    { numRuns: enough(300, 1000) },
  )
})

test.each([
  [{ weight: '2' }, 'weight'],
  [{ height: '30,5' }, 'height'],
  [{ dimensions: '12 x 30 x 5' }, 'dimensions'],
  [{ unit_pricing_measure: '750' }, 'unit_pricing_measure'],
] as const)('a measure without a unit is kept as it is and told: %j', (cells, field) => {
  expect(make(cells).warnings).toMatchObject([{ code: 'unit_missing', field }])
})

test.each([
  [{ weight: '0' }],
  [{ weight: '2', weight_unit: 'kg' }],
  [{ weight: { column: 'Weight (kg)', value: '2' } }],
  [{ dimensions: '12 x 30 x 5 cm' }],
] as const)('a measure that has its unit, or is none, needs no warning: %j', (cells) => {
  expect(make(cells).warnings).toEqual([])
})

test.each(['title', 'description', 'brand', 'color', 'tags'] as const)('a %s that lost letters is told', (field) => {
  const { warnings } = make({ [field]: 'Caf\ufffd au lait' })
  expect(warnings).toMatchObject([{ code: 'letters_lost', field, raw: 'Caf\ufffd au lait' }])
})

test.each(['sku', 'source_id', 'item_group_id'] as const)(
  'a %s with an entity is kept as identity took it, and told',
  (field) => {
    for (const raw of ['A&amp;B', 'A&amp;amp;B', 'O&#039;N']) {
      const { product, warnings } = make({ [field]: raw })
      expect([product.sku, product.sourceId, product.itemGroupId]).toContain(raw)
      expect(warnings).toMatchObject([{ code: 'escaped_identifier', field }])
    }
    for (const raw of ['A&B', 'A&B;1']) expect(make({ [field]: raw }).warnings).toEqual([])
  },
)
