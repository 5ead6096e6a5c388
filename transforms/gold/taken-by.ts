/** What is left of a field's points when platforms refuse the product over it: all, some or nothing. */
import type { FeedProblem, Platform } from '../../schemas/feeds/profile.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import type { Field } from '../../schemas/product.ts'
import type { Refusals } from './rule.ts'

/**
 * Percent that a platform's refusal costs: Google's most, since it is the one that counts where a brand configured none. No two
 * sets of platforms have one sum, so the percent alone says who refuses.
 */
export const costOf: Readonly<Record<Platform, number>> = { google: 60, meta: 25, openai: 15 }
const costs = platforms.map(({ platform }) => costOf[platform])

/** Whether a platform's rule, or a problem that came of it, is one of this field. */
export const isAbout = (
  { field: attribute, mends }: Pick<FeedProblem, 'field' | 'mends'>,
  field: Field,
  attributes: readonly string[],
): boolean => (mends === undefined ? attributes.includes(attribute) : mends === field)

/** @param attributes what the platforms call the field, if they have a name for it */
export function takenBy(refusals: Refusals, field: Field, attributes: readonly string[]): number {
  let percent = 100
  for (let i = 0; i < costs.length; i++) {
    const problems = refusals[i]
    if (problems === undefined || problems.length === 0) continue
    if (problems.some((problem) => isAbout(problem, field, attributes))) percent -= costs[i] ?? 0
  }
  return percent
}
