/** Channels on which products are met, who records what happens there, and which events say that. */
import { type Platform, platformNames } from './feeds/profile.ts'

export type FeedChannel = `feed:${Platform}`
export const channelNames = [
  ...platformNames.map((name): FeedChannel => `feed:${name}`),
  'search',
  'recommendations',
  'tools',
] as const
export type Channel = FeedChannel | 'search' | 'recommendations' | 'tools'

/** Assay records reads of its feeds itself: nothing recorded there is nothing that happened. Of the others only callers tell. */
export const recorderOf = (channel: Channel): 'assay' | 'callers' => (channel.startsWith('feed:') ? 'assay' : 'callers')

/** Of a feed's events `metadata.platform` says which. */
export const channelOfType = {
  feed_read: 'feed',
  search: 'search',
  search_zero_hit: 'search',
  recommendation_shown: 'recommendations',
  tool_call: 'tools',
} as const

/** By day, catalog and channel, those that appeared most often. */
export const mostProductsKept = 10_000
