import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultWeights } from '../../../schemas/score.ts'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'

const total = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0)

describe('weights', () => {
  test('by default are those of the rubric, in the order of the dimensions', () => {
    expect(normaliseWeights([20, 25, 15, 15, 10, 5, 10])).toEqual(defaultWeights)
    expect(total(defaultWeights)).toBe(10_000)
  })

  test.each([
    [
      [1, 1, 1, 0, 0, 0, 0],
      [3334, 3333, 3333, 0, 0, 0, 0],
    ],
    [
      [1, 1, 1, 1, 1, 1, 1],
      [1429, 1429, 1429, 1429, 1428, 1428, 1428],
    ],
    [
      [0.1, 0.2, 0.3, 0, 0, 0, 0.4],
      [1000, 2000, 3000, 0, 0, 0, 4000],
    ],
    [
      [0, 0, 0, 0, 0, 0, 1e-300],
      [0, 0, 0, 0, 0, 0, 10_000],
    ],
    [
      [Number.MAX_VALUE, Number.MAX_VALUE, 0, 0, 0, 0, 5e-324],
      [5000, 5000, 0, 0, 0, 0, 0],
    ],
  ])('%j become %j', (wanted, weights) => {
    expect(normaliseWeights(wanted)).toEqual(weights)
  })

  test.each([
    [[], 'There must be 7 weights'],
    [[1, 1, 1, 1, 1, 1], 'There must be 7 weights'],
    [[1, 1, 1, 1, 1, 1, 1, 1], 'There must be 7 weights'],
    [[0, 0, 0, 0, 0, 0, 0], 'All weights are zero'],
    [[-1, 1, 1, 1, 1, 1, 1], 'The weight of identity is -1'],
    [[1, 1, 1, 1, 1, Number.NaN, 1], 'The weight of seo is NaN'],
    [[1, 1, 1, 1, 1, 1, Number.POSITIVE_INFINITY], 'The weight of compliance is Infinity'],
  ])('%j are refused in a sentence', (wanted, sentence) => {
    expect(() => normaliseWeights(wanted)).toThrow(RangeError)
    expect(() => normaliseWeights(wanted)).toThrow(sentence)
  })

  const anyWeights = fc
    .array(fc.oneof(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), fc.nat(100), fc.constant(0)), {
      minLength: 7,
      maxLength: 7,
    })
    .filter((list) => list.some((weight) => weight > 0))

  test('sum to exactly 10000, keep their order, and are the same when normalised again', () => {
    fc.assert(
      fc.property(anyWeights, (wanted) => {
        const weights = normaliseWeights(wanted)
        expect(total(weights)).toBe(10_000)
        expect(weights.every((weight) => Number.isInteger(weight) && weight >= 0)).toBe(true)
        expect(normaliseWeights(weights)).toEqual(weights)
        wanted.forEach((a, i) => {
          wanted.forEach((b, j) => {
            if (a > b) expect(weights[i]).toBeGreaterThanOrEqual(weights[j] ?? 0)
          })
          if (a === 0) expect(weights[i]).toBe(0)
        })
      }),
    )
  })
})
