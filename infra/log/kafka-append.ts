/** Sends records to Kafka: one request at a time and in it all that waits, so that order holds and what is under way stays bounded. */
import type { Producer } from '@platformatic/kafka'
import { byPartition } from './by-partition.ts'
import { openEncoder } from './kafka-encode.ts'
import { told } from './kafka-errors.ts'
import type { Log, NewRecord, OffsetRange } from './port.ts'

/** Of one batch, before it is packed and by its characters: reading a record unpacks its batch, and a worker takes about so many at a time. A larger record is a batch alone. */
const batchRecords = 2_000
const batchBytes = 2 * 1024 * 1024
/** Of one request, before they are compressed: the most that is under way. */
const requestBytes = 8 * 1024 * 1024

/** Records of one append for one partition that stand in one batch. */
interface Piece {
  /** Shared by the pieces of its append for its partition. */
  readonly line: Line
  readonly topic: string
  readonly partition: number
  readonly records: readonly NewRecord[]
  readonly bytes: number
  settle(base: number | Error): void
}

/** Ended by a batch of it that failed: a repeat is known by the highest number that came, so nothing may stand behind a hole. */
interface Line {
  failure: Error | null
}

interface Batch {
  readonly topic: string
  readonly partition: number
  readonly pieces: Piece[]
  records: number
  bytes: number
}

/** @param open a producer that sends batches whole; after a failed request another, since it is not known what the broker has of the sequence of the former */
export function openSender(open: () => Producer, partitionOf: Log['partitionOf']) {
  const encode = openEncoder()
  let producer = open()
  let waiting: Piece[] = []
  let sending: Promise<void> | null = null

  async function drain(): Promise<void> {
    // What is appended in the same turn goes together.
    await null
    while (waiting.length > 0) {
      const [going, broken] = apart(waiting)
      for (const { line, settle } of broken) settle(line.failure ?? new Error('nothing failed'))
      const { batches, left } = nextRequest(going)
      waiting = left
      if (batches.length > 0) await send(batches)
    }
    sending = null
  }

  async function send(batches: readonly Batch[]): Promise<void> {
    const now = Date.now()
    const messages = batches.map(({ topic, partition, pieces }) => {
      const [first] = pieces
      const records = pieces.length === 1 && first ? first.records : pieces.flatMap(({ records }) => records)
      return { topic, partition, value: encode(records, now) }
    })
    let failure: Error | null = null
    let offsets: readonly { topic: string; partition: number; offset: bigint }[] = []
    try {
      offsets = (await producer.send({ messages })).offsets ?? []
    } catch (cause) {
      failure = told(cause)
      // A part that another leader has acknowledged is on the log.
      offsets = (cause as { produced?: { offsets?: typeof offsets } }).produced?.offsets ?? []
      void producer.close().catch(() => {})
      producer = open()
    }
    const bases = new Map(offsets.map(({ topic, partition, offset }) => [`${topic}/${partition}`, Number(offset)]))
    for (const { topic, partition, pieces } of batches) {
      let base = bases.get(`${topic}/${partition}`)
      for (const piece of pieces) {
        piece.settle(base ?? failure ?? new Error('Kafka gave no offset'))
        if (base !== undefined) base += piece.records.length
      }
    }
  }

  return {
    async append(topic: string, records: readonly NewRecord[]): Promise<readonly OffsetRange[]> {
      const settled: Promise<OffsetRange>[] = []
      for (const [partition, own] of byPartition(records, partitionOf)) {
        const line: Line = { failure: null }
        for (const { records, bytes } of cut(own)) {
          const { promise, resolve, reject } = Promise.withResolvers<OffsetRange>()
          settled.push(promise)
          const settle = (base: number | Error) => {
            if (typeof base === 'number') return resolve({ partition, from: base, to: base + records.length })
            line.failure ??= base
            reject(base)
          }
          waiting.push({ line, topic, partition, records, bytes, settle })
        }
      }
      sending ??= drain()
      // All, so that nothing of a failed append is still under way when its caller goes on.
      const ended = await Promise.allSettled(settled)
      const failed = ended.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      return joined(ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
    },
    async close(): Promise<void> {
      await sending
      await producer.close()
    },
  }
}

const apart = (pieces: readonly Piece[]) =>
  [pieces.filter(({ line }) => !line.failure), pieces.filter(({ line }) => line.failure)] as const

/** In order, at most one batch a partition: what does not fit, and all that follows it there, waits. */
function nextRequest(waiting: readonly Piece[]): { batches: Batch[]; left: Piece[] } {
  const batches = new Map<string, Batch>()
  const full = new Set<string>()
  const left: Piece[] = []
  let bytes = 0
  for (const piece of waiting) {
    const { topic, partition, records } = piece
    const place = `${topic}/${partition}`
    const batch = batches.get(place) ?? { topic, partition, pieces: [], records: 0, bytes: 0 }
    const fits =
      batch.pieces.length === 0 ||
      (batch.records + records.length <= batchRecords && batch.bytes + piece.bytes <= batchBytes)
    if (full.has(place) || !fits || (bytes > 0 && bytes + piece.bytes > requestBytes)) {
      full.add(place)
      left.push(piece)
      continue
    }
    batches.set(place, batch)
    batch.pieces.push(piece)
    batch.records += records.length
    batch.bytes += piece.bytes
    bytes += piece.bytes
  }
  return { batches: [...batches.values()], left }
}

function* cut(records: readonly NewRecord[]): Generator<Pick<Piece, 'records' | 'bytes'>> {
  let from = 0
  let bytes = 0
  for (let i = 0; i < records.length; i++) {
    const size = records[i]?.value.length ?? 0
    if (i > from && (i - from === batchRecords || bytes + size > batchBytes)) {
      yield { records: records.slice(from, i), bytes }
      from = i
      bytes = 0
    }
    bytes += size
  }
  if (records.length > from) yield { records: from === 0 ? records : records.slice(from), bytes }
}

/** Ranges that follow one another as one. */
function joined(ranges: readonly OffsetRange[]): OffsetRange[] {
  const found: OffsetRange[] = []
  for (const range of ranges) {
    const before = found.at(-1)
    if (before?.partition === range.partition && before.to === range.from)
      found[found.length - 1] = { ...before, to: range.to }
    else found.push(range)
  }
  return found
}
