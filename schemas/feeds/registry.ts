/** The platforms that Assay knows the rules of, and those that it writes feeds for. */
import { googleProfile } from './google.ts'
import { metaPlatform } from './meta.ts'
import { openaiPlatform } from './openai.ts'
import type { FeedProfile, PlatformRules } from './profile.ts'

/** In the order of their bits. */
export const platforms: readonly PlatformRules[] = [googleProfile, metaPlatform, openaiPlatform]

/** No route offers a feed of a platform that is not here. */
export const profiles: readonly FeedProfile[] = [googleProfile]

const byName = new Map(profiles.flatMap((profile) => [profile.platform, ...profile.aliases].map((n) => [n, profile])))

/** @param name a platform's name or one of its aliases, as in `google` or `search-shopping` */
export const profileFor = (name: string): FeedProfile | undefined => byName.get(name)
