/** Leaves out of an answer of the brokers what was written in transactions that were aborted: it was never said. */
import { type KafkaBatch, keyOfFirst } from './kafka-decode.ts'
import type { WholePartition } from './kafka-whole-batches.ts'

const controlBit = 1 << 5
const transactionalBit = 1 << 4

/** Marks of a transaction's end have a version and a kind as their key: 0 is an abort (KIP-98). */
const isAbort = (mark: KafkaBatch) => keyOfFirst(mark).readInt16BE(2) === 0

/**
 * As KIP-98 has it: a transaction's records are left out from where the broker says that it began until its mark, whether the mark is in
 * this answer or not.
 */
export function withoutAborted(
  batches: readonly KafkaBatch[],
  abortedTransactions: WholePartition['abortedTransactions'],
): readonly KafkaBatch[] {
  if (!abortedTransactions?.length) return batches
  const begins = abortedTransactions.toSorted((a, b) => Number(a.firstOffset - b.firstOffset))
  const aborted = new Set<bigint>()
  return batches.filter((batch) => {
    while (begins[0] && begins[0].firstOffset <= batch.lastOffset) aborted.add(begins.shift()?.producerId ?? -1n)
    if (batch.attributes & controlBit) {
      if (isAbort(batch)) aborted.delete(batch.producerId)
      return true
    }
    return !(batch.attributes & transactionalBit && aborted.has(batch.producerId))
  })
}
