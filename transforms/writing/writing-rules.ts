/** What is written for a platform and a brand: limits, and words that are always or never used. */
import type { AiSpec } from '../../schemas/brand.ts'
import type { Platform } from '../../schemas/feeds/profile.ts'

export interface WritingRules {
  readonly titleLimit: number
  readonly descriptionLimit: number
  readonly keywordsAlways: readonly string[]
  readonly keywordsNever: readonly string[]
}

/** In code points: interface.md for the social platform, ../shared/spec/feeds.md 1.1 and section 7 for the two others. */
const limits: Readonly<Record<Platform, readonly [title: number, description: number]>> = {
  google: [150, 5_000],
  meta: [150, 9_999],
  openai: [150, 5_000],
}

/** @param platforms a text for several fits the tightest */
export function writingRules(platforms: readonly Platform[], spec: AiSpec): WritingRules {
  const of = platforms.map((platform) => limits[platform])
  return {
    titleLimit: Math.min(...of.map(([title]) => title)),
    descriptionLimit: Math.min(...of.map(([, description]) => description)),
    keywordsAlways: spec.keywords_always,
    keywordsNever: spec.keywords_never,
  }
}
