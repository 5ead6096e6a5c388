import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metaProfile } from '../../../schemas/feeds/meta.ts'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { anyProduct } from './arbitrary-product.ts'
import { bare, feedOf, judgedAt } from './complete-product.ts'

const problems = (change: Partial<RefinedProduct>, group: string | null = null) =>
  problemsOf(metaProfile, feedOf(change, group))

describe('what Meta refuses', () => {
  test('a complete product is taken, and so is a variant of a group', () => {
    expect(problems({})).toEqual([])
    expect(problems({ sku: 'T-1-S' }, 'T-1')).toEqual([])
  })

  test('a product that says nothing is told every required attribute, in sentences', () => {
    const found = problemsOf(metaProfile, { id: '', itemGroupId: null, product: bare, at: judgedAt })
    expect(found.map(({ field }) => field)).toEqual([
      'id',
      'title',
      'description',
      'availability',
      'condition',
      'price',
      'price',
      'link',
      'image_link',
      'brand',
    ])
    for (const { reason } of found) expect(reason).toMatch(/^The .+; (send|give) .+/)
  })

  test.each<[string, Partial<RefinedProduct>, string]>([
    ['id', { sku: 'x'.repeat(101) }, 'The id has 101 characters; Meta takes at most 100'],
    ['description', { description: `${'a'.repeat(29)}  ` }, 'The description has 29 characters; send 30 to 9999'],
    ['description', { title: 'Oak '.repeat(9), description: 'OAK '.repeat(9) }, 'The description repeats the title'],
    ['description', { description: 'A STURDY STOOL OF OILED OAK. '.repeat(9) }, 'is in capitals; send it in sentences'],
    ['description', { description: `${'Oak '.repeat(9)} https://other.example.test/now` }, 'holds a web address'],
    ['description', { description: `${'Oak '.repeat(9)} at www.example.test` }, 'holds a web address'],
    ['price', { currency: 'DEM' }, 'Nobody pays in DEM any more'],
    ['condition', { condition: null }, 'send new, refurbished or used'],
    ['price', { price: '0.00' }, 'is not above zero'],
    ['price', { currency: null }, 'has no currency'],
    ['price', { price: '1500.5', currency: 'JPY' }, 'JPY has no decimals'],
    ['link', { link: 'ftp://shop.example.test/p' }, 'is no web address'],
    ['image_link', { images: ['htp:/broken'] }, 'is no web address'],
    ['image_link', { images: ['https://cdn.example.test/a.webp?v=2'] }, 'The image is a .webp; send a JPEG or PNG'],
    ['image_link', { images: ['https://cdn.example.test/a.TIFF'] }, 'The image is a .tiff'],
    ['brand', { brand: 'n/a' }, 'The brand is missing'],
    ['brand', { brand: 'é'.repeat(101) }, 'Meta takes at most 100'],
    ['sale_price', { salePrice: '79.00' }, 'lower it or leave it out'],
  ])('%s: %o', (field, change, reason) => {
    expect(problems(change)).toMatchObject([{ field, reason: expect.stringContaining(reason) }])
  })

  test('an id that is the item group’s as well', () => {
    expect(problems({ sku: 'T-1' }, 'T-1')).toMatchObject([{ field: 'id' }])
    expect(problems({}, 'g'.repeat(101))).toMatchObject([{ field: 'item_group_id' }])
  })

  test.each<Partial<RefinedProduct>>([
    { title: 'Oak '.repeat(100), description: 'Oak '.repeat(3000) },
    { description: '🚀'.repeat(30) },
    { description: 'USB HDMI 電動自転車、前かご付き、軽量で通勤と通学に使いやすい自転車です。' },
    { title: 'Oak stool', description: 'Oak stool of oiled oak, for kitchen and bar: 70 cm high.' },
    { gtin: null, mpn: 'é'.repeat(200), gender: 'herren' },
    { availability: 'preorder' },
    { images: ['https://cdn.example.test/image?id=7'] },
    { images: ['https://cdn.example.test/webp/7.jpg'] },
  ])(
    '%o is taken: long texts are cut, what is optional is left out, a name without an ending may be anything',
    (change) => {
      expect(problems(change)).toEqual([])
    },
  )

  test('an offer that has ended, and none that goes on however long', () => {
    expect(problems({ expirationDate: '2026-11-27' })).toMatchObject([{ field: 'expiration_date' }])
    expect(problems({ expirationDate: '2030-01-01' })).toEqual([])
  })

  test('nothing throws, whatever the product says', () => {
    fc.assert(
      fc.property(anyProduct, fc.option(fc.string()), (product, itemGroupId) => {
        for (const { reason } of problemsOf(metaProfile, {
          id: product.sku ?? 'id',
          itemGroupId,
          product,
          at: judgedAt,
        }))
          expect(reason).not.toBe('')
      }),
    )
  })
})
