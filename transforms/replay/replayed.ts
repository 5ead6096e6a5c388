/** A product's row out of its records alone, met one by one as a worker met them: what stands where no row does. */
import type { Applied, Lookups, ProductState } from '../apply.ts'
import { wholeHistory } from '../bronze/history.ts'
import type { HistoryEntry } from '../bronze/refold.ts'
import { withoutRepeats } from '../bronze/without-repeats.ts'
import { advance, start } from '../moving.ts'
import type { ProductWrite } from '../ports.ts'
import { writeOf } from '../product-write.ts'
import type { ProductTopology } from '../topology.ts'
import { firstRecord } from './first-record.ts'

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
  const first = firstRecord(met)
  if (!first) return null
  const product = start(first, null)
  let gradedAt = first.at
  for (const [at, entry] of met.entries()) {
    if (entry.refused) continue
    product.touched = false
    advance(product, appliedTo(product.state, entry, met.slice(0, at + 1), lookups, topology), entry.record)
    if (product.touched) gradedAt = entry.record.at
  }
  return { ...writeOf(product, topology.grade, () => lookups.settings), gradedAt }
}

function appliedTo(
  state: ProductState | null,
  { record, position }: HistoryEntry,
  upToIt: readonly HistoryEntry[],
  lookups: Lookups,
  topology: ProductTopology,
): Applied {
  if (record.op === 'put' || record.op === 'withdraw') return topology.apply(state, record, position, lookups)
  const { layers } = topology.refold(wholeHistory(upToIt))
  if (layers === null) throw new Error(`${record.op} of a product without any record`)
  return topology.settle(state, layers, lookups, null)
}
