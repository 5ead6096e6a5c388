/** How often a product was met on a channel on one day, beside the snapshot before. */
import { z } from 'zod'
import type { VisibleProduct } from '../../infra/catalog/visibility-queries.ts'
import { mostProductsKept } from '../../schemas/visibility.ts'

export const visibleProduct = z.object({
  productId: z.uuid(),
  sku: z.string().nullable(),
  title: z.string().nullable(),
  /** Events that it appeared in. */
  appearances: z.int(),
  share: z.number(),
  /** Since the snapshot before; null where that does not know, or one of the two days was not over. */
  change: z.object({ appearances: z.int(), share: z.number() }).nullable(),
})

interface Of {
  readonly complete: boolean
  readonly events: number
  readonly unnamed: number
  readonly seen: number | null
}

const places = 1e6
const rounded = (share: number) => Math.round(share * places) / places

export function shareOf(
  { id, sku, title, appearances, before }: VisibleProduct,
  now: Of,
  then: Of | null,
): z.infer<typeof visibleProduct> {
  const share = appearances / (now.events - now.unnamed)
  const former = formerly(before, then)
  return {
    ...{ productId: id, sku, title, appearances, share: rounded(share) },
    change:
      former === null || !now.complete
        ? null
        : { appearances: appearances - former.appearances, share: rounded(share - former.share) },
  }
}

/** One that is not kept did not appear, as long as all that appeared are kept. */
function formerly(before: number | null, then: Of | null): { appearances: number; share: number } | null {
  if (!then?.complete || then.events === then.unnamed) return null
  const appearances = before ?? (then.seen !== null && then.seen <= mostProductsKept ? 0 : null)
  return appearances === null ? null : { appearances, share: appearances / (then.events - then.unnamed) }
}
