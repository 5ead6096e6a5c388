/** The score's arithmetic: seven integer sub-scores, seven integer weights, one rounding; the same in SQL. */

/** The order is fixed: sub-scores and weights are stored by place. */
export const dimensions = ['identity', 'content', 'media', 'pricing', 'availability', 'seo', 'compliance'] as const
export type Dimension = (typeof dimensions)[number]

export const bands = ['excellent', 'good', 'warning', 'poor'] as const
export type Band = (typeof bands)[number]

/** Sub-scores are hundredths of a point, 0 to 10000; weights are integers that sum to 10000. */
export type SubScores = readonly number[]
export type Weights = readonly number[]

/** What a workspace has that never weighed anything itself, in the order of `dimensions`. */
export const defaultWeights: Weights = [2000, 2500, 1500, 1500, 1000, 500, 1000]

/** In millionths of a point of 100, before the one rounding. */
export function weigh(sub: SubScores, weights: Weights): number {
  let sum = 0
  for (let i = 0; i < dimensions.length; i++) sum += (sub[i] ?? 0) * (weights[i] ?? 0)
  return sum
}

/** 0-100, rounded once (half up). In SQL: `(s1*w1 + … + s7*w7 + 500000) / 1000000` in bigint arithmetic. */
export const score = (sub: SubScores, weights: Weights): number => rounded(weigh(sub, weights))
export const rounded = (weighed: number): number => Math.floor((weighed + 500_000) / 1_000_000)

const floors = { excellent: 85, good: 65, warning: 40, poor: 0 } as const satisfies Record<Band, number>

export function bandOf(score: number): Band {
  if (score >= floors.excellent) return 'excellent'
  if (score >= floors.good) return 'good'
  if (score >= floors.warning) return 'warning'
  return 'poor'
}

/** First and last score of a band, both included. */
export function bandRange(band: Band): readonly [number, number] {
  const above = bands[bands.indexOf(band) - 1]
  return [floors[band], above === undefined ? 100 : floors[above] - 1]
}

/** From this score up, and valid for its platforms, a product is feed-ready. */
export const feedReadyFrom = 40
