/** A refined product as feeds see it: every grade and every feed makes it here, so that both judge the same thing. */
import type { ProductKind, RefinedProduct } from '../product.ts'
import type { FeedProduct } from './profile.ts'

/**
 * @param id the product id, which stands in for a SKU
 * @param at when it is judged, ISO 8601: a grade by the time of the record that asks for it, a feed by that of reading
 */
export const feedProduct = (product: RefinedProduct, id: string, kind: ProductKind, at: string): FeedProduct => ({
  id: product.sku ?? id,
  itemGroupId: kind === 'variant' ? product.itemGroupId : null,
  product,
  at,
})
