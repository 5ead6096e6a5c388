/** What a platform asks of a product, and how Assay writes one for it: the shapes of feed rules and feed profiles. */
import type { Field, RefinedProduct } from '../product.ts'

/** A product as feeds see it: with the two ids that no refined field holds alone. */
export interface FeedProduct {
  /** The SKU, else the product id. */
  readonly id: string
  /** The parent's SKU, else the family's key; null for a single. */
  readonly itemGroupId: string | null
  readonly product: RefinedProduct
  /** When it is judged, ISO 8601: by that its dates are past, or too far ahead. */
  readonly at: string
}

/** One reason why the platform refuses a product. */
export interface FeedProblem {
  /** The attribute as the platform names it. */
  readonly field: string
  /** A sentence for the merchant: what is wrong, and what would be right. */
  readonly reason: string
  /** As its rule says. */
  readonly mends?: Field
}

/** One attribute, and for what the platform refuses a product over it. */
export interface PlatformRule {
  readonly field: string
  /** What the platform asks, in its own limits. */
  readonly asks: string
  /** The page that says so. */
  readonly source: string
  /** The field of ours that has to be mended, where it is another than the attribute's own: a price lacks its currency. */
  readonly mends?: Field
  /** What is wrong and what would be right; null where the attribute may go out. */
  broken(p: FeedProduct): string | null
}

export const platformNames = ['google', 'meta', 'openai'] as const
export type Platform = (typeof platformNames)[number]

/** A platform whose rules are known, whether or not Assay writes for it yet: grades say whether it would take the product. */
export interface PlatformRules {
  readonly platform: Platform
  /** Grows when a rule changes; stored lines and verdicts name the version they were made with. The rubric's grows with it. */
  readonly version: number
  /** A power of two: the platform's bit in a grade's `valid`. Never used again for another. */
  readonly bit: number
  /** Other names under which callers may ask for the platform. */
  readonly aliases: readonly string[]
  readonly rules: readonly PlatformRule[]
}

export interface FeedProfile extends PlatformRules {
  /** The product in the platform's own attribute names, always in the same order; unknown attributes are left out. */
  line(p: FeedProduct): Record<string, unknown>
}
