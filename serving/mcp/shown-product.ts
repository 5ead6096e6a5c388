/** A published product as agents are shown it. */
import { z } from 'zod'
import type { PublishedResource } from '../search/published-resource.ts'
import { asShare } from './score-of.ts'

export const shownProduct = z.looseObject({
  product_id: z.string(),
  title: z.string().nullable(),
  price: z.number().nullable(),
  currency: z.string().nullable(),
})

type Some<T> = { readonly [name in keyof T]?: T[name] | undefined }

/** What it does not have is left out: lists are long enough. */
export function toShown(product: Some<PublishedResource>): z.infer<typeof shownProduct> {
  const { id = '', title = null, price = null, currency = null, optimizationScore, feedReady } = product
  const more = {
    ...{ sku: product.sku, gtin: product.gtin, brand: product.brand, sale_price: product.salePrice },
    ...{ availability: product.availability, condition: product.condition, link: product.link },
    ...{ image: product.primaryImageUrl, category: product.categoryPath?.join(' > ') || null },
    score: optimizationScore == null ? null : asShare(optimizationScore),
  }
  return {
    ...{ product_id: id, title, price, currency },
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => value != null)),
    ...(feedReady !== undefined && { feed_ready: feedReady }),
  }
}
