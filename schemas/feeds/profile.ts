/** What a platform asks of a product, and how it writes one: the shape of every feed profile. */
import type { RefinedProduct } from '../product.ts'

/** A product as feeds see it: with the two ids that no refined field holds alone. */
export interface FeedProduct {
  /** The SKU, else the product id. */
  readonly id: string
  /** The parent's SKU, else the family's key; null for a single. */
  readonly itemGroupId: string | null
  readonly product: RefinedProduct
}

/** One reason why the platform refuses a product. */
export interface FeedProblem {
  /** The attribute as the platform names it. */
  readonly field: string
  /** A sentence for the merchant: what is wrong, and what would be right. */
  readonly reason: string
}

export interface FeedProfile {
  readonly platform: 'google'
  /** Grows when a rule changes; stored lines and verdicts name the version they were made with. */
  readonly version: number
  /** A power of two: this profile's bit in a grade's `valid`. Never used again for another profile. */
  readonly bit: number
  /** Other names under which callers may ask for the platform. */
  readonly aliases: readonly string[]
  /** Empty where the platform takes the product. */
  problems(p: FeedProduct): readonly FeedProblem[]
  /** The product in the platform's own attribute names, always in the same order; unknown attributes are left out. */
  line(p: FeedProduct): Record<string, unknown>
}
