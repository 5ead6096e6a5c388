/** Grades a refined product: seven sub-scores, the points behind them, and the platforms that would take it. */
import { problemsOf } from '../../schemas/feeds/problems-of.ts'
import type { FeedProduct } from '../../schemas/feeds/profile.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import type { ProductKind } from '../../schemas/product.ts'
import { dimensions } from '../../schemas/score.ts'
import { rubric } from './rubric.ts'
import { notApplied } from './rule.ts'

export interface Grade {
  /** Seven integers, 0 to 10000, in the order of `dimensions`. */
  readonly sub: number[]
  /** Percent attained of each rule in the rubric's order, 255 where the rule does not apply. */
  readonly points: Uint8Array
  /** The bits of the platforms that would take the product. */
  readonly valid: number
}

const placeOf = rubric.map((rule) => dimensions.indexOf(rule.dimension))
const worth = rubric.map((rule) => rule.points)

/** Hundredths, rounded half up; all of them where no rule of the dimension applies. */
export const subScore = (attained: number, possible: number): number =>
  possible === 0 ? 10_000 : Math.floor((attained * 200 + possible) / (2 * possible))

/** @returns one integer a dimension, 0 to 10000 */
export function subScoresOf(points: Uint8Array): number[] {
  const attained = [0, 0, 0, 0, 0, 0, 0]
  const possible = [0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < worth.length; i++) {
    const percent = points[i] ?? notApplied
    if (percent === notApplied) continue
    const place = placeOf[i] as number
    const of = worth[i] as number
    attained[place] = (attained[place] as number) + of * percent
    possible[place] = (possible[place] as number) + of
  }
  for (let place = 0; place < attained.length; place++)
    attained[place] = subScore(attained[place] as number, possible[place] as number)
  return attained
}

export function grade(product: FeedProduct, kind: ProductKind): Grade {
  let valid = 0
  const refusals = platforms.map((platform) => problemsOf(platform, product))
  for (let i = 0; i < refusals.length; i++) if (refusals[i]?.length === 0) valid |= platforms[i]?.bit ?? 0
  const points = new Uint8Array(rubric.length)
  let i = 0
  for (const rule of rubric) points[i++] = rule.check(product.product, kind, refusals) ?? notApplied
  return { sub: subScoresOf(points), points, valid }
}
