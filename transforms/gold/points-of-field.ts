/** What a field is worth to a product that has nothing in it and all else: the most that filling it can bring. */
import type { Field } from '../../schemas/product.ts'
import type { Weights } from '../../schemas/score.ts'
import { gainsOf, gapFields } from './gains.ts'
import { rubric } from './rubric.ts'

/** @returns of 100, with two decimals; 0 for a field that the rubric does not ask for */
export function pointsOfField(field: Field, weights: Weights): number {
  const attained = Uint8Array.from(rubric, (rule) => (rule.field === field ? 0 : 100))
  const gains = new Float64Array(gapFields.length)
  gainsOf(attained, weights, gains)
  return (gains[gapFields.indexOf(field)] ?? 0) / 100
}
