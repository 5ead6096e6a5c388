/** Sums up a catalog's grades one by one, in memory that does not grow with the catalog. */
import { type Band, type SubScores, score, type Weights } from '../../schemas/score.ts'
import { gainsOf, gapFields } from './gains.ts'
import { standingBuilder } from './standing.ts'

export interface PricedGap {
  readonly field: string
  /** Products that have this gap. */
  readonly products: number
  /** Hundredths of a point that each of them would gain, on average. */
  readonly points: number
}

export interface Summary {
  /** Mean of the scores to two decimals; 0 where nothing was scored. */
  readonly avgScore: number
  readonly scoreDistribution: Record<Band, number>
  /** At most ten, most common first, ties by name. */
  readonly topGaps: string[]
  /** All gaps, by what they cost the catalog together. */
  readonly pricedGaps: PricedGap[]
}

export interface SummaryBuilder {
  add(points: Uint8Array, sub: SubScores): void
  result(): Summary
}

const shownGaps = 10

export function summaryBuilder(weights: Weights): SummaryBuilder {
  const gains = new Float64Array(gapFields.length)
  const cost = new Float64Array(gapFields.length)
  const products = new Float64Array(gapFields.length)
  const standing = standingBuilder()

  function add(points: Uint8Array, sub: SubScores): void {
    // Readiness is no part of a summary.
    standing.add(score(sub, weights), false, 1)
    gainsOf(points, weights, gains)
    for (let field = 0; field < gains.length; field++) {
      const gain = gains[field] ?? 0
      if (gain === 0) continue
      cost[field] = (cost[field] ?? 0) + gain
      products[field] = (products[field] ?? 0) + 1
    }
  }

  function result(): Summary {
    // By name already, and sorting is stable.
    const found = gapFields
      .map((field, place) => ({ field, products: products[place] ?? 0, cost: cost[place] ?? 0 }))
      .filter((gap) => gap.products > 0)
    const { avgScore, scoreDistribution } = standing.result()
    return {
      avgScore,
      scoreDistribution,
      topGaps: found
        .toSorted((a, b) => b.products - a.products)
        .slice(0, shownGaps)
        .map(({ field }) => field),
      pricedGaps: found
        .toSorted((a, b) => b.cost - a.cost)
        .map((gap) => ({ field: gap.field, products: gap.products, points: Math.round(gap.cost / gap.products) })),
    }
  }

  return { add, result }
}
