/** Why two products are held to be one thing, strongest reason first. */
import { z } from 'zod'

export const duplicateReasons = ['gtin', 'mpn_brand', 'url', 'title'] as const
export const duplicateReason = z.enum(duplicateReasons)
export type DuplicateReason = z.infer<typeof duplicateReason>

/** Reasons as bits, in the order of their names: what tables keep. */
export const reasonBits = (reasons: readonly DuplicateReason[]): number =>
  reasons.reduce((bits, reason) => bits | (1 << duplicateReasons.indexOf(reason)), 0)

export const reasonsOf = (bits: number): DuplicateReason[] => duplicateReasons.filter((_, i) => bits & (1 << i))
