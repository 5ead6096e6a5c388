import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandOf, bands, feedReadyFrom } from '../../../schemas/score.ts'
import { whatIf } from '../../../transforms/gold/what-if.ts'

const anyScore = fc.integer({ min: 0, max: 100 })
const anyMove = fc.record({
  before: anyScore,
  after: anyScore,
  passes: fc.boolean(),
  products: fc.integer({ min: 1, max: 99 }),
})

test('products are counted once on each side, and moves lead from the one distribution to the other', () => {
  fc.assert(
    fc.property(fc.array(anyMove), (all) => {
      const { before, after, moves, gained, lost, unchanged } = whatIf(all)
      const count = (of: (move: (typeof all)[number]) => boolean) =>
        all.reduce((sum, move) => sum + (of(move) ? move.products : 0), 0)
      expect(before.products).toBe(count(() => true))
      for (const band of bands) {
        expect(before.scoreDistribution[band]).toBe(count((move) => bandOf(move.before) === band))
        expect(after.scoreDistribution[band]).toBe(count((move) => bandOf(move.after) === band))
        expect(Object.values(moves[band]).reduce((a, b) => a + b)).toBe(before.scoreDistribution[band])
        expect(bands.reduce((sum, from) => sum + moves[from][band], 0)).toBe(after.scoreDistribution[band])
      }
      expect(after.feedReady - before.feedReady).toBe(gained - lost)
      expect(after.feedReady).toBe(count((move) => move.passes && move.after >= feedReadyFrom))
      expect(unchanged).toBe(count((move) => move.before === move.after))
    }),
  )
})

test('of nothing says nothing, and divides by nothing', () => {
  expect(whatIf([])).toMatchObject({ before: { products: 0, avgScore: 0 }, after: { avgScore: 0 }, gained: 0, lost: 0 })
})
