/** One line of the rubric: what it asks of a product, for how many points, and why. */
import type { FeedProblem } from '../../schemas/feeds/profile.ts'
import type { Field, ProductKind, RefinedProduct } from '../../schemas/product.ts'
import type { Dimension } from '../../schemas/score.ts'

/** Stands in a product's rule points where a rule does not apply. */
export const notApplied = 255

/** What each platform refuses a product for, in the order of `platforms`. */
export type Refusals = readonly (readonly FeedProblem[])[]

export interface Rule {
  /** Never used again for another rule. */
  readonly id: string
  readonly dimension: Dimension
  /** The field whose gap it is when points are lost. */
  readonly field: Field
  /** Share of the dimension: all rules of a dimension have 100 points together, and those that apply count. 0: it tells a refusal alone. */
  readonly points: number
  /** A sentence for the merchant: what the points are for. */
  readonly why: string
  /** The pages that ask for it, or `Assay:` and the reasoning where nobody but us does. */
  readonly sources: readonly string[]
  /** The rule asks whether the field is there at all: nothing attained means that the field is missing. */
  readonly presence?: true
  /**
   * Percent attained, 0 to 100, or null where the rule does not apply. A right value that is added may raise it, may make
   * it apply with 100, and must never lower it.
   */
  check(p: RefinedProduct, kind: ProductKind, refusals: Refusals): number | null
}

/** As a dimension's file lists it; the rubric adds the dimension. */
export type RuleOfDimension = Omit<Rule, 'dimension'>
