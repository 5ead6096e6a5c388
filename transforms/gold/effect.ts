/** What meeting some rules does to a set of products, counted together. */
import { bandOf } from '../../schemas/score.ts'
import type { Weighed } from './patterns.ts'

export interface Effect {
  /** Products that lack something of it. */
  readonly products: number
  /** Hundredths of a point that each of them would gain, on average. */
  readonly points: number
  /** Products that would come into a better band. */
  readonly changeBand: number
  readonly becomeFeedReady: number
}

export interface Sums {
  products: number
  /** Millionths of a point, of all products together. */
  gained: number
  changeBand: number
  becomeFeedReady: number
  /** Products that the platform would have fewer rules to refuse by. */
  lessRefused: number
}

export const noSums = (): Sums => ({ products: 0, gained: 0, changeBand: 0, becomeFeedReady: 0, lessRefused: 0 })

export function addTo(sums: Sums, now: Readonly<Weighed>, then: Readonly<Weighed>, products: number): void {
  sums.products += products
  sums.gained += (then.weighed - now.weighed) * products
  if (bandOf(now.score) !== bandOf(then.score)) sums.changeBand += products
  if (then.ready && !now.ready) sums.becomeFeedReady += products
  if (then.refusals < now.refusals) sums.lessRefused += products
}

export const effectOf = ({ products, gained, changeBand, becomeFeedReady }: Sums): Effect => ({
  products,
  points: products === 0 ? 0 : Math.round(gained / products / 10_000),
  changeBand,
  becomeFeedReady,
})
