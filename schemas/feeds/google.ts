/** Google's product feed, the search-shopping platform: what it refuses and how a product is written for it. */
import { googleFields } from './google-fields.ts'
import { googleImage } from './google-image.ts'
import { googleRules } from './google-rules.ts'
import { googleImagesOf2027 } from './image-limits.ts'
import type { FeedProfile, GradedPlatform } from './profile.ts'
import { profileOf } from './profile-of.ts'
import { rss } from './rss.ts'

const platform = 'google'

const shared = {
  platform,
  aliases: ['search-shopping'],
  native: 'xml',
  table: { listSeparator: ',' },
  xml: rss,
  fields: googleFields,
} as const

export const googleProfile: FeedProfile & GradedPlatform = {
  ...profileOf({ ...shared, version: 4, rules: googleRules }),
  ...{ platform, bit: 1 },
}

/** What Google has announced: larger images. Grades ask the present version until that day. */
export const googleOf2027: FeedProfile = profileOf({
  ...shared,
  ...{ version: 5, from: '2027-01-31' },
  rules: googleRules.map((rule) => (rule.field === 'image_link' ? googleImage(googleImagesOf2027) : rule)),
})
