/** Google's product feed, the search-shopping platform: what it refuses and how a product is written for it. */
import { googleLine } from './google-line.ts'
import { googleRules } from './google-rules.ts'
import type { FeedProfile } from './profile.ts'

export const googleProfile: FeedProfile = {
  platform: 'google',
  version: 4,
  bit: 1,
  aliases: ['search-shopping'],
  rules: googleRules,
  line: googleLine,
}
