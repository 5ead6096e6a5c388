/** The verdict on a shadow: what it would do to the scores of a catalog, to its bands, its feed-readiness and its gaps, and why. */
import type { Field } from '../../schemas/product.ts'
import {
  type Band,
  bandOf,
  bands,
  type Dimension,
  dimensions,
  feedReadyFrom,
  type Weights,
} from '../../schemas/score.ts'
import { gainsOf, gapFields } from '../gold/gains.ts'
import { type Standing, standingBuilder } from '../gold/standing.ts'
import type { Graded, ShadowStep } from './shadow.ts'
import { shadowSteps } from './shadow.ts'

type Side = Graded & { readonly score: number }

/** Products that are alike in all that a verdict asks. */
export interface VerdictGroup {
  readonly step: ShadowStep | null
  readonly before: Side | null
  readonly after: Side | null
  /** The platforms' bits that a product of its brand must have to be feed-ready. */
  readonly required: number
  readonly products: number
}

export interface GapMove {
  readonly field: Field
  readonly appeared: number
  readonly gone: number
}

export interface DimensionMove {
  readonly dimension: Dimension
  /** Products whose score it raises, and lowers. */
  readonly up: number
  readonly down: number
  /** What it adds to the mean score, in hundredths of a point. */
  readonly points: number
}

export interface Verdict {
  readonly compared: number
  readonly up: number
  readonly down: number
  readonly unchanged: number
  /** With a score on one side only. */
  readonly scoreAppeared: number
  readonly scoreGone: number
  /** Parents of families and products that are gone have none. */
  readonly unscored: number
  readonly before: Standing
  readonly after: Standing
  /** From a band to a band; those that stay are counted too. */
  readonly moves: Record<Band, Record<Band, number>>
  readonly bandUp: number
  readonly bandDown: number
  readonly feedReady: { readonly gained: number; readonly lost: number }
  readonly gaps: readonly GapMove[]
  /** Products whose gaps before cannot be told: another rubric graded them. */
  readonly gapsUnknown: number
  readonly dimensions: readonly DimensionMove[]
  /** By the first step at which the values part. */
  readonly differing: Record<ShadowStep, number>
}

export interface VerdictBuilder {
  add(group: VerdictGroup): void
  result(): Verdict
}

/** @param rubric of now: points of another are read by other places */
export function verdictBuilder(
  weights: { readonly before: Weights; readonly after: Weights },
  rubric: number,
): VerdictBuilder {
  const scores = scoreMoves(rubric)
  const gaps = gapMoves(weights, rubric)
  const causes = dimensionMoves(weights)
  const differing = recordOf(shadowSteps, () => 0)
  return {
    add(group) {
      if (group.step !== null) differing[group.step] += group.products
      scores.add(group)
      gaps.add(group)
      causes.add(group)
    },
    result: () => ({ ...scores.result(), ...gaps.result(), dimensions: causes.result(), differing }),
  }
}

function scoreMoves(rubric: number) {
  const [standing, then] = [standingBuilder(), standingBuilder()]
  const moves = recordOf(bands, () => recordOf(bands, () => 0))
  const n = { compared: 0, up: 0, down: 0, unchanged: 0, scoreAppeared: 0, scoreGone: 0, unscored: 0 }
  const feedReady = { gained: 0, lost: 0 }
  const crossed = { bandUp: 0, bandDown: 0 }
  return {
    add({ before, after, required, products }: VerdictGroup) {
      const isReady = (side: Side | null) =>
        side !== null && side.score >= feedReadyFrom && side.rubric === rubric && (side.valid & required) === required
      const [was, becomes] = [isReady(before), isReady(after)]
      n.compared += products
      if (before) standing.add(before.score, was, products)
      if (after) then.add(after.score, becomes, products)
      if (becomes && !was) feedReady.gained += products
      if (was && !becomes) feedReady.lost += products
      if (!before || !after) {
        n[before ? 'scoreGone' : after ? 'scoreAppeared' : 'unscored'] += products
        return
      }
      n[after.score > before.score ? 'up' : after.score < before.score ? 'down' : 'unchanged'] += products
      const [from, to] = [bandOf(before.score), bandOf(after.score)]
      moves[from][to] += products
      if (from !== to) crossed[after.score > before.score ? 'bandUp' : 'bandDown'] += products
    },
    result: () => ({ ...n, before: standing.result(), after: then.result(), moves, ...crossed, feedReady }),
  }
}

function gapMoves(weights: { before: Weights; after: Weights }, rubric: number) {
  const [appeared, gone] = [new Float64Array(gapFields.length), new Float64Array(gapFields.length)]
  const [was, becomes] = [new Float64Array(gapFields.length), new Float64Array(gapFields.length)]
  let gapsUnknown = 0
  return {
    add({ before, after, products }: VerdictGroup) {
      if (!before || !after) return
      if (before.rubric !== rubric || after.rubric !== rubric) {
        gapsUnknown += products
        return
      }
      gainsOf(before.points, weights.before, was)
      gainsOf(after.points, weights.after, becomes)
      for (let field = 0; field < was.length; field++) {
        const [had, has] = [(was[field] as number) > 0, (becomes[field] as number) > 0]
        if (has && !had) appeared[field] = (appeared[field] as number) + products
        if (had && !has) gone[field] = (gone[field] as number) + products
      }
    },
    result: () => ({
      gaps: gapFields
        .map((field, at) => ({ field, appeared: appeared[at] ?? 0, gone: gone[at] ?? 0 }))
        .filter((move) => move.appeared > 0 || move.gone > 0)
        .sort((a, b) => b.appeared + b.gone - a.appeared - a.gone),
      gapsUnknown,
    }),
  }
}

function dimensionMoves(weights: { before: Weights; after: Weights }) {
  const sums = dimensions.map((dimension) => ({ dimension, up: 0, down: 0, moved: 0 }))
  let products = 0
  return {
    add(group: VerdictGroup) {
      const { before, after } = group
      if (!before || !after) return
      products += group.products
      sums.forEach((sum, place) => {
        const then = (after.sub[place] ?? 0) * (weights.after[place] ?? 0)
        const moved = then - (before.sub[place] ?? 0) * (weights.before[place] ?? 0)
        sum.moved += moved * group.products
        if (moved > 0) sum.up += group.products
        if (moved < 0) sum.down += group.products
      })
    },
    // A weighed sub-score is in millionths of a point.
    result: (): DimensionMove[] =>
      sums.map(({ moved, ...sum }) => ({ ...sum, points: products === 0 ? 0 : Math.round(moved / products / 10_000) })),
  }
}

const recordOf = <K extends string, V>(names: readonly K[], value: () => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, value()])) as Record<K, V>
