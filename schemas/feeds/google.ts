/** Google's product feed, the search-shopping platform: what it refuses and how a product is written for it. */
import { googleColumns, googleLine } from './google-line.ts'
import { googleRules } from './google-rules.ts'
import type { FeedProfile, GradedPlatform } from './profile.ts'
import { rss } from './rss.ts'

export const googleProfile: FeedProfile & GradedPlatform = {
  platform: 'google',
  version: 4,
  bit: 1,
  aliases: ['search-shopping'],
  rules: googleRules,
  native: 'xml',
  columns: googleColumns,
  table: { listSeparator: ',' },
  xml: rss,
  line: googleLine,
}
