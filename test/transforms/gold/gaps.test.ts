import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { defaultWeights, dimensions, score } from '../../../schemas/score.ts'
import { gapsOf } from '../../../transforms/gold/gaps.ts'
import { grade } from '../../../transforms/gold/grade.ts'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { feedOf } from '../../schemas/feeds/complete-product.ts'

const graded = (change: Partial<RefinedProduct>, weights = defaultWeights) => {
  const { points, sub } = grade(feedOf(change), 'single')
  return { score: score(sub, weights), ...gapsOf(points, weights) }
}
const weightOf = (dimension: (typeof dimensions)[number], weight: number) =>
  normaliseWeights(dimensions.map((name) => (name === dimension ? weight : 15)))

describe('gaps', () => {
  test('a dimension without weight asks for nothing; with weight it does, until the field is there (KF-22)', () => {
    const without = { condition: null }
    expect(graded(without, weightOf('compliance', 0))).toEqual({ score: 100, gaps: [], missing: [] })

    const asked = graded(without, weightOf('compliance', 10))
    expect(asked.score).toBeLessThan(100)
    // Of 100 points the rule's 8, and what Meta's refusal costs: a quarter of 3.
    expect(asked.gaps).toEqual([{ field: 'condition', points: 88 }])
    expect(asked.missing).toEqual(['condition'])

    expect(graded({}, weightOf('compliance', 10))).toEqual({ score: 100, gaps: [], missing: [] })
  })

  test('a field gathers what all its rules cost, over all dimensions, dearest first', () => {
    const { gaps, missing } = graded({ description: null, quantity: null, brand: null })
    // Of the points that apply: content 14 + 18 of 80, seo 20 of 100, compliance 7 of 90; identity 20 of 100, and of
    // compliance what Meta's and OpenAI's refusals cost, 40 % of 3; availability 20 of 85; seo 15 of 100.
    expect(gaps).toEqual([
      { field: 'description', points: Math.round((32 * 2500) / 80 + (20 * 500) / 100 + (7 * 1000) / 90) },
      { field: 'brand', points: Math.round(400 + (1.2 * 1000) / 90) },
      { field: 'quantity', points: Math.round((20 * 1000) / 85) },
      { field: 'seo_description', points: 75 },
    ])
    expect(missing).toEqual(['description', 'brand', 'quantity', 'seo_description'])
  })

  test('a field that is there and could be better is a gap and not missing', () => {
    const { gaps, missing } = graded({ title: 'Oak stool' })
    expect(gaps.map(({ field }) => field)).toEqual(['title'])
    expect(missing).toEqual([])
  })

  test('gaps that cost the same come by name', () => {
    const { gaps } = graded({ sku: null, gtin: null, mpn: 'OS-1' })
    expect(gaps.map(({ field }) => field)).toEqual(['gtin', 'sku'])
  })

  const anyPercent = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 100, 255))
  const anyPoints = fc
    .array(anyPercent, { minLength: rubric.length, maxLength: rubric.length })
    .map((list) => Uint8Array.from(list))
  const anyWeights = fc
    .array(fc.constantFrom(0, 1, 5, 10, 100), { minLength: 7, maxLength: 7 })
    .filter((list) => list.some((weight) => weight > 0))
    .map(normaliseWeights)

  test('together make up what the score lacks, give or take a hundredth a gap and one for the sub-scores', () => {
    fc.assert(
      fc.property(anyPoints, anyWeights, (points, weights) => {
        const { gaps } = gapsOf(points, weights)
        const lacking = exactHundredths(points, weights)
        const sum = gaps.reduce((total, gap) => total + gap.points, 0)
        expect(Math.abs(sum - lacking)).toBeLessThanOrEqual(gaps.length + 1)
      }),
    )
  })

  test('are ordered whole hundredths above zero, and what is missing is among them in the same order', () => {
    fc.assert(
      fc.property(anyPoints, anyWeights, (points, weights) => {
        const { gaps, missing } = gapsOf(points, weights)
        const sorted = gaps.toSorted((a, b) => b.points - a.points || (a.field < b.field ? -1 : 1))
        expect(gaps).toEqual(sorted)
        expect(gaps.every((gap) => Number.isInteger(gap.points) && gap.points > 0)).toBe(true)
        const fields = gaps.map(({ field }) => field)
        expect(fields.filter((field) => missing.includes(field))).toEqual(missing)
      }),
    )
  })

  test('are none exactly where nothing with weight is lost', () => {
    fc.assert(
      fc.property(anyPoints, anyWeights, (points, weights) => {
        const lost = rubric.some(
          (rule, place) => (points[place] ?? 0) < 100 && (weights[dimensions.indexOf(rule.dimension)] ?? 0) > 0,
        )
        expect(gapsOf(points, weights).gaps.length > 0).toBe(lost)
      }),
    )
  })
})

/** 100 minus the score that was never rounded, in hundredths of a point, from the rules alone. */
function exactHundredths(points: Uint8Array, weights: readonly number[]): number {
  return dimensions.reduce((sum, dimension, place) => {
    const rules = rubric
      .map((rule, at) => ({ ...rule, percent: points[at] ?? 255 }))
      .filter((rule) => rule.dimension === dimension && rule.percent !== 255)
    const possible = rules.reduce((all, rule) => all + rule.points * 100, 0)
    const attained = rules.reduce((all, rule) => all + rule.points * rule.percent, 0)
    return sum + (possible === 0 ? 0 : (1 - attained / possible) * (weights[place] ?? 0))
  }, 0)
}
