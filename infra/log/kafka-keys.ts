/** Reads single products out of Kafka by passing over their partitions, for as long as nothing says where their records are. */
import type { KafkaReader } from './kafka-read.ts'
import type { Log, StoredRecord } from './port.ts'

const answerBytes = 4 * 1024 * 1024
/** Of one pass. */
const keysAtOnce = 10_000
/** What one pass holds of its keys' records; beyond it half of the keys wait for another pass. */
const heldBytes = 64 * 1024 * 1024

export async function* scanForKeys(
  reader: KafkaReader,
  topic: string,
  keys: readonly string[],
  below: readonly number[],
  partitionOf: Log['partitionOf'],
  from: readonly number[] = [],
): AsyncGenerator<StoredRecord> {
  const first = await reader.offsets(topic, 'first')
  for (const [partition, own] of Map.groupBy(new Set(keys.map((key) => key.toLowerCase())), partitionOf)) {
    const waiting = [...own]
    while (waiting.length > 0) {
      const records = new Map<string, StoredRecord[]>(waiting.splice(0, keysAtOnce).map((key) => [key, []]))
      const range = { from: Math.max(first[partition] ?? 0, from[partition] ?? 0), to: below[partition] ?? 0 }
      waiting.push(...(await pass(reader, topic, partition, range, records)))
      for (const list of records.values()) yield* list
    }
  }
}

/** Adds the records of the keys of `into`, in order of offset. @returns the keys that it had no room for */
async function pass(
  reader: KafkaReader,
  topic: string,
  partition: number,
  { from, to }: { from: number; to: number },
  into: Map<string, StoredRecord[]>,
): Promise<string[]> {
  const left: string[] = []
  let held = 0
  for (let next = from; next < to; ) {
    const answer = await reader.batches(topic, partition, next, answerBytes)
    if (answer === null) break
    next = answer.next
    for (const record of answer.batches.flatMap((records) => records())) {
      const list = record.offset < to ? into.get(record.key) : undefined
      if (!list) continue
      // Copied, so that it does not hold all of its batch.
      list.push({ ...record, value: Buffer.from(record.value) })
      held += record.value.length
    }
    for (; held > heldBytes && into.size > 1; held = bytesOf(into)) {
      const half = [...into.keys()].slice(Math.ceil(into.size / 2))
      for (const key of half) into.delete(key)
      left.push(...half)
    }
  }
  return left
}

function bytesOf(records: ReadonlyMap<string, readonly StoredRecord[]>): number {
  let bytes = 0
  for (const list of records.values()) for (const { value } of list) bytes += value.length
  return bytes
}
