/** The profile that a name means in a workspace: a platform's, or one that the workspace made of one. */
import type { Pool, PoolClient } from 'pg'
import { findOwnProfile, ownVersions } from '../../infra/catalog/feed-profiles.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { ownProfile } from '../../schemas/feeds/own-profile.ts'
import type { OwnProfile } from '../../schemas/feeds/own-rules.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { profileFor, versionsOf } from '../../schemas/feeds/registry.ts'

/** Made profiles by what they are made of, so that the checks of one are compiled once. */
const made = new Map<string, FeedProfile>()
const mostMade = 200

/** @returns undefined where nobody writes the platform's version any more */
export function madeProfile({ name, version, platform, platformVersion, rules }: OwnProfile): FeedProfile | undefined {
  const base = profileFor(platform, platformVersion)
  if (!base) return undefined
  const key = JSON.stringify([name, version, platform, platformVersion, rules])
  const known = made.get(key)
  if (known) return known
  const profile = ownProfile(base, { name, version, platformVersion, rules })
  const [oldest] = made.keys()
  if (made.size >= mostMade && oldest !== undefined) made.delete(oldest)
  made.set(key, profile)
  return profile
}

/** @param version the present one where none is named */
export async function findProfile(
  client: Pool | PoolClient,
  workspace: string,
  name: string,
  version?: number,
): Promise<FeedProfile | undefined> {
  const known = profileFor(name, version)
  if (known || profileFor(name)) return known
  const own = await findOwnProfile(client, workspace, name, version)
  return own ? madeProfile(own) : undefined
}

/** @throws FEED_001 that names the versions there are */
export async function noVersion(tx: PoolClient, workspace: string, name: string, version: number): Promise<never> {
  const platforms = versionsOf(name).map((one) => (one.from ? `${one.version} (from ${one.from})` : `${one.version}`))
  const own = platforms.length > 0 ? [] : (await ownVersions(tx, workspace, name)).toReversed()
  const message = `Nobody writes ${name} at version ${version}; there are ${[...platforms, ...own].join(', ') || 'none'}`
  throw new ServiceError('FEED_001', { message, field: 'profile_version' })
}
