/** What a target asks of the changes that it is sent: how a product and its removal are written for it, and by what name it knows them. */
import type { DeltaOptions } from '../../schemas/delta.ts'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'

/** A product as it stands in a published version. */
export interface DeltaProduct {
  readonly id: string
  readonly kind: ProductKind
  /** The SKU, where no other product had the same. */
  readonly feedId: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** When the version was published, ISO 8601. */
  readonly publishedAt: string
  readonly version: number
  readonly product: RefinedProduct
}

export interface DeltaShape {
  /** One that gets another name is removed under the former and added under the new one. */
  nameOf(p: DeltaProduct, options: DeltaOptions): string
  product(p: DeltaProduct, change: 'added' | 'modified', options: DeltaOptions): unknown
  removal(p: DeltaProduct, options: DeltaOptions): unknown
  /** What the target's fields cannot say, and how it is sent instead; told in the API document. */
  readonly says: string
}
