/** With what a brand's feed for a platform is made: the profile at the version that the brand has set for it, else the present one, and its settings. */
import type { Pool, PoolClient } from 'pg'
import type { ConfigSettings } from '../../infra/catalog/feed-configs.ts'
import type { Distribution } from '../../infra/catalog/feed-distributions.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { findProfile } from './find-profile.ts'

export interface MadeWith {
  readonly profile: FeedProfile
  readonly settings: ConfigSettings
}

/**
 * @param present the present profile of that name
 * @param configured all platforms that the brand has said anything of; where it has said nothing it is on each
 * @returns `off` where the brand is not on the platform, `unwritten` where nobody writes the version any more that it has set
 */
export async function madeWith(
  client: Pool | PoolClient,
  workspace: string,
  present: FeedProfile,
  configured: readonly Distribution[],
): Promise<MadeWith | 'off' | 'unwritten'> {
  const own = configured.find(({ platform }) => platform === present.platform)
  if (configured.length > 0 && !own?.enabled) return 'off'
  const set = own?.profileVersion
  const profile = set ? await findProfile(client, workspace, present.platform, set) : present
  return profile ? { profile, settings: settingsFor(profile, own) } : 'unwritten'
}

/** @param own what the brand has set for it */
const settingsFor = (profile: FeedProfile, own: Distribution | undefined): ConfigSettings => ({
  platform: profile.platform,
  profileVersion: profile.version,
  linkTemplate: own?.linkTemplate ?? null,
  tracking: own?.tracking ?? {},
  options: own?.options ?? {},
})
