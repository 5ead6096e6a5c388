import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { bandOf, defaultWeights, score } from '../../../schemas/score.ts'
import { gapsOf } from '../../../transforms/gold/gaps.ts'
import { grade, subScoresOf } from '../../../transforms/gold/grade.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { summaryBuilder } from '../../../transforms/gold/summary.ts'
import { feedOf } from '../../schemas/feeds/complete-product.ts'

const summaryOf = (...changes: Partial<RefinedProduct>[]) => {
  const summary = summaryBuilder(defaultWeights)
  for (const change of changes) {
    const { points, sub } = grade(feedOf(change), 'single')
    summary.add(points, sub)
  }
  return summary.result()
}

describe("a catalog's summary", () => {
  test('of nothing is zero everywhere', () => {
    expect(summaryOf()).toEqual({
      avgScore: 0,
      scoreDistribution: { excellent: 0, good: 0, warning: 0, poor: 0 },
      topGaps: [],
      pricedGaps: [],
    })
  })

  test('has the mean to two decimals, the bands, common gaps first and dear gaps first', () => {
    const summary = summaryOf({}, { condition: null }, { condition: null, price: null, currency: null })
    // 100, 99 (12 of 89 points of a tenth) and what is left without a price
    expect(summary.scoreDistribution).toEqual({ excellent: 2, good: 1, warning: 0, poor: 0 })
    expect(summary.topGaps).toEqual(['condition', 'currency', 'price'])
    expect(summary.pricedGaps.map(({ field, products }) => [field, products])).toEqual([
      ['price', 1],
      ['currency', 1],
      ['condition', 2],
    ])
    expect(summary.avgScore).toBe(94)
  })

  test('can be read while it still grows', () => {
    const summary = summaryBuilder(defaultWeights)
    const { points, sub } = grade(feedOf({ condition: null }), 'single')
    summary.add(points, sub)
    const first = summary.result()
    summary.add(points, sub)
    expect(first.pricedGaps).toMatchObject([{ products: 1 }])
    expect(summary.result().pricedGaps).toMatchObject([{ products: 2 }])
    expect(first.scoreDistribution).not.toEqual(summary.result().scoreDistribution)
  })

  test('is what the products one by one would add up to', () => {
    const anyPoints = fc
      .array(fc.constantFrom(0, 50, 100, 255), { minLength: rubric.length, maxLength: rubric.length })
      .map((list) => Uint8Array.from(list))
    fc.assert(
      fc.property(fc.array(anyPoints, { minLength: 1, maxLength: 12 }), (all) => {
        const summary = summaryBuilder(defaultWeights)
        for (const points of all) summary.add(points, subScoresOf(points))
        const { avgScore, scoreDistribution, topGaps, pricedGaps } = summary.result()

        const scores = all.map((points) => score(subScoresOf(points), defaultWeights))
        const mean = scores.reduce((sum, value) => sum + value, 0) / all.length
        expect(Math.abs(avgScore - mean)).toBeLessThan(0.00501)
        for (const band of ['excellent', 'good', 'warning', 'poor'] as const) {
          expect(scoreDistribution[band]).toBe(scores.filter((value) => bandOf(value) === band).length)
        }

        const gaps = all.flatMap((points) => gapsOf(points, defaultWeights).gaps)
        const priced = [...Map.groupBy(gaps, ({ field }) => field)].map(([field, list]) => ({
          field,
          products: list.length,
          total: list.reduce((sum, gap) => sum + gap.points, 0),
        }))
        const byName = (a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1)
        priced.sort((a, b) => b.total - a.total || byName(a, b))
        expect(pricedGaps).toEqual(
          priced.map(({ field, products, total }) => ({ field, products, points: Math.round(total / products) })),
        )
        priced.sort((a, b) => b.products - a.products || byName(a, b))
        expect(topGaps).toEqual(priced.slice(0, 10).map(({ field }) => field))
      }),
    )
  })
})
