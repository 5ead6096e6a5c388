/** An epoch that is closed, read within its bounds: what stands behind its end on the same engine is the next one's. */
import type { EpochReader } from './port.ts'

/** @param ends by topic, one past the last offset of each partition */
export function formerEpoch(log: EpochReader, ends: Readonly<Record<string, readonly number[]>>): EpochReader {
  const { epoch, partitions, partitionOf, read, readKeys } = log
  const none = Array.from({ length: partitions }, () => 0)
  const endsOf = (topic: string) => ends[topic] ?? none
  return {
    ...{ epoch, partitions, partitionOf, readKeys },
    ends: async (topic) => endsOf(topic),
    async read(topic, partition, from, limit) {
      const end = endsOf(topic)[partition] ?? 0
      return from < end ? (await read(topic, partition, from, limit)).filter(({ offset }) => offset < end) : []
    },
  }
}
