/** What can be mended at once: a field with all its rules, or one rule; as places among a product's rule points. */
import { dimensions, type Weights } from '../../schemas/score.ts'
import { gapFields } from './gains.ts'
import { isRefusal } from './refusals.ts'
import { rubric } from './rubric.ts'

export interface Fix {
  readonly field: string
  /**
   * All that are met with it: those that points are lost by, and those that a platform refuses by, whatever they weigh. Any other
   * rule of a dimension without weight asks for nothing (KF-22).
   */
  readonly places: readonly number[]
}

const asks = (place: number, weights: Weights) => {
  const rule = rubric[place]
  return rule !== undefined && (isRefusal[place] === true || (weights[dimensions.indexOf(rule.dimension)] ?? 0) > 0)
}

/** By name. */
export const fieldFixes = (weights: Weights): Fix[] =>
  gapFields.map((field) => ({
    field,
    places: rubric.flatMap((rule, place) => (rule.field === field && asks(place, weights) ? place : [])),
  }))

/** In the rubric's order. */
export const ruleFixes = (weights: Weights): Fix[] =>
  rubric.flatMap(({ field }, place) => (asks(place, weights) ? { field, places: [place] } : []))
