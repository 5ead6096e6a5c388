/** Lists what a product lacks, dearest first, from the points of its last grading and the weights in force (KF-22). */
import type { Weights } from '../../schemas/score.ts'
import { gainsOf, gapFields } from './gains.ts'
import { rubric } from './rubric.ts'

export interface Gap {
  readonly field: string
  /** Hundredths of a point that the score would gain if all rules of the field were met. */
  readonly points: number
}

export interface Gaps {
  /** By points descending, then by name. A dimension without weight gives none. */
  readonly gaps: Gap[]
  /** Those fields of the gaps that are absent altogether, in the same order. */
  readonly missing: string[]
}

const presence = rubric.flatMap((rule, place) => (rule.presence ? [{ field: rule.field, place }] : []))

export function gapsOf(points: Uint8Array, weights: Weights): Gaps {
  const gains = new Float64Array(gapFields.length)
  gainsOf(points, weights, gains)
  const gaps: Gap[] = []
  gapFields.forEach((field, place) => {
    const gain = gains[place] ?? 0
    if (gain > 0) gaps.push({ field, points: gain })
  })
  // The sort is stable and the fields come by name.
  gaps.sort((a, b) => b.points - a.points)
  const absent = new Set<string>()
  for (const { field, place } of presence) if (points[place] === 0) absent.add(field)
  return { gaps, missing: gaps.flatMap(({ field }) => (absent.has(field) ? field : [])) }
}
