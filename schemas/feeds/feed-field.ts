/** One attribute of a platform's lines: what it is called, when it is needed, where its value comes from and what it looks like. */
import type { Field, RefinedProduct } from '../product.ts'
import type { FeedProduct } from './profile.ts'
import type { Shape } from './shapes.ts'

/** A reason for which the platform takes no product with such a value. */
export interface Refusal {
  /** What the platform asks, in its own limits. */
  readonly asks: string
  /** As in a rule. */
  readonly mends?: Field
  broken(p: FeedProduct): string | null
}

export interface FieldValue {
  /** Of a value that goes out. */
  readonly shape: Shape
  /** As the platform writes it; null, empty text or an empty list where there is none, and where what there is does not fit. */
  of(product: RefinedProduct, feed: FeedProduct): unknown
  readonly refusals?: readonly Refusal[]
}

export interface FeedField extends FieldValue {
  readonly name: string
  /** The page that says so. */
  readonly source: string
  /** In every line, or in those where another attribute has one of some values. */
  readonly need?: 'always' | { readonly where: string; readonly is: readonly string[] }
}
