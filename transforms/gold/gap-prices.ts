/** What each field and each rule alone would bring a catalog if it were met, pattern by pattern, in memory that does not grow with the catalog. */
import { type Band, bandOf } from '../../schemas/score.ts'
import { addTo, type Effect, effectOf, noSums, type Sums } from './effect.ts'
import { type Fix, fieldFixes, ruleFixes } from './fixes.ts'
import { patternsOf, type Scoring } from './patterns.ts'
import { rubric } from './rubric.ts'
import { type Standing, standingBuilder } from './standing.ts'

export interface RulePrice extends Effect {
  readonly rule: string
  readonly dimension: string
  readonly why: string
}

export interface FieldPrice extends Effect {
  readonly field: string
  /** Those that are not met, dearest for the catalog first. */
  readonly rules: readonly RulePrice[]
}

export interface GapPrices {
  readonly now: Standing
  /** Dearest for the catalog first, then by name. */
  readonly fields: readonly FieldPrice[]
}

export interface GapPriceBuilder {
  /** @returns false where its products are in another band than those that are meant */
  add(points: Uint8Array, valid: number, products: number): boolean
  result(): GapPrices
}

type Tally = Fix & { readonly sums: Sums }

const dearest = (a: Tally, b: Tally) => b.sums.gained - a.sums.gained
const isLacking = ({ sums }: Tally) => sums.products > 0

/** @param band only products that are in it now; null: all */
export function gapPriceBuilder(scoring: Scoring, band: Band | null): GapPriceBuilder {
  const fields = fieldFixes(scoring.weights).map((fix): Tally => ({ ...fix, sums: noSums() }))
  const rules = ruleFixes(scoring.weights).map((fix): Tally => ({ ...fix, sums: noSums() }))
  const all = [...fields, ...rules]
  const one = patternsOf(scoring, all, 1)
  const standing = standingBuilder()

  return {
    add(points, valid, products) {
      one.clear()
      one.add(points, valid, products)
      const now = one.now(0)
      if (band !== null && bandOf(now.score) !== band) return false
      standing.add(now.score, now.ready, products)
      for (let fix = 0; fix < all.length; fix++)
        if (one.lacks(0, fix)) addTo((all[fix] as Tally).sums, now, one.then(0, fix), products)
      return true
    },
    // Fields come by name and rules in the rubric's order, and sorting is stable.
    result: () => ({
      now: standing.result(),
      fields: fields
        .filter(isLacking)
        .toSorted(dearest)
        .map(({ field, sums }) => ({
          field,
          ...effectOf(sums),
          rules: rules
            .filter((tally) => tally.field === field && isLacking(tally))
            .toSorted(dearest)
            .map(rulePrice),
        })),
    }),
  }
}

function rulePrice({ places, sums }: Tally): RulePrice {
  const rule = rubric[places[0] ?? -1]
  if (!rule) throw new Error('a price without a rule')
  return { rule: rule.id, dimension: rule.dimension, why: rule.why, ...effectOf(sums) }
}
