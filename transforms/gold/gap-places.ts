/** Where the rules of a field stand among a product's rule points, for those who look for gaps without grading: the database. */
import { dimensions, type Weights } from '../../schemas/score.ts'
import { rubric } from './rubric.ts'

const places = (meant: (rule: (typeof rubric)[number]) => boolean) =>
  rubric.flatMap((rule, place) => (meant(rule) ? [place] : []))

/** A field is a gap where one of these has attained less than 100 percent. */
export const gapPlaces = (field: string, weights: Weights): number[] =>
  places((rule) => rule.field === field && rule.points > 0 && (weights[dimensions.indexOf(rule.dimension)] ?? 0) > 0)

/** A gap is missing where one of these has attained nothing. */
export const presencePlaces = (field: string): number[] =>
  places((rule) => rule.field === field && rule.presence === true)
