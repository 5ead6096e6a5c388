/** A product's row out of its records alone, met one by one as a worker met them: what stands where no row does. */
import { type Applied, hasMoved, type Lookups, type ProductState } from '../apply.ts'
import type { HistoryEntry } from '../bronze/refold.ts'
import { withoutRepeats } from '../bronze/without-repeats.ts'
import type { ProductWrite } from '../ports.ts'
import { writeOf } from '../product-write.ts'
import type { ProductTopology } from '../topology.ts'

/**
 * What a worker judged or buried is not judged again. Times are those of the records; when the product was refined or graded for
 * another reason, as for new settings, no record says.
 * @param history all of the product's records
 * @returns null where none of them counts
 */
export function replayed(
  history: readonly HistoryEntry[],
  lookups: Lookups,
  topology: ProductTopology,
): ProductWrite | null {
  const met = withoutRepeats(history)
  const counting = met.flatMap((entry, at) => (entry.refused ? [] : [{ entry, upTo: at + 1 }]))
  const first = counting[0]?.entry.record
  if (!first) return null
  let state: ProductState | null = null
  let [updatedAt, gradedAt] = [first.at, first.at]
  for (const { entry, upTo } of counting) {
    const after: ProductState = appliedTo(state, entry, met.slice(0, upTo), lookups, topology).state
    const seen: boolean = state === null || after.content !== state.content || after.alive !== state.alive
    if (seen || (after.product === null && state !== null && hasMoved(state.layers, after.layers)))
      updatedAt = entry.record.at
    if (seen || after.layers !== state?.layers) gradedAt = entry.record.at
    state = after
  }
  const moving = { before: null, state, first, last: { at: updatedAt }, contentChanged: true, moved: true }
  return { ...writeOf(moving, topology.grade, () => lookups.settings), gradedAt }
}

function appliedTo(
  state: ProductState | null,
  { record, position }: HistoryEntry,
  upToIt: readonly HistoryEntry[],
  lookups: Lookups,
  topology: ProductTopology,
): Applied {
  if (record.op === 'put' || record.op === 'withdraw') return topology.apply(state, record, position, lookups)
  const { layers } = topology.refold(upToIt)
  if (layers === null) throw new Error(`${record.op} of a product without any record`)
  return topology.settle(state, layers, lookups, null)
}
