import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import type { Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import { type File, filled as fill, table } from './filled.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const filled = (...files: File[]) => fill(assay, ...files)

describe.concurrent('KF-09: one article, three barcode lengths', () => {
  const gtins = ['012345678905', '0012345678905', '00012345678905']

  test('from three sources is one product, and the newest form stands as it was given', async () => {
    const { results, products } = await filled(
      [table('sku,gtin,title', `G-1,${gtins[0]},Mug`), 'a'],
      [table('gtin,price', `${gtins[1]},9.50`), 'b'],
      [table('gtin,brand', `${gtins[2]},Lumo`), 'c'],
    )
    expect(products).toMatchObject([{ sku: 'G-1', title: 'Mug', price: 9.5, brand: 'Lumo', gtin: gtins[2] }])
    expect(results).toMatchObject([{ created: 1 }, { updated: 1 }, { updated: 1 }])
  })

  test('on three SKUs of one file stays three products, each with the form that it was given', async () => {
    const rows = gtins.map((gtin, i) => `G-${i},${gtin},Mug`)
    const { products } = await filled(table('sku,gtin,title', ...rows))
    expect(products.map(({ gtin }) => gtin)).toEqual(gtins)
  })

  test('on three rows without a SKU is one product and two rows that say so', async () => {
    const { results, products } = await filled(table('gtin,title', ...gtins.map((gtin) => `${gtin},Mug`)))
    expect(products).toHaveLength(1)
    expect(results[0]).toMatchObject({ read: 3, created: 1, rejected: 2 })
  })
})

describe.concurrent('KF-10: a check digit of zero, and all zeros', () => {
  const right = ['9520000000080', '012000000010', '90123450']
  const rows = [...right, '0000000000000', '9520000000012'].map((gtin, i) => `Z-${i},${gtin},Mug ${i}`)

  test('zero is a right check digit; all zeros and a wrong digit are no GTIN', async () => {
    const { results, products } = await filled(table('sku,gtin,title', ...rows))
    expect(products.map(({ gtin }) => gtin)).toEqual([...right, null, null])
    expect(results[0]?.warnings).toEqual({ gtin_placeholder: 1, gtin_bad_check_digit: 1 })
  })

  test.each(['0000000000000', '00000000', '000000000000', '00000000000000'])(
    '%s never makes one product of two, in one file or from two sources',
    async (zeros) => {
      const { results, products } = await filled(
        [table('gtin,title', `${zeros},Mug`, `${zeros},Jug`), 'a'],
        [table('gtin,title,brand', `${zeros},Bowl,Lumo`), 'b'],
      )
      expect(products.map(({ title }) => title)).toEqual(['Bowl', 'Jug', 'Mug'])
      expect(results).toMatchObject([
        { created: 2, rejected: 0 },
        { created: 1, rejected: 0 },
      ])
    },
  )
})

describe.concurrent('KF-11: space around a SKU', () => {
  const file = table('sku,title', 'AB-9,Mug', ' AB-9,Mug', 'AB-9 ,Mug', 'AB-9\u00a0,Mug')

  test('makes no twin, neither in the file nor when it comes again', async () => {
    const { results, products } = await filled(file, file)
    expect(products).toMatchObject([{ sku: 'AB-9' }])
    expect(results).toMatchObject([
      { read: 4, created: 1, duplicate: 3, rejected: 0 },
      { read: 4, created: 0, updated: 0, unchanged: 1, duplicate: 3, rejected: 0 },
    ])
  })

  test.each([
    ['a tab', '\tAB-9'],
    ['an ideographic space', '\u3000AB-9'],
    ['a line break', '"AB-9\n"'],
    ['a narrow space', 'AB-9\u202f'],
  ])('is space where it is %s', async (_, sku) => {
    const { results, products } = await filled(table('sku,title', 'AB-9,Mug', `${sku},Mug`))
    expect(products).toMatchObject([{ sku: 'AB-9' }])
    expect(results[0]).toMatchObject({ created: 1, duplicate: 1 })
  })

  test.each([
    ['a space without width', 'AB-9\u200b'],
    ['a soft hyphen', 'AB\u00ad-9'],
    ['a control character', 'AB-9\b'],
    ['U+0000', 'AB\0-9'],
  ])('and %s in it, which nobody sees, makes no twin either', async (_, sku) => {
    const { results, products } = await filled(table('sku,title', 'AB-9,Mug', `${sku},Mug`))
    expect(products).toMatchObject([{ sku: 'AB-9' }])
    expect(results[0]).toMatchObject({ read: 2, created: 1 })
  })

  test('two Unicode forms of a SKU are one product', async () => {
    const { products } = await filled(table('sku,title', 'GRÖ-1,Mug'), table('sku,title', 'GRO\u0308-1,Mug'))
    expect(products.map(({ sku }) => sku)).toEqual(['GRÖ-1'])
  })

  test('two SKUs that differ only by case are two products, and reported', async () => {
    const { results, products } = await filled(table('sku,title', 'ab-9,Mug', 'AB-9,Jug'))
    expect(products.map(({ sku }) => sku).sort()).toEqual(['AB-9', 'ab-9'])
    expect(results[0]).toMatchObject({ created: 2, rejected: 0, warnings: { sku_case: 2 } })
    const notes = await assay.rows(results[0]?.importId ?? '')
    expect(notes.map(({ row, raw }) => [row, raw])).toEqual([
      [1, 'ab-9'],
      [2, 'AB-9'],
    ])
  })
})

describe.concurrent('KF-12: a second import of a family', () => {
  const shapes = {
    'a parent column': (price: string) =>
      table('sku,Parent SKU,title,price,size', 'T-1,,Shirt,,', 'T-1-S,T-1,,10,S', `T-1-M,T-1,,${price},M`),
    'WooCommerce columns': (price: string) =>
      table(
        'ID,Type,SKU,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
        '1,variable,T-1,Shirt,,,Size,"S, M"',
        '2,variation,T-1-S,Shirt S,10,T-1,Size,S',
        `3,variation,T-1-M,Shirt M,${price},T-1,Size,M`,
      ),
  }
  describe.each(Object.entries(shapes))('by %s', (_, file) => {
    test('with one changed price: created 0, updated 1, unchanged 2', async () => {
      const { results, products } = await filled(file('10'), file('12'))
      expect(results[1]).toMatchObject({ read: 3, created: 0, updated: 1, unchanged: 2 })
      expect(products).toMatchObject([
        { sku: 'T-1', kind: 'parent', title: 'Shirt' },
        { sku: 'T-1-M', kind: 'variant', familyId: products[0]?.id, price: 12, size: 'M', options: expect.anything() },
        { sku: 'T-1-S', kind: 'variant', familyId: products[0]?.id, price: 10, size: 'S', itemGroupId: 'T-1' },
      ])
    })

    test('with its rows in another order changes nothing', async () => {
      const [head = '', ...rows] = file('10').trimEnd().split('\n')
      const { results } = await filled(file('10'), table(head, ...rows.toReversed()))
      expect(results[1]).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    })
  })

  const turned = (file: string) =>
    file
      .split('\n')
      .map((line) => line.split(',').toReversed().join())
      .join('\n')

  test.each([
    ['with SKUs', shapes['a parent column']('10')],
    ['without any identifier', table('title,colour,price', 'Mug,red,9', 'Mug,blue,9')],
  ])('%s, its columns in another order, has the same source identifiers', async (_, file) => {
    const ids = (products: readonly ProductResource[]) => products.map((one) => one.sourceIdentifier).sort()
    const { catalog, products } = await filled(file)
    expect((await assay.ingest(catalog, turned(file))).result).toMatchObject({ created: 0, updated: 0 })
    expect(ids(await assay.products(catalog))).toEqual(ids(products))
  })
})
