/** What platforms ask of the variants of one group together, which no variant shows by itself: as data, each with the pages it comes from. */
import { googleAnswer, metaVariants, openaiProducts } from './platform-pages.ts'
import type { Platform } from './profile.ts'

export const familyCodes = ['attributes_differ', 'variants_alike', 'too_many_variants'] as const
export type FamilyCode = (typeof familyCodes)[number]

export interface FamilyAsk {
  readonly asks: string
  readonly by: readonly Platform[]
  readonly sources: readonly string[]
}

export const familyAsks: Readonly<Record<FamilyCode, FamilyAsk>> = {
  attributes_differ: {
    asks: 'every variant of a group has the same attributes filled',
    by: ['google', 'meta', 'openai'],
    sources: [googleAnswer(12472646), metaVariants, openaiProducts],
  },
  variants_alike: {
    asks: 'no two variants of a group have the same values',
    by: ['meta', 'openai'],
    sources: [metaVariants, openaiProducts],
  },
  too_many_variants: { asks: 'at most 800 variants of a group', by: ['meta'], sources: [metaVariants] },
}

/** Google keeps one of two products that have the same attributes and the same GTIN (its answer 11091521). */
export const ofOneGtin: Platform = 'google'

export const mostVariants = 800
