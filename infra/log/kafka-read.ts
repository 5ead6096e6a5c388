/** Reads stored records by offset from Kafka: whole batches, the rest of an answer kept for whoever reads on. */
import type { Consumer } from '@platformatic/kafka'
import { withoutAborted } from './kafka-aborted.ts'
import { batchesIn, type Codecs, recordsOf } from './kafka-decode.ts'
import { errorId, told } from './kafka-errors.ts'
import type { WholePartition } from './kafka-whole-batches.ts'
import type { Log, StoredRecord } from './port.ts'

/** Of one answer, compressed: four thousand product records and more. */
const answerBytes = 1024 * 1024
/** A read ends early at it, so that records of megabytes do not fill the memory. */
const readBytes = 16 * 1024 * 1024
/** What a record takes in an answer about, so that few are asked for where few are wanted. */
const recordBytes = 512
/** Partitions whose rest of an answer is kept; they are let go in the order of their use. */
const keptAnswers = 64

export interface KafkaReader {
  readonly read: Log['read']
  /** One answer of the broker from an offset on; null at the end, and of a topic that is not there. */
  batches(topic: string, partition: number, from: number, maxBytes: number): Promise<Answer | null>
  /** @param of the first that is kept, or one past the last */
  offsets(topic: string, of: 'first' | 'end'): Promise<readonly number[]>
}

interface Answer {
  /** The records of each stored batch, unpacked when it is called; those before the offset that was asked for are left out. */
  readonly batches: readonly (() => readonly StoredRecord[])[]
  /** Where to ask next. */
  readonly next: number
  /** Nothing stands behind it yet. */
  readonly isLast: boolean
}

interface Rest {
  readonly from: number
  readonly answer: Answer
}

const controlBit = 1 << 5
const timestamps = { first: -2n, end: -1n } as const

/** @param consumer one that leaves batches whole @param name the topic on the brokers @param headers of topics that others write to; ours have none */
export function openReader(
  consumer: Consumer,
  codecs: Codecs,
  name: (topic: string) => string,
  { headers: withHeaders = false }: { headers?: boolean } = {},
): KafkaReader {
  const rests = new Map<string, Rest>()
  /** By broker: its fetch session takes one request at a time. */
  const turns = new Map<number, Promise<unknown>>()

  /** Asked twice at most: a topic that is not there is the caller's to know, soon. */
  const find = async (topic: string) => (await consumer.metadata({ topics: [topic], retries: 1 })).topics.get(topic)

  async function leaderOf(topic: string, partition: number): Promise<{ id: string; leader: number } | null> {
    const found = await find(topic)
    const leader = found?.partitions[partition]?.leader
    return found === undefined || leader === undefined ? null : { id: found.id, leader }
  }

  function inTurn<T>(broker: number, work: () => Promise<T>): Promise<T> {
    const mine = (turns.get(broker) ?? Promise.resolve()).then(work)
    turns.set(
      broker,
      mine.catch(() => {}),
    )
    return mine
  }

  async function fetch(topic: string, partition: number, from: number, maxBytes: number): Promise<Answer | null> {
    const at = await leaderOf(topic, partition)
    if (at === null) return null
    consumer.topics.track(topic)
    const place = { partition, fetchOffset: BigInt(from), partitionMaxBytes: maxBytes }
    const { responses } = await inTurn(at.leader, () =>
      consumer.fetch({
        node: at.leader,
        maxWaitTime: 0,
        maxBytes,
        topics: [{ topicId: at.id, partitions: [{ ...place, currentLeaderEpoch: -1, lastFetchedEpoch: -1 }] }],
      }),
    )
    const found = responses.flatMap(({ partitions }) => partitions as WholePartition[])[0]
    const stored = found?.whole ? batchesIn(found.whole) : []
    // All that came, for where to ask next.
    const last = stored.at(-1)
    if (!found || !last) return null
    const batches = withoutAborted(stored, found.abortedTransactions)
      .filter(({ attributes }) => !(attributes & controlBit))
      .map((batch) => () => recordsOf(batch, { partition, from, withHeaders }, codecs))
    const next = last.lastOffset + 1
    return { batches, next, isLast: next >= Number(found.highWatermark) }
  }

  async function batches(topic: string, partition: number, from: number, maxBytes: number): Promise<Answer | null> {
    try {
      return await fetch(name(topic), partition, from, maxBytes)
    } catch (error) {
      if (isUnknown(error)) return null
      if (!errorId(error, 'OFFSET_OUT_OF_RANGE')) throw told(error)
      // Before the first that is kept, or behind the end.
      const first = (await offsets(topic, 'first'))[partition] ?? 0
      return from < first ? batches(topic, partition, first, maxBytes) : null
    }
  }

  async function offsets(topic: string, of: keyof typeof timestamps): Promise<readonly number[]> {
    try {
      await find(name(topic))
      const found = await consumer.listOffsets({ topics: [name(topic)], timestamp: timestamps[of] })
      return (found.get(name(topic)) ?? []).map(Number)
    } catch (error) {
      if (isUnknown(error)) return []
      throw told(error)
    }
  }

  function keep(place: string, rest: Rest): void {
    rests.set(place, rest)
    const [oldest] = rests.keys()
    if (rests.size > keptAnswers && oldest !== undefined) rests.delete(oldest)
  }

  return {
    batches,
    offsets,
    async read(topic, partition, from, limit) {
      const place = `${topic}/${partition}`
      const rest = rests.get(place)
      rests.delete(place)
      const wanted = Math.min(answerBytes, limit * recordBytes)
      let answer = rest?.from === from ? rest.answer : await batches(topic, partition, from, wanted)
      const records: StoredRecord[] = []
      let bytes = 0
      while (answer !== null) {
        for (const [i, batch] of answer.batches.entries()) {
          if (records.length >= limit || bytes >= readBytes) {
            keep(place, {
              from: (records.at(-1)?.offset ?? from) + 1,
              answer: { ...answer, batches: answer.batches.slice(i) },
            })
            return records
          }
          for (const record of batch()) {
            records.push(record)
            bytes += record.value.length
          }
        }
        if (records.length >= limit || bytes >= readBytes || answer.isLast) return records
        answer = await batches(topic, partition, answer.next, wanted)
      }
      return records
    },
  }
}

/** The driver has a sentence for it, and no name. */
const isUnknown = (error: unknown): boolean =>
  errorId(error, 'UNKNOWN_TOPIC_OR_PARTITION') || /^Unknown topic /.test((error as Error | null)?.message ?? '')
