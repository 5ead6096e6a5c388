/** The platforms that Assay writes feeds for. */
import { googleProfile } from './google.ts'
import type { FeedProfile } from './profile.ts'

export const profiles: readonly FeedProfile[] = [googleProfile]

const byName = new Map(profiles.flatMap((profile) => [profile.platform, ...profile.aliases].map((n) => [n, profile])))

/** @param name a platform's name or one of its aliases, as in `google` or `search-shopping` */
export const profileFor = (name: string): FeedProfile | undefined => byName.get(name)
