/** Google's product feed, the search-shopping platform: what it refuses and how a product is written for it. */
import { googleFields } from './google-fields.ts'
import { googleRules } from './google-rules.ts'
import type { FeedProfile, GradedPlatform } from './profile.ts'
import { profileOf } from './profile-of.ts'
import { rss } from './rss.ts'

const platform = 'google'

export const googleProfile: FeedProfile & GradedPlatform = {
  ...profileOf({
    ...{ platform, version: 4, aliases: ['search-shopping'] },
    rules: googleRules,
    native: 'xml',
    table: { listSeparator: ',' },
    xml: rss,
    fields: googleFields,
  }),
  ...{ platform, bit: 1 },
}
