/** The platforms that grades ask, and those that Assay writes feeds for. */
import { acpProfile } from './acp.ts'
import { amazonProfile } from './amazon.ts'
import { googleProfile } from './google.ts'
import { heurekaProfile } from './heureka.ts'
import { metaProfile } from './meta.ts'
import { microsoftProfile } from './microsoft.ts'
import { openaiPlatform, openaiProfile } from './openai.ts'
import { pinterestProfile } from './pinterest.ts'
import type { FeedProfile, GradedPlatform } from './profile.ts'
import { tiktokProfile } from './tiktok.ts'
import { yandexProfile } from './yandex.ts'

/** In the order of their bits. */
export const platforms: readonly GradedPlatform[] = [googleProfile, metaProfile, openaiPlatform]

/** All feeds, each platform at the version that is written where nobody names one. */
export const profiles: readonly FeedProfile[] = [
  googleProfile,
  metaProfile,
  openaiProfile,
  acpProfile,
  pinterestProfile,
  tiktokProfile,
  microsoftProfile,
  amazonProfile,
  heurekaProfile,
  yandexProfile,
]

/** Former versions, which stay servable. */
const former: readonly FeedProfile[] = []

const byName = new Map(profiles.flatMap((profile) => [profile.platform, ...profile.aliases].map((n) => [n, profile])))

/**
 * @param name a platform's name or one of its aliases, as in `google` or `search-shopping`
 * @param version the newest where none is named
 */
export function profileFor(name: string, version?: number): FeedProfile | undefined {
  const newest = byName.get(name)
  if (newest === undefined || version === undefined || version === newest.version) return newest
  return former.find((one) => one.platform === newest.platform && one.version === version)
}
