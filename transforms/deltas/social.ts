/** One request of Meta's items_batch: a method, and the item under its id. */
import { feedProduct } from '../../schemas/feeds/feed-product.ts'
import { attributesOf } from '../../schemas/feeds/line-of.ts'
import { metaFields } from '../../schemas/feeds/meta-fields.ts'
import type { DeltaProduct, DeltaShape } from './shape.ts'

const idOf = ({ feedId, id }: DeltaProduct) => feedId ?? id

export const social: DeltaShape = {
  nameOf: idOf,
  removal: (p) => ({ method: 'DELETE', data: { id: idOf(p) } }),
  product(p, change) {
    const feed = { ...feedProduct(p.product, p.id, p.kind, p.publishedAt), id: idOf(p) }
    return { method: change === 'added' ? 'CREATE' : 'UPDATE', data: attributesOf(metaFields, feed) }
  },
  says: 'Each entry goes into `requests` of an `items_batch` of `item_type` `PRODUCT_ITEM` as it is; a part has no more than the 3,000 that Meta advises. Attributes and their limits are those of the feed for Meta; one that a product has lost is left out, and Meta keeps what it had.',
}
