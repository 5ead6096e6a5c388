/** A stored product refined anew, under the settings of now: what a settings change and a batch run over silver do. Pure. */
import { type Lookups, settleInSilver } from './apply.ts'
import type { ProductWrite, StoredProduct } from './ports.ts'
import { writeOf } from './product-write.ts'
import type { ProductTopology } from './topology.ts'

/** A product as the catalog has it, and whose it is. */
export interface StoredRow extends StoredProduct {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly id: string
}

/**
 * @param at when this happens, ISO 8601
 * @throws where a rule of gold cannot read what silver made
 */
export function refreshed(row: StoredRow, lookups: Lookups, grade: ProductTopology['grade'], at: string): ProductWrite {
  const { state } = settleInSilver(row, row.layers, lookups, null)
  const contentChanged = state.content !== row.content || state.alive !== row.alive
  const { workspace, brand, catalog, id: product, sid, createdAt } = row
  const first = { workspace, brand, catalog, product, sid, at: createdAt }
  return writeOf(
    { before: row, state, contentChanged, moved: contentChanged, first, last: { at } },
    grade,
    () => lookups.settings,
  )
}
