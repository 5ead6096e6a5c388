import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { contentKey } from '../../../transforms/bronze/content.ts'

const product: RefinedProduct = {
  sku: 'L-1',
  sourceId: null,
  gtin: null,
  mpn: null,
  brand: null,
  title: 'Lamp',
  description: null,
  link: null,
  price: '9.99',
  salePrice: null,
  originalPrice: null,
  currency: 'EUR',
  salePriceEffectiveDate: null,
  unitPricingMeasure: null,
  unitPricingBaseMeasure: null,
  availability: 'in_stock',
  availabilityDate: null,
  quantity: 0,
  expirationDate: null,
  condition: null,
  categoryPath: [],
  googleProductCategory: null,
  images: ['https://cdn.example.test/a.jpg', 'https://cdn.example.test/b.jpg'],
  itemGroupId: null,
  options: { Size: 'M', Color: 'red' },
  color: null,
  size: null,
  material: null,
  pattern: null,
  gender: null,
  ageGroup: null,
  weight: null,
  length: null,
  width: null,
  height: null,
  seoTitle: null,
  seoDescription: null,
  tags: [],
  attributes: { a: { y: 1, x: [1, { d: 2, c: 3 }] }, b: 'z' },
  defaulted: [],
}
const key = (changes: Partial<RefinedProduct> = {}) => contentKey({ ...product, ...changes }, 'single', null)

describe('the content of a product', () => {
  test('is the same whatever the order in which its fields, options and attributes were set', () => {
    const turned = Object.fromEntries(Object.entries(product).reverse()) as unknown as RefinedProduct
    const options = { Color: 'red', Size: 'M' }
    const attributes = { b: 'z', a: { x: [1, { c: 3, d: 2 }], y: 1 } }
    expect(contentKey({ ...turned, options, attributes }, 'single', null)).toBe(key())
  })

  test('is the same with an empty value as with none, so that a field learned later changes no product', () => {
    expect(key({ description: '', tags: [], attributes: product.attributes })).toBe(key())
    expect(key()).not.toContain('description')
  })

  test.each<[string, Partial<RefinedProduct>]>([
    ['a price', { price: '9.98' }],
    ['a quantity of nought that is no longer known', { quantity: null }],
    ['the order of images', { images: product.images.toReversed() }],
    ['an option', { options: { Size: 'L', Color: 'red' } }],
    ['an attribute deep inside', { attributes: { a: { y: 1, x: [1, { d: 2, c: 4 }] }, b: 'z' } }],
    ['a value that moves to another field', { title: null, seoTitle: 'Lamp' }],
    ['the date from which it ships', { availabilityDate: '2026-12-01' }],
    ['a value that becomes a default', { defaulted: ['condition'] }],
  ])('changes with %s', (_, changes) => {
    expect(key(changes)).not.toBe(key())
  })

  test('changes with kind and family', () => {
    expect(contentKey(product, 'variant', 'F')).not.toBe(key())
    expect(contentKey(product, 'variant', 'F')).not.toBe(contentKey(product, 'variant', 'G'))
  })

  test('of two products is the same only where all values are, whatever characters they have', () => {
    const text = fc.oneof(
      fc.constantFrom('a', '","', '"', '\u0000', '\ud800', ''),
      fc.string({ unit: 'binary', maxLength: 3 }),
    )
    const values = fc.record({ title: text, brand: text, description: text })
    fc.assert(
      fc.property(values, values, (a, b) => {
        const same = a.title === b.title && a.brand === b.brand && a.description === b.description
        expect(key(a) === key(b)).toBe(same)
      }),
    )
  })
})
