import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requiredBits } from '../../../schemas/feeds/required-bits.ts'
import { bandOf, defaultWeights, feedReadyFrom, score, type Weights, weigh } from '../../../schemas/score.ts'
import { type ChosenFix, cheapestFixes, type FixGoal, fixGoals } from '../../../transforms/gold/cheapest-fixes.ts'
import { fieldFixes } from '../../../transforms/gold/fixes.ts'
import { gapFields } from '../../../transforms/gold/gains.ts'
import { grade, subScoresOf } from '../../../transforms/gold/grade.ts'
import { patternsOf } from '../../../transforms/gold/patterns.ts'
import { isRefusal, refusedBits } from '../../../transforms/gold/refusals.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { enough } from '../../enough.ts'
import { feedOf } from '../../schemas/feeds/complete-product.ts'
import { anyPoints, anyWeights } from './any-points.ts'

interface Seen {
  readonly points: Uint8Array
  readonly valid: number
  readonly products: number
}

const google = requiredBits([])

/** As products are stored: valid exactly where no rule says that the platform refuses. */
const refuses = (points: Uint8Array) =>
  points.some((percent, place) => isRefusal[place] && ((refusedBits[percent] ?? 0) & google) !== 0)
const seenAs = (points: Uint8Array, products = 1): Seen => ({
  points,
  valid: refuses(points) ? 0 : google,
  products,
})
const anyCatalog = fc
  .array(fc.tuple(anyPoints, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 8 })
  .map((list) => list.map(([points, products]) => seenAs(points, products)))

function fixesOf(catalog: readonly Seen[], weights: Weights, goal: FixGoal, atMost = gapFields.length): ChosenFix[] {
  const scoring = { weights, required: google }
  const fixes = fieldFixes(weights)
  const patterns = patternsOf(scoring, fixes, catalog.length)
  for (const { points, valid, products } of catalog) patterns.add(points, valid, products)
  return [...cheapestFixes(fixes, patterns, goal, atMost)].filter((fix) => fix !== null)
}

/** Graded again with all rules of these fields met: the slow way, product by product. */
function graded({ points }: Seen, fields: readonly string[], weights: Weights) {
  const met = points.map((percent, place) =>
    percent !== 255 && fields.includes(rubric[place]?.field ?? '') ? 100 : percent,
  )
  const sub = subScoresOf(met)
  const value = score(sub, weights)
  return { weighed: weigh(sub, weights), value, ready: value >= feedReadyFrom && !refuses(met) }
}

function effectOf(catalog: readonly Seen[], before: readonly string[], field: string, weights: Weights) {
  let [gained, changeBand, becomeFeedReady] = [0, 0, 0]
  for (const seen of catalog) {
    const [was, is] = [graded(seen, before, weights), graded(seen, [...before, field], weights)]
    gained += (is.weighed - was.weighed) * seen.products
    if (bandOf(was.value) !== bandOf(is.value)) changeBand += seen.products
    if (is.ready && !was.ready) becomeFeedReady += seen.products
  }
  return { gained, changeBand, becomeFeedReady }
}

describe('the cheapest fixes', () => {
  test('have together the effect that grading gives where the rules of all of them are met', () => {
    fc.assert(
      fc.property(anyCatalog, anyWeights, fc.constantFrom(...fixGoals), (catalog, weights, goal) => {
        const chosen: string[] = []
        for (const { field, after, ...adds } of fixesOf(catalog, weights, goal)) {
          const { gained, ...counts } = effectOf(catalog, chosen, field, weights)
          expect(adds).toMatchObject(counts)
          expect(adds.points).toBe(Math.round(gained / adds.products / 10_000))
          chosen.push(field)
          const now = catalog.map((seen) => ({ ...graded(seen, chosen, weights), products: seen.products }))
          const all = now.reduce((sum, { products }) => sum + products, 0)
          const sum = now.reduce((total, { value, products }) => total + value * products, 0)
          expect(after.products).toBe(all)
          expect(after.avgScore).toBe(Math.round((sum * 100) / all) / 100)
          expect(after.feedReady).toBe(now.reduce((n, { ready, products }) => n + (ready ? products : 0), 0))
          for (const band of ['excellent', 'good', 'warning', 'poor'] as const)
            expect(after.scoreDistribution[band]).toBe(
              now.reduce((n, { value, products }) => n + (bandOf(value) === band ? products : 0), 0),
            )
        }
      }),
      { numRuns: enough(20, 50) },
    )
  })

  test('are each the one that brings most to those before it, by what was asked for', () => {
    const measure = { points: 'gained', band: 'changeBand', feed_ready: 'becomeFeedReady' } as const
    fc.assert(
      fc.property(anyCatalog, anyWeights, fc.constantFrom(...fixGoals), (catalog, weights, goal) => {
        const all = fixesOf(catalog, weights, goal).map(({ field }) => field)
        all.forEach((field, i) => {
          const worth = (one: string) => effectOf(catalog, all.slice(0, i), one, weights)[measure[goal]]
          for (const later of all.slice(i + 1)) expect(worth(field)).toBeGreaterThanOrEqual(worth(later))
        })
      }),
      { numRuns: 20 },
    )
  })

  test('leave nothing to lose when all of them are made, and name no field twice', () => {
    fc.assert(
      fc.property(anyCatalog, anyWeights, (catalog, weights) => {
        const fixes = fixesOf(catalog, weights, 'points')
        expect(new Set(fixes.map(({ field }) => field)).size).toBe(fixes.length)
        if (fixes.length > 0) expect(fixes.at(-1)?.after.avgScore).toBe(100)
      }),
      { numRuns: enough(20, 50) },
    )
  })

  test('are the same in whatever order the products come, and however they are grouped', () => {
    fc.assert(
      fc.property(anyCatalog, anyWeights, fc.constantFrom(...fixGoals), (catalog, weights, goal) => {
        const apart = catalog.flatMap((seen) => Array.from({ length: seen.products }, () => ({ ...seen, products: 1 })))
        expect(fixesOf(apart.reverse(), weights, goal)).toEqual(fixesOf(catalog, weights, goal))
      }),
      { numRuns: 30 },
    )
  })

  test('of two fields that keep products out of the feed together, both come first by feed_ready, though neither is enough alone', () => {
    const out = { price: null, link: null, gtin: null, description: 'Short', images: [] }
    const points = grade(feedOf(out), 'single').points
    const fixes = fixesOf([seenAs(points, 10)], defaultWeights, 'feed_ready')
    const at = fixes.findIndex(({ becomeFeedReady }) => becomeFeedReady > 0)
    expect(new Set(fixes.slice(0, at + 1).map(({ field }) => field))).toEqual(new Set(['price', 'link', 'image']))
    expect(fixes[at]).toMatchObject({ becomeFeedReady: 10, after: { feedReady: 10 } })
  })

  test('are none of a catalog without products, and at most as many as are asked for', () => {
    expect(fixesOf([], defaultWeights, 'points')).toEqual([])
    const points = grade(feedOf({ gtin: null, brand: null, quantity: null }), 'single').points
    expect(fixesOf([seenAs(points)], defaultWeights, 'points', 2)).toHaveLength(2)
    expect(fixesOf([seenAs(points)], defaultWeights, 'points', 0)).toEqual([])
  })
})
