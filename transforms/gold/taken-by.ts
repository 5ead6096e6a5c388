/** What is left of a field's points when platforms refuse the product over it: all, some or nothing. */

import type { Platform } from '../../schemas/feeds/profile.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import type { Refusals } from './rule.ts'

/**
 * Percent that a platform's refusal costs: Google's most, since it is the one that counts where a brand configured none. No two
 * sets of platforms have one sum, so the percent alone says who refuses.
 */
export const costOf: Readonly<Record<Platform, number>> = { google: 60, meta: 25, openai: 15 }
const costs = platforms.map(({ platform }) => costOf[platform])

/** @param attributes what the platforms call the field */
export function takenBy(refusals: Refusals, attributes: readonly string[]): number {
  let percent = 100
  for (let i = 0; i < costs.length; i++) {
    const problems = refusals[i]
    if (problems === undefined || problems.length === 0) continue
    if (problems.some(({ field }) => attributes.includes(field))) percent -= costs[i] ?? 0
  }
  return percent
}
