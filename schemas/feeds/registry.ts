/** The platforms that grades ask, and those that Assay writes feeds for. */
import { acpProfile } from './acp.ts'
import { amazonProfile } from './amazon.ts'
import { googleOf2027, googleProfile } from './google.ts'
import { heurekaProfile } from './heureka.ts'
import { metaProfile } from './meta.ts'
import { microsoftProfile } from './microsoft.ts'
import { openaiOf2025, openaiPlatform, openaiProfile } from './openai.ts'
import { pinterestProfile } from './pinterest.ts'
import type { FeedProfile, GradedPlatform } from './profile.ts'
import { tiktokProfile } from './tiktok.ts'
import { yandexProfile } from './yandex.ts'

/** In the order of their bits. */
export const platforms: readonly GradedPlatform[] = [googleProfile, metaProfile, openaiPlatform]

/** All feeds, each platform at its present version: the one that is written where nobody names one, and that grades ask. */
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

/** Former versions, which stay servable, and those that platforms have announced. */
const others: readonly FeedProfile[] = [openaiOf2025, googleOf2027]

const byName = new Map(profiles.flatMap((profile) => [profile.platform, ...profile.aliases].map((n) => [n, profile])))

/**
 * @param name a platform's name or one of its aliases, as in `google` or `search-shopping`
 * @param version the present one where none is named
 */
export function profileFor(name: string, version?: number): FeedProfile | undefined {
  const present = byName.get(name)
  if (present === undefined || version === undefined || version === present.version) return present
  return others.find((one) => one.platform === present.platform && one.version === version)
}

/** Of a platform, the oldest first. */
export function versionsOf(name: string): readonly FeedProfile[] {
  const present = byName.get(name)
  if (!present) return []
  return [present, ...others.filter(({ platform }) => platform === present.platform)].sort(
    (a, b) => a.version - b.version,
  )
}
