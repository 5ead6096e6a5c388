import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandOf, bands, defaultWeights, dimensions, feedReadyFrom, score } from '../../../schemas/score.ts'
import { gapsOf } from '../../../transforms/gold/gaps.ts'
import { subScoresOf } from '../../../transforms/gold/grade.ts'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { shadowScore } from '../../../transforms/replay/shadow.ts'
import { type VerdictGroup, verdictBuilder } from '../../../transforms/replay/verdict.ts'

const now = 3
const points = fc
  .array(fc.constantFrom(0, 50, 100, 255), { minLength: rubric.length, maxLength: rubric.length })
  .map((list) => Uint8Array.from(list))
const graded = fc
  .record({ points, valid: fc.nat(7), rubric: fc.constantFrom(now, now, now, now - 1) })
  .map((one) => ({ ...one, sub: subScoresOf(one.points) }))
const side = fc.option(graded, { freq: 5 })
const weighed = fc
  .array(fc.nat(100), { minLength: 7, maxLength: 7 })
  .filter((list) => list.some((n) => n > 0))
  .map(normaliseWeights)

test('for any two sides of any products the verdict is what a count one by one gives', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(side, side, fc.nat(3)), { maxLength: 12 }), weighed, (products, weights) => {
      const both = { before: defaultWeights, after: weights }
      const builder = verdictBuilder(both, now)
      const groups = products.map(
        ([before, after, required]): VerdictGroup => ({
          ...shadowScore(before, after, null, both),
          ...{ required, products: 1 },
        }),
      )
      for (const group of groups) builder.add(group)
      const verdict = builder.result()

      const scored = groups.flatMap(({ before, after, required }) =>
        before && after ? [{ before, after, required }] : [],
      )
      const count = (is: (one: (typeof scored)[number]) => boolean) => scored.filter(is).length
      const own = {
        compared: products.length,
        up: count(({ before, after }) => after.score > before.score),
        down: count(({ before, after }) => after.score < before.score),
        unchanged: count(({ before, after }) => after.score === before.score),
        unscored: groups.filter(({ before, after }) => !before && !after).length,
        scoreAppeared: groups.filter(({ before, after }) => !before && after).length,
        scoreGone: groups.filter(({ before, after }) => before && !after).length,
        bandUp: count(({ before, after }) => bands.indexOf(bandOf(after.score)) < bands.indexOf(bandOf(before.score))),
        bandDown: count(
          ({ before, after }) => bands.indexOf(bandOf(after.score)) > bands.indexOf(bandOf(before.score)),
        ),
      }
      expect(verdict).toMatchObject(own)

      const ready = (one: { score: number; rubric: number; valid: number } | null, bits: number) =>
        one !== null && one.rubric === now && one.score >= feedReadyFrom && (one.valid & bits) === bits
      const flips = groups.map(({ before, after, required }) => [ready(before, required), ready(after, required)])
      expect(verdict.feedReady).toEqual({
        gained: flips.filter(([was, is]) => is && !was).length,
        lost: flips.filter(([was, is]) => was && !is).length,
      })

      const told = scored.filter(({ before, after }) => before.rubric === now && after.rubric === now)
      const [appeared, gone] = [new Map<string, number>(), new Map<string, number>()]
      const add = (to: Map<string, number>, field: string) => to.set(field, (to.get(field) ?? 0) + 1)
      for (const { before, after } of told) {
        const had = new Set(gapsOf(before.points, defaultWeights).gaps.map(({ field }) => field))
        const has = new Set(gapsOf(after.points, weights).gaps.map(({ field }) => field))
        for (const field of has) if (!had.has(field)) add(appeared, field)
        for (const field of had) if (!has.has(field)) add(gone, field)
      }
      expect(verdict.gapsUnknown).toBe(scored.length - told.length)
      expect(Object.fromEntries(verdict.gaps.map((gap) => [gap.field, [gap.appeared, gap.gone]]))).toEqual(
        Object.fromEntries(
          [...new Set([...appeared.keys(), ...gone.keys()])].map((field) => [
            field,
            [appeared.get(field) ?? 0, gone.get(field) ?? 0],
          ]),
        ),
      )

      for (const [place, name] of dimensions.entries()) {
        const moves = scored.map(
          ({ before, after }) =>
            (after.sub[place] ?? 0) * (weights[place] ?? 0) - (before.sub[place] ?? 0) * (defaultWeights[place] ?? 0),
        )
        expect(verdict.dimensions[place]).toMatchObject({
          dimension: name,
          up: moves.filter((move) => move > 0).length,
          down: moves.filter((move) => move < 0).length,
        })
      }
    }),
    { numRuns: 200 },
  )
})

test('a product whose values are the same and whose score is not differs by the weights', () => {
  const one = { points: new Uint8Array(rubric.length), valid: 0, rubric: now, sub: [10_000, 0, 0, 0, 0, 0, 0] }
  const both = { before: [10_000, 0, 0, 0, 0, 0, 0], after: [0, 10_000, 0, 0, 0, 0, 0] }
  expect(shadowScore(one, one, null, both)).toMatchObject({
    step: 'weights',
    before: { score: 100 },
    after: { score: 0 },
  })
  expect(score(one.sub, both.before)).toBe(100)
  expect(shadowScore(one, one, null, { before: both.before, after: both.before }).step).toBeNull()
  expect(shadowScore(one, one, { step: 'silver', at: 'price' }, both)).toMatchObject({ step: 'silver', place: 'price' })
})
