/** What a merchant may tell search to do with what it finds: which products stand where, which are left out, which come sooner or later. */
import { z } from 'zod'
import { productId } from './ids.ts'

const text = z.string().trim().min(1).max(500)
const mostValues = 50

/** What is picked out: of each list any will do, and of lists that are given all must hold. Written as the filters of a search are. */
const selection = z.strictObject({
  products: z.array(productId).max(500).default([]),
  brands: z.array(text).max(mostValues).default([]),
  categories: z.array(text).max(mostValues).default([]),
  attributes: z.array(text).max(mostValues).default([]),
})
export type Selection = z.output<typeof selection>

/** Both lists given, both must hold; none given, it holds always. */
export const ruleCondition = z.strictObject({
  queries: z.array(z.string().trim().min(1).max(512)).max(mostValues).default([]),
  match: z.enum(['exact', 'contains']).default('exact'),
  categories: z.array(text).max(mostValues).default([]),
})
export type RuleCondition = z.output<typeof ruleCondition>

/** Of these a boost may take so many, either way; all of them are what lies between the best and the worst that is found. */
export const mostSteps = 10

export const ruleContent = z.strictObject({
  when: ruleCondition.prefault({}),
  pins: z
    .array(z.strictObject({ product: productId, position: z.int().min(1).max(200) }))
    .max(mostValues)
    .default([]),
  hide: z.array(selection).max(mostValues).default([]),
  boosts: z
    .array(
      selection.extend({
        steps: z
          .int()
          .min(-mostSteps)
          .max(mostSteps)
          .refine((steps) => steps !== 0, 'moves nothing: it is 1 to 10, or -1 to -10'),
      }),
    )
    .max(mostValues)
    .default([]),
})
export type RuleContent = z.output<typeof ruleContent>

/** One that holds for a search. */
export interface SearchRule extends RuleContent {
  readonly id: string
  /** null: all of the brand's. */
  readonly catalog: string | null
  /** null: whatever is searched in. */
  readonly locale: string | null
  /** The greater counts first. */
  readonly priority: number
}
