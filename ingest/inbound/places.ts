/** Where on the log each message of a batch stands, by partition: after the records of those before it, before the records of those after it. */
import type { OffsetRange } from '../../infra/log/port.ts'
import type { LogPlace } from '../../transforms/ports.ts'

interface Appended {
  readonly epoch: number
  /** Of the whole topic, which records of the batch may or may not be part of. */
  readonly ends: readonly number[]
  /** What the append of the batch's records answered. */
  readonly ranges: readonly OffsetRange[]
}

/**
 * @param made the partitions of each message's records
 * @returns one for each message
 */
export function placesOf(made: readonly (readonly number[])[], { epoch, ends, ranges }: Appended): LogPlace[] {
  const offsets = new Map<number, number[]>()
  for (const { partition, from, to } of ranges) {
    const list = offsets.get(partition) ?? []
    for (let offset = from; offset < to; offset++) list.push(offset)
    offsets.set(partition, list)
  }
  const next = ends.map((end, partition) => offsets.get(partition)?.[0] ?? end)
  return made.map((partitions) => {
    const place = { epoch, ends: [...next] }
    for (const partition of partitions) {
      const offset = offsets.get(partition)?.shift()
      if (offset !== undefined) next[partition] = offset + 1
    }
    return place
  })
}
