/** For what a platform refuses a product: its rules, one after another; empty where it takes the product. */
import type { FeedProblem, FeedProduct, PlatformRules } from './profile.ts'

const none: readonly FeedProblem[] = []

export function problemsOf({ rules }: PlatformRules, p: FeedProduct): readonly FeedProblem[] {
  let found: FeedProblem[] | null = null
  for (const rule of rules) {
    const reason = rule.broken(p)
    if (reason === null) continue
    found ??= []
    found.push({ field: rule.field, reason })
  }
  return found ?? none
}
