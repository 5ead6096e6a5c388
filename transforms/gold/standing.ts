/** Where a set of products stands: mean score, bands, and how many are feed-ready. */
import { type Band, bandOf } from '../../schemas/score.ts'

export interface Standing {
  readonly products: number
  /** Mean of the scores to two decimals; 0 where nothing was scored. */
  readonly avgScore: number
  readonly scoreDistribution: Record<Band, number>
  readonly feedReady: number
}

export interface StandingBuilder {
  add(score: number, ready: boolean, products: number): void
  result(): Standing
}

export function standingBuilder(): StandingBuilder {
  const scoreDistribution: Record<Band, number> = { excellent: 0, good: 0, warning: 0, poor: 0 }
  let [products, sum, feedReady] = [0, 0, 0]
  return {
    add(score, ready, count) {
      products += count
      sum += score * count
      scoreDistribution[bandOf(score)] += count
      if (ready) feedReady += count
    },
    result: () => ({
      products,
      avgScore: products === 0 ? 0 : Math.round((sum * 100) / products) / 100,
      scoreDistribution: { ...scoreDistribution },
      feedReady,
    }),
  }
}
