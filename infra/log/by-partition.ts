/** Parts records by their partition, each part in their order; those whose key is no UUID stand under NaN. */
import type { Log, NewRecord } from './port.ts'

/** In a loop: `Map.groupBy` took 0.3 µs of each record that is sent to Kafka. */
export function byPartition(
  records: readonly NewRecord[],
  partitionOf: Log['partitionOf'],
): Map<number, readonly NewRecord[]> {
  const parts = new Map<number, NewRecord[]>()
  for (const record of records) {
    const partition = partitionOf(record.key)
    const part = parts.get(partition)
    if (part) part.push(record)
    else parts.set(partition, [record])
  }
  return parts
}
