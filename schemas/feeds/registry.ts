/** The platforms that grades ask, and those that Assay writes feeds for. */
import { googleProfile } from './google.ts'
import { metaPlatform } from './meta.ts'
import { openaiPlatform } from './openai.ts'
import type { FeedProfile, GradedPlatform } from './profile.ts'

/** In the order of their bits. */
export const platforms: readonly GradedPlatform[] = [googleProfile, metaPlatform, openaiPlatform]

/** All feeds, each platform at the version that is written where nobody names one. */
export const profiles: readonly FeedProfile[] = [googleProfile]

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
