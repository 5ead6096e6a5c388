import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from '../../../schemas/product.ts'
import { sampleOf } from '../../../transforms/silver/column-values.ts'
import { mapHeader } from '../../../transforms/silver/mapping.ts'

const gtins = ['4006381333931', '9780306406157', '036282818705', '5901234123457', '4012345678901', '8710398526342']
const skus = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']
const pages = skus.map((sku) => `https://shop.example.test/p/${sku}`)
const pictures = skus.map((sku) => `https://cdn.example.test/${sku}.jpg?w=800`)
const blank = skus.map(() => '')

type Columns = Readonly<Record<string, readonly string[]>>

const mapped = (columns: Columns) =>
  mapHeader(Object.keys(columns), sampleOf(skus.length, new Map(Object.entries(columns)))).mapping
const targets = (columns: Columns) =>
  Object.fromEntries(Object.entries(mapped(columns)).map(([column, { field }]) => [column, field]))

describe('a column of valid check digits', () => {
  test('is a GTIN whatever its name, and says how many of its values are', () => {
    for (const name of ['Nummer XY', 'custom_7', 'Modellnummer', 'code', 'コード番号']) {
      expect(targets({ Name: skus, [name]: gtins })).toMatchObject({ [name]: 'gtin' })
    }
    expect(mapped({ Name: skus, 'Nummer XY': gtins })['Nummer XY']?.reason).toBe(
      '6 of 6 values of "Nummer XY" are valid GTINs',
    )
  })

  test('is no GTIN where a column that is named so has them, or where it is the SKU by its name', () => {
    expect(targets({ EAN: gtins, other: gtins })).toEqual({ EAN: 'gtin' })
    expect(targets({ SKU: gtins, Name: skus })).toEqual({ SKU: 'sku', Name: 'title' })
  })

  test('needs more than a few rows, and more than one value', () => {
    expect(targets({ Name: skus, x: gtins.slice(0, 2) })).toEqual({ Name: 'title' })
    expect(targets({ Name: skus, x: skus.map(() => '4006381333931') })).toEqual({ Name: 'title' })
    expect(targets({ Name: skus, x: [...gtins.slice(0, 5), '4006381333932'] })).toEqual({ Name: 'title' })
  })
})

describe('of several columns that are named for one field', () => {
  test('the one whose values fit gives it, and says why', () => {
    const columns = { sku: skus, EAN: skus, Barcode: gtins }
    expect(targets(columns)).toEqual({ sku: 'sku', Barcode: 'gtin' })
    expect(mapped(columns).Barcode?.reason).toBe(
      '"Barcode" is a known name for gtin, and "EAN" has none, or few: 0 of its 6 values can be one',
    )
    expect(
      targets({ sku: skus, Price: ['A', 'B', 'A', 'C', 'A', 'B'], 'Retail price': ['1,50', '2', '', '3', '4', '5'] }),
    ).toEqual({ sku: 'sku', 'Retail price': 'price' })
  })

  test('one that is blank yields to one that is not', () => {
    const columns = { 'Reference #': skus, 'Name *': skus, 'Active (0/1)': skus, EAN13: blank, UPC: gtins }
    expect(targets(columns)).toMatchObject({ UPC: 'gtin' })
    expect(mapped(columns).UPC?.reason).toBe('prestashop names gtin so, and "EAN13" is blank in the first 6 rows')
  })

  test('the better name gives it where both fit, or both are blank', () => {
    expect(targets({ EAN: gtins, Barcode: gtins })).toEqual({ EAN: 'gtin' })
    expect(targets({ sku: skus, EAN: blank, Barcode: blank })).toEqual({ sku: 'sku', EAN: 'gtin' })
  })
})

describe('a column', () => {
  test('whose values do not bear its name out keeps its field where nothing else gives it, and says so', () => {
    expect(mapped({ sku: skus, EAN: skus }).EAN).toEqual({
      field: 'gtin',
      reason: '"EAN" is a known name for gtin, though 0 of its 6 values can be one',
    })
  })

  test('of pictures is no link, whatever its name', () => {
    expect(targets({ sku: skus, Link: pictures })).toEqual({ sku: 'sku', Link: 'images' })
    expect(targets({ sku: skus, Link: pictures, Photo: pictures })).toEqual({ sku: 'sku', Photo: 'images' })
    expect(targets({ sku: skus, Link: pages, Foto_XL: pictures, Logo: pictures })).toEqual({
      sku: 'sku',
      Link: 'link',
      Foto_XL: 'images',
    })
  })

  test('whose name means two things is what its values say', () => {
    expect(targets({ Indeks: skus, Stan: ['12', '0', '3', '4', '5', '6'] })).toMatchObject({ Stan: 'quantity' })
    expect(targets({ Indeks: skus, Stan: ['nowy', 'używany', 'nowy', 'nowy', 'nowy', 'nowy'] })).toMatchObject({
      Stan: 'condition',
    })
  })

  test('of texts is no column of attributes, which are JSON', () => {
    expect(targets({ sku: skus, Attribute: skus })).toEqual({ sku: 'sku' })
    expect(targets({ sku: skus, Attribute: skus.map(() => '{"a":"b"}') })).toMatchObject({ Attribute: 'attributes' })
  })

  test('that the table of a platform leaves raw stays so', () => {
    const odoo = {
      'Internal Reference': skus,
      'Sales Price': ['1', '2', '3', '4', '5', '6'],
      Routes: skus,
      Cost: gtins,
    }
    expect(targets(odoo)).not.toHaveProperty('Cost')
  })
})

test('values never change what a header alone says where every column is filled with what fits', () => {
  const good: Partial<Record<Field, readonly string[]>> = { gtin: gtins, link: pages, images: pictures }
  fc.assert(
    fc.property(fc.subarray(['sku', 'EAN', 'Title', 'Link', 'Bilder', 'Farbe', 'Name', 'Barcode']), (header) => {
      const named = mapHeader(header).mapping
      const columns = Object.fromEntries(header.map((name) => [name, good[named[name]?.field ?? 'sku'] ?? skus]))
      expect(targets(columns)).toEqual(
        Object.fromEntries(Object.entries(named).map(([name, { field }]) => [name, field])),
      )
    }),
  )
})
