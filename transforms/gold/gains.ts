/** What each field would add to the score if all its rules were met: the measure behind gaps and their price. */
import type { Field } from '../../schemas/product.ts'
import { dimensions, type Weights } from '../../schemas/score.ts'
import { rubric } from './rubric.ts'
import { notApplied } from './rule.ts'

/** Every field that the rubric asks for, by name: the order of `gainsOf` and of gaps that weigh the same. */
export const gapFields: readonly Field[] = [...new Set(rubric.map((rule) => rule.field))].sort()

const fieldOf = rubric.map((rule) => gapFields.indexOf(rule.field))
const placeOf = rubric.map((rule) => dimensions.indexOf(rule.dimension))
const worth = rubric.map((rule) => rule.points)

/**
 * Fills `into`, one number a field of `gapFields`, with hundredths of a point of 100. A field that costs anything costs at
 * least one hundredth; 0 means no gap. The sum is what the score lacks, give or take one hundredth a gap.
 */
export function gainsOf(points: Uint8Array, weights: Weights, into: Float64Array): void {
  const possible = [0, 0, 0, 0, 0, 0, 0]
  for (let i = 0; i < worth.length; i++) {
    const place = placeOf[i] as number
    if ((points[i] ?? notApplied) !== notApplied) possible[place] = (possible[place] as number) + (worth[i] as number)
  }
  into.fill(0)
  for (let i = 0; i < worth.length; i++) {
    const percent = points[i] ?? notApplied
    const place = placeOf[i] as number
    const weight = weights[place] ?? 0
    if (percent >= 100 || weight === 0) continue
    const field = fieldOf[i] as number
    // weights sum to 10000 and a dimension's loss is at most the whole of it, so this is in hundredths already
    const gain = ((worth[i] as number) * (100 - percent) * weight) / (100 * (possible[place] as number))
    into[field] = (into[field] as number) + gain
  }
  for (let field = 0; field < into.length; field++) {
    const gain = into[field] as number
    if (gain > 0) into[field] = Math.max(1, Math.round(gain))
  }
}
