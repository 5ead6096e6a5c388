/** The event of a product that is read as one that a search found. */
import { z } from 'zod'
import type { PublishedProduct } from '../../infra/catalog/published-products.ts'
import type { RecordedEvent } from '../../schemas/event.ts'
import { type SearchChannel, searchKeys } from '../../schemas/search-event.ts'

export const searchId = z.uuid().toLowerCase()
/** As events of callers have it. */
export const sessionId = z.string().max(200)

interface Opening {
  readonly channel: SearchChannel
  readonly search_id: string
  readonly session_id?: string | undefined
  readonly agent?: RecordedEvent['agent'] | null
}

export const openedEvent = (
  { id, brand, catalog }: Pick<PublishedProduct, 'id' | 'brand' | 'catalog'>,
  { channel, search_id, session_id, agent }: Opening,
): RecordedEvent => ({
  ...{ type: 'product_view', brand, catalog, product: id },
  ...(session_id && { session: session_id }),
  ...(agent && { agent }),
  metadata: { [searchKeys.channel]: channel, [searchKeys.search]: search_id },
})
