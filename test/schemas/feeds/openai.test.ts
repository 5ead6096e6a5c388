import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openaiPlatform } from '../../../schemas/feeds/openai.ts'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { anyProduct } from './arbitrary-product.ts'
import { bare, feedOf, judgedAt } from './complete-product.ts'

const problems = (change: Partial<RefinedProduct>, group: string | null = null) =>
  problemsOf(openaiPlatform, feedOf(change, group))

describe('what OpenAI refuses', () => {
  test('a price in a currency that is withdrawn', () => {
    expect(problems({ currency: 'HRK' })).toMatchObject([
      { field: 'price', reason: expect.stringContaining('Nobody pays in HRK any more') },
    ])
  })

  test('a complete product is taken, and so is a variant that says what sets it apart', () => {
    expect(problems({})).toEqual([])
    expect(problems({ sku: 'T-1-S', options: { Size: 'S' } }, 'T-1')).toEqual([])
  })

  test('a product that says nothing is told every required field, in sentences', () => {
    const found = problemsOf(openaiPlatform, { id: '', itemGroupId: null, product: bare, at: judgedAt })
    expect(found.map(({ field }) => field)).toEqual([
      'item_id',
      'title',
      'description',
      'url',
      'brand',
      'image_url',
      'price',
      'price',
    ])
    for (const { reason } of found) expect(reason).toMatch(/^The .+; (send|give) .+/)
  })

  test.each<[string, Partial<RefinedProduct>, string]>([
    ['item_id', { sku: 'x'.repeat(101) }, 'The id has 101 characters; OpenAI takes at most 100'],
    ['brand', { brand: 'Unbranded' }, 'send the real one'],
    ['url', { link: 'shop.example.test' }, 'is no web address'],
    ['image_url', { images: ['https://cdn.example.test/a.gif'] }, 'The image is a .gif'],
    ['price', { price: '-1' }, 'is not above zero'],
    ['price', { price: '9.999' }, 'would be rounded'],
    ['sale_price', { salePrice: '0' }, 'lower it or leave it out'],
  ])('%s: %o', (field, change, reason) => {
    expect(problems(change)).toMatchObject([{ field, reason: expect.stringContaining(reason) }])
  })

  test('a variant that nothing sets apart, or whose id is that of its group', () => {
    const plain = { color: null, material: null, options: { '': 'x', Size: ' ' } }
    expect(problems(plain, 'T-1')).toMatchObject([{ field: 'variant_dict' }])
    expect(problems(plain)).toEqual([])
    expect(problems({ sku: 'T-1' }, 'T-1')).toMatchObject([{ field: 'item_id' }])
  })

  test.each<Partial<RefinedProduct>>([
    { availability: null },
    { availability: 'preorder' },
    { condition: null },
    { gtin: '9520000000081', mpn: null },
    { description: 'Oak.' },
  ])('%o is taken: unknown is a word that it knows, and the rest is optional', (change) => {
    expect(problems(change)).toEqual([])
  })

  test('an offer that has ended, and none that goes on however long', () => {
    expect(problems({ expirationDate: '2026-11-27' })).toMatchObject([{ field: 'expiration_date' }])
    expect(problems({ expirationDate: '2030-01-01' })).toEqual([])
  })

  test('nothing throws, whatever the product says', () => {
    fc.assert(
      fc.property(anyProduct, fc.option(fc.string()), (product, itemGroupId) => {
        for (const { reason } of problemsOf(openaiPlatform, {
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
