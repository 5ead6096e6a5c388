/** A product on its way through a batch: as it was, and as each record leaves it. */
import type { BronzeRecord } from '../schemas/pipeline.ts'
import { type Applied, hasMoved, type ProductState } from './apply.ts'
import type { StoredProduct } from './ports.ts'

export interface Moving {
  readonly before: StoredProduct | null
  state: ProductState | null
  readonly first: BronzeRecord
  last: BronzeRecord
  contentChanged: boolean
  /** Content changed, or cells that nobody has refined yet. */
  moved: boolean
  /** The row must be written though no content changed: layers moved. */
  touched: boolean
}

export function start(record: BronzeRecord, before: StoredProduct | null): Moving {
  return { before, state: before, first: record, last: record, contentChanged: false, moved: false, touched: false }
}

/** @returns whether the record changed anything that can be seen */
export function advance(product: Moving, applied: Applied, record: BronzeRecord): boolean {
  const former = product.state
  const { state } = applied
  const seen = state.content !== former?.content || state.alive !== former.alive
  const raw = state.product === null && (!former || hasMoved(former.layers, state.layers))
  product.contentChanged ||= seen
  product.touched ||= seen || state.layers !== former?.layers
  product.moved ||= seen || raw
  product.state = state
  if (seen || raw) product.last = record
  return seen || raw
}
