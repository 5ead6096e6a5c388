/** With what a brand's feed for a platform is made: the profile at the version that the brand has set for it, else the newest, and its settings. */
import type { ConfigSettings } from '../../infra/catalog/feed-configs.ts'
import type { Distribution } from '../../infra/catalog/feed-distributions.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { profileFor } from '../../schemas/feeds/registry.ts'

export interface MadeWith {
  readonly profile: FeedProfile
  readonly settings: ConfigSettings
}

/**
 * @param newest the platform's newest profile
 * @param configured all platforms that the brand has said anything of; where it has said nothing it is on each
 * @returns `off` where the brand is not on the platform, `unwritten` where nobody writes the version any more that it has set
 */
export function madeWith(newest: FeedProfile, configured: readonly Distribution[]): MadeWith | 'off' | 'unwritten' {
  const own = configured.find(({ platform }) => platform === newest.platform)
  if (configured.length > 0 && !own?.enabled) return 'off'
  const profile = own?.profileVersion ? profileFor(newest.platform, own.profileVersion) : newest
  if (!profile) return 'unwritten'
  const settings = {
    platform: profile.platform,
    profileVersion: profile.version,
    linkTemplate: own?.linkTemplate ?? null,
    tracking: own?.tracking ?? {},
    options: own?.options ?? {},
  }
  return { profile, settings }
}
