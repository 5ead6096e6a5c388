/** For what a platform refuses a product: its rules, one after another; empty where it takes the product. */
import type { FeedProblem, FeedProduct, PlatformRules } from './profile.ts'

const none: readonly FeedProblem[] = []

export function problemsOf({ rules }: PlatformRules, p: FeedProduct): readonly FeedProblem[] {
  let found: FeedProblem[] | null = null
  for (const rule of rules) {
    const reason = rule.broken(p)
    if (reason === null) continue
    found ??= []
    const { field, mends } = rule
    found.push(mends === undefined ? { field, reason } : { field, reason, mends })
  }
  return found ?? none
}
