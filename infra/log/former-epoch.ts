/** An epoch that is closed, read within its bounds: what stands behind its end on the same engine is the next one's. */
import { EpochClosed } from './fenced.ts'
import type { Log } from './port.ts'

/** @param ends by topic, one past the last offset of each partition */
export function formerEpoch(log: Log, ends: Readonly<Record<string, readonly number[]>>): Log {
  const none = Array.from({ length: log.partitions }, () => 0)
  const endsOf = (topic: string) => ends[topic] ?? none
  return {
    ...log,
    append: async () => {
      throw new EpochClosed(log.epoch)
    },
    async begins(topic) {
      const begins = await log.begins(topic)
      return endsOf(topic).map((end, partition) => Math.min(begins[partition] ?? 0, end))
    },
    ends: async (topic) => endsOf(topic),
    async read(topic, partition, from, limit) {
      const end = endsOf(topic)[partition] ?? 0
      return from < end ? (await log.read(topic, partition, from, limit)).filter(({ offset }) => offset < end) : []
    },
  }
}
