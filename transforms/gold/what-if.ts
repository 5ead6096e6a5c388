/** What other weights would do to a set of products, from counts of how many have which score before and after. */
import { type Band, bandOf, bands, feedReadyFrom } from '../../schemas/score.ts'
import { type Standing, standingBuilder } from './standing.ts'

/** Products that have the same score before and after. */
export interface ScoreMove {
  readonly before: number
  readonly after: number
  /** Valid for every platform that a feed-ready product must be valid for. */
  readonly passes: boolean
  readonly products: number
}

export interface WhatIf {
  readonly before: Standing
  readonly after: Standing
  /** From a band to a band; those that stay are counted too. */
  readonly moves: Record<Band, Record<Band, number>>
  /** Become ready that were not, and the other way. */
  readonly gained: number
  readonly lost: number
  readonly unchanged: number
}

const noneOf = <T>(value: () => T): Record<Band, T> =>
  Object.fromEntries(bands.map((band) => [band, value()])) as Record<Band, T>

export function whatIf(all: readonly ScoreMove[]): WhatIf {
  const [before, after] = [standingBuilder(), standingBuilder()]
  const moves = noneOf(() => noneOf(() => 0))
  let [gained, lost, unchanged] = [0, 0, 0]
  for (const move of all) {
    const was = move.passes && move.before >= feedReadyFrom
    const becomes = move.passes && move.after >= feedReadyFrom
    before.add(move.before, was, move.products)
    after.add(move.after, becomes, move.products)
    moves[bandOf(move.before)][bandOf(move.after)] += move.products
    if (becomes && !was) gained += move.products
    if (was && !becomes) lost += move.products
    if (move.before === move.after) unchanged += move.products
  }
  return { before: before.result(), after: after.result(), moves, gained, lost, unchanged }
}
