import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requiredBits } from '../../../schemas/feeds/required-bits.ts'
import { bandOf, bands, defaultWeights, dimensions, score } from '../../../schemas/score.ts'
import { gapPriceBuilder } from '../../../transforms/gold/gap-prices.ts'
import { gapsOf } from '../../../transforms/gold/gaps.ts'
import { grade, subScoresOf } from '../../../transforms/gold/grade.ts'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'
import { feedOf } from '../../schemas/feeds/complete-product.ts'
import { anyPoints, anyWeights } from './any-points.ts'

const google = requiredBits([])
const scoring = { weights: defaultWeights, required: google }

describe('the price of a gap', () => {
  test('counts the products that lack the field, what each would gain, and who would be ready for the feed', () => {
    const prices = gapPriceBuilder(scoring, null)
    const add = (change: Parameters<typeof feedOf>[0], products: number) => {
      const { points, valid } = grade(feedOf(change), 'single')
      prices.add(points, valid, products)
    }
    add({}, 5)
    add({ gtin: null }, 3)
    add({ description: null }, 2)
    add({ description: null, price: null }, 4)
    const { now, fields } = prices.result()
    expect(now).toMatchObject({ products: 14, feedReady: 8, scoreDistribution: { excellent: 10, good: 4 } })
    expect(fields.map(({ field, products }) => [field, products])).toEqual([
      ['description', 6],
      ['price', 4],
      ['gtin', 3],
      ['mpn', 3],
      ['seo_description', 6],
    ])
    expect(fields[0]).toMatchObject({ changeBand: 4, becomeFeedReady: 2 })
    expect(fields[0]?.rules.map(({ rule }) => rule)).toContain('feed.description')
    expect(fields[1]).toMatchObject({ changeBand: 4, becomeFeedReady: 0 })
    expect(fields[2]).toMatchObject({ points: 500, changeBand: 0, becomeFeedReady: 0 })
  })

  test('of a product alone is that of its own gaps, give or take the rounding of sub-scores', () => {
    fc.assert(
      fc.property(anyPoints, anyWeights, (points, weights) => {
        const prices = gapPriceBuilder({ weights, required: 0 }, null)
        prices.add(points, 0, 1)
        const { fields } = prices.result()
        const own = new Map(gapsOf(points, weights).gaps.map((gap) => [gap.field, gap.points]))
        // What only keeps it out of a feed costs no points.
        const costly = fields.filter(({ field, points: gained }) => gained > 0 || own.has(field))
        expect(new Set(costly.map(({ field }) => field))).toEqual(new Set(own.keys()))
        for (const { field, points: gained } of fields)
          expect(Math.abs(gained - (own.get(field) ?? 0))).toBeLessThanOrEqual(2)
      }),
    )
  })

  test('of a band counts the products that are in it now and no others', () => {
    fc.assert(
      fc.property(
        fc.array(anyPoints, { maxLength: 10 }),
        anyWeights,
        fc.constantFrom(...bands),
        (all, weights, band) => {
          const prices = gapPriceBuilder({ weights, required: 0 }, band)
          const taken = all.filter((points) => prices.add(points, 0, 1))
          expect(taken).toEqual(all.filter((points) => bandOf(score(subScoresOf(points), weights)) === band))
          expect(prices.result().now.products).toBe(taken.length)
        },
      ),
    )
  })

  test('is none where the dimension has no weight (KF-22)', () => {
    const weights = normaliseWeights(dimensions.map((name) => (name === 'compliance' ? 0 : 1)))
    const prices = gapPriceBuilder({ weights, required: google }, null)
    const { points, valid } = grade(feedOf({ condition: null }), 'single')
    prices.add(points, valid, 1)
    expect(prices.result().fields).toEqual([])
  })

  test('says nothing of readiness where the platform refuses and no rule tells why', () => {
    const prices = gapPriceBuilder({ weights: defaultWeights, required: google | (1 << 20) }, null)
    const { points } = grade(feedOf({ description: null }), 'single')
    prices.add(points, 0, 1)
    expect(prices.result().fields.map(({ becomeFeedReady }) => becomeFeedReady)).toEqual([0, 0])
  })
})
