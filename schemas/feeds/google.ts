/** Google's product feed, the search-shopping platform: what it refuses and how a product is written for it. */
import { googleLine } from './google-line.ts'
import { googleRules } from './google-rules.ts'
import type { FeedProblem, FeedProduct, FeedProfile } from './profile.ts'

const none: readonly FeedProblem[] = []

function problems(p: FeedProduct): readonly FeedProblem[] {
  let found: FeedProblem[] | null = null
  for (const { field, broken } of googleRules) {
    const reason = broken(p)
    if (reason === null) continue
    found ??= []
    found.push({ field, reason })
  }
  return found ?? none
}

export const googleProfile: FeedProfile = {
  platform: 'google',
  version: 3,
  bit: 1,
  aliases: ['search-shopping'],
  problems,
  line: googleLine,
}
