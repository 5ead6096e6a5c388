import fc from 'fast-check'
import { expect, test } from 'vitest'
import { platforms } from '../../../schemas/feeds/registry.ts'
import { grade } from '../../../transforms/gold/grade.ts'
import { isRefusal, refusedBits } from '../../../transforms/gold/refusals.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'
import { judgedAt } from '../../schemas/feeds/complete-product.ts'

test('the points of the rules that speak for platforms say exactly which of them take the product', () => {
  fc.assert(
    fc.property(anyProduct, fc.option(fc.string()), (product, itemGroupId) => {
      const { points, valid } = grade({ id: product.sku ?? 'product-id', itemGroupId, product, at: judgedAt }, 'single')
      let refused = 0
      points.forEach((percent, place) => {
        if (isRefusal[place]) refused |= refusedBits[percent] ?? 0
      })
      for (const { bit } of platforms) expect((valid & bit) !== 0).toBe((refused & bit) === 0)
    }),
    { numRuns: 300 },
  )
})
