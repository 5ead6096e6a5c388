/** Leaves out of an answer of the brokers what was written in transactions that were aborted: it was never said. */
import type { Consumer } from '@platformatic/kafka'

type Answer = Awaited<ReturnType<Consumer['fetch']>>
type Partition = Answer['responses'][number]['partitions'][number]
type Batch = NonNullable<Partition['records']>[number]

const controlBit = 1 << 5
const transactionalBit = 1 << 4

/** Marks of a transaction's end have a version and a kind as their key: 0 is an abort (KIP-98). */
const isAbort = ({ records: [mark] }: Batch) => mark?.key?.readInt16BE(2) === 0

/**
 * As KIP-98 has it: a transaction's records are left out from where the broker says that it began until its mark, whether the mark is in
 * this answer or not. The driver leaves out one transaction of a producer, and only where its mark is in the same answer.
 */
export function withoutAborted({ records, abortedTransactions }: Partition): readonly Batch[] {
  if (!abortedTransactions?.length) return records ?? []
  const begins = abortedTransactions.toSorted((a, b) => Number(a.firstOffset - b.firstOffset))
  const aborted = new Set<bigint>()
  return (records ?? []).filter((batch) => {
    const last = batch.firstOffset + BigInt(batch.lastOffsetDelta)
    while (begins[0] && begins[0].firstOffset <= last) aborted.add(begins.shift()?.producerId ?? -1n)
    if (batch.attributes & controlBit) {
      if (isAbort(batch)) aborted.delete(batch.producerId)
      return true
    }
    return !(batch.attributes & transactionalBit && aborted.has(batch.producerId))
  })
}
