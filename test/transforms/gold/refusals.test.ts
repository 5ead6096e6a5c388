import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grade } from '../../../transforms/gold/grade.ts'
import { isRefusal, measureBit } from '../../../transforms/gold/refusals.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'

test('a product meets all rules that speak for the platform exactly where the platform takes it', () => {
  fc.assert(
    fc.property(anyProduct, fc.option(fc.string()), (product, itemGroupId) => {
      const { points, valid } = grade({ id: product.sku ?? 'product-id', itemGroupId, product }, 'single')
      const refused = points.some((percent, place) => isRefusal[place] && percent < 100)
      expect((valid & measureBit) !== 0).toBe(!refused)
    }),
    { numRuns: 300 },
  )
})
