/** What a replay makes of one product, beside what the catalog has: both grades, both scores, and the first step at which they part. */
import { score, type Weights } from '../../schemas/score.ts'
import type { Difference } from '../verify/first-difference.ts'

/** The steps of a product's way, and the weights, which move a score without any of them. */
export const shadowSteps = ['merge', 'silver', 'gold', 'weights'] as const
export type ShadowStep = (typeof shadowSteps)[number]

export interface Graded {
  readonly sub: readonly number[]
  readonly points: Uint8Array
  readonly valid: number
  /** Points are read by the rubric that gave them. */
  readonly rubric: number
}

export interface ShadowScore {
  readonly step: ShadowStep | null
  /** A place of that step; null where the whole is meant. */
  readonly place: string | null
  /** null where that side has no score. */
  readonly before: (Graded & { readonly score: number }) | null
  readonly after: (Graded & { readonly score: number }) | null
}

/** @param difference of the values; null where they are the same */
export function shadowScore(
  before: Graded | null,
  after: Graded | null,
  difference: Pick<Difference, 'step' | 'at'> | null,
  weights: { readonly before: Weights; readonly after: Weights },
): ShadowScore {
  const scored = {
    before: before && { ...before, score: score(before.sub, weights.before) },
    after: after && { ...after, score: score(after.sub, weights.after) },
  }
  if (difference) return { ...scored, step: difference.step, place: difference.at }
  const moved = scored.before?.score !== scored.after?.score
  return { ...scored, step: moved ? 'weights' : null, place: null }
}
