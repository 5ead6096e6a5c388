import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import { platforms } from '../../../schemas/feeds/registry.ts'
import { defaultWeights, score } from '../../../schemas/score.ts'
import { grade, subScoresOf } from '../../../transforms/gold/grade.ts'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'
import { bare, feedOf, judgedAt } from '../../schemas/feeds/complete-product.ts'

const anyFeed = fc
  .tuple(anyProduct, fc.option(fc.string()))
  .map(([product, itemGroupId]) => ({ id: product.sku ?? 'product-id', itemGroupId, product, at: judgedAt }))
const anyKind = fc.constantFrom('single' as const, 'variant' as const)
const full = Array(7).fill(10_000)

describe('a grade', () => {
  test('of a complete product is full in all seven dimensions and valid for every platform', () => {
    const { sub, valid } = grade(feedOf(), 'single')
    expect(sub).toEqual(full)
    expect(score(sub, defaultWeights)).toBe(100)
    for (const { platform, bit } of platforms) expect(valid & bit, platform).toBe(bit)
  })

  test('of a variant that is worn is full when everything that is asked for it is there', () => {
    const worn = { googleProductCategory: '1604', size: 'M', gender: 'unisex', ageGroup: 'adult' }
    expect(grade(feedOf({ ...worn, options: { Size: 'M' } }, 'T-1'), 'variant').sub).toEqual(full)
  })

  test('of a product that says nothing is poor, valid for nothing and no exception', () => {
    const { sub, valid } = grade({ id: 'product-id', itemGroupId: null, product: bare, at: judgedAt }, 'single')
    expect(score(sub, defaultWeights)).toBeLessThan(5)
    expect(valid).toBe(0)
  })

  test('marks rules that do not apply with 255, and they cost nothing', () => {
    const { points } = grade(feedOf(), 'single')
    expect(points[rubric.findIndex(({ id }) => id === 'sale_price')]).toBe(255)
    expect(subScoresOf(new Uint8Array(rubric.length).fill(255))).toEqual(full)
  })

  test('stays within its bounds, whatever text the product holds', () => {
    fc.assert(
      fc.property(anyFeed, anyKind, (feed, kind) => {
        const { sub, points, valid } = grade(feed, kind)
        expect(points).toHaveLength(rubric.length)
        expect(points.every((percent) => percent <= 100 || percent === 255)).toBe(true)
        expect(sub).toHaveLength(7)
        for (const value of sub) expect(Number.isInteger(value) && value >= 0 && value <= 10_000).toBe(true)
        for (const one of platforms) expect((valid & one.bit) !== 0).toBe(problemsOf(one, feed).length === 0)
      }),
      { numRuns: 300 },
    )
  })

  test('under new weights is to the last digit what grading again would give', () => {
    const weights = fc.array(fc.nat(1000), { minLength: 7, maxLength: 7 }).filter((list) => list.some((n) => n > 0))
    fc.assert(
      fc.property(anyFeed, anyKind, weights, (feed, kind, wanted) => {
        const stored = grade(feed, kind)
        const inForce = normaliseWeights(wanted)
        const again = grade(structuredClone(feed), kind)
        expect(subScoresOf(stored.points)).toEqual(again.sub)
        expect(score(stored.sub, inForce)).toBe(score(again.sub, inForce))
      }),
    )
  })

  test('is full in a dimension only where every rule of it that has points is attained in full', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: rubric.length, maxLength: rubric.length, max: 100 }), (points) => {
        const sub = subScoresOf(points)
        rubric.forEach((rule, place) => {
          if (rule.points === 0 || (points[place] ?? 0) === 100) return
          const dimension = ['identity', 'content', 'media', 'pricing', 'availability', 'seo', 'compliance'].indexOf(
            rule.dimension,
          )
          expect(sub[dimension]).toBeLessThan(10_000)
        })
      }),
    )
  })
})
