import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { diffProducts } from '../../../transforms/versions/diff.ts'

const product = (more: Partial<RefinedProduct>) => ({ title: 'Mug', price: '9.50', ...more }) as RefinedProduct
const some = fc
  .record({
    title: fc.option(fc.string()),
    price: fc.option(fc.constantFrom('9.50', '9.5', '12.00')),
    images: fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }),
    options: fc.dictionary(fc.constantFrom('size', 'colour'), fc.constantFrom('S', 'M')),
    attributes: fc.dictionary(fc.string(), fc.jsonValue()),
  })
  .map((fields) => fields as unknown as RefinedProduct)

describe('the difference of two states of a product', () => {
  test('names each field that differs, with both values', () => {
    const changes = diffProducts(product({ images: ['a'] }), product({ images: ['a', 'b'], price: '9.00' }))
    expect(changes).toEqual([
      { field: 'images', before: ['a'], after: ['a', 'b'] },
      { field: 'price', before: '9.50', after: '9.00' },
    ])
  })

  test('tells a list in another order, and not a record in another order', () => {
    const [before, after] = [
      { images: ['a', 'b'], options: { a: '1', b: '2' } },
      { images: ['b', 'a'], options: { b: '2', a: '1' } },
    ]
    expect(diffProducts(product(before), product(after)).map(({ field }) => field)).toEqual(['images'])
  })

  test('of a state from before a field was known takes it for nothing known', () => {
    expect(diffProducts(product({}), product({ mpn: null }))).toEqual([])
    expect(diffProducts(product({}), product({ mpn: 'M-1' }))).toEqual([{ field: 'mpn', before: null, after: 'M-1' }])
  })

  test('is nothing for one state, and the same seen from both sides', () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(diffProducts(a, structuredClone(a))).toEqual([])
        const turned = diffProducts(b, a).map(({ field, before, after }) => ({ field, before: after, after: before }))
        expect(turned).toEqual(diffProducts(a, b))
      }),
    )
  })
})
