/** Reads Kafka's batches of records (magic 2, KIP-98) out of what a broker answered: heads at once, and records when they are wanted. */
import { zstdDecompressSync } from 'node:zlib'
import type { StoredRecord } from './port.ts'

export interface KafkaBatch {
  readonly firstOffset: number
  readonly lastOffset: number
  readonly attributes: number
  readonly producerId: bigint
  readonly count: number
  readonly crc: number
  /** What the checksum is of. */
  readonly checked: Buffer
}

export interface Unpacking {
  readonly partition: number
  /** Records before it are left out: a batch is answered whole. */
  readonly from: number
  readonly withHeaders: boolean
}

/** What of it the driver has. */
export interface Codecs {
  crc32c(bytes: Buffer): number
  /** By the lowest three bits of a batch's attributes. */
  decompress(codec: number, bytes: Buffer): Buffer
}

/** Where the fields of a batch stand, in bytes; those behind the checksum from there. */
const head = { length: 8, leaderEpoch: 12, crc: 17, attributes: 21 } as const
const checked = { lastOffsetDelta: 2, producerId: 22, count: 36, records: 40 } as const
const codecBits = 0b111
const zstd = 4

/** The last may be cut off: brokers count bytes. */
export function batchesIn(bytes: Buffer): KafkaBatch[] {
  const found: KafkaBatch[] = []
  for (let at = 0; at + head.leaderEpoch <= bytes.length; ) {
    const end = at + head.leaderEpoch + bytes.readInt32BE(at + head.length)
    if (end > bytes.length) break
    const own = bytes.subarray(at + head.attributes, end)
    const firstOffset = Number(bytes.readBigInt64BE(at))
    found.push({
      firstOffset,
      lastOffset: firstOffset + own.readInt32BE(checked.lastOffsetDelta),
      attributes: own.readInt16BE(0),
      producerId: own.readBigInt64BE(checked.producerId),
      count: own.readInt32BE(checked.count),
      crc: bytes.readUInt32BE(at + head.crc),
      checked: own,
    })
    at = end
  }
  return found
}

/** @throws where it is not as it was written */
export function recordsOf(batch: KafkaBatch, unpacking: Unpacking, codecs: Codecs): StoredRecord[] {
  const { firstOffset, count } = batch
  const { partition, from, withHeaders } = unpacking
  const bytes = unpacked(batch, codecs)
  const records: StoredRecord[] = []
  let at = 0

  const number = () => {
    let raw = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number
      raw |= (byte & 127) << shift
      if (!(byte > 127)) return (raw >>> 1) ^ -(raw & 1)
    }
  }
  const pass = () => {
    while ((bytes[at++] as number) > 127);
  }
  /** @returns where it ends; null where it is none */
  const end = () => {
    const size = number()
    return size < 0 ? null : at + size
  }
  const headers = () => {
    const found: Record<string, string> = {}
    for (let left = number(); left > 0; left--) {
      const name = text(end())
      // The last of a name counts.
      found[name] = text(end())
    }
    return found
  }
  const text = (to: number | null) => {
    if (to === null) return ''
    const said = bytes.toString('utf8', at, to)
    at = to
    return said
  }

  for (let i = 0; i < count; i++) {
    const size = number()
    const next = at + size
    if (next > bytes.length) throw new Error(`the batch at offset ${firstOffset} has fewer records than it says`)
    // Attributes, and the distance of its time from the batch's.
    at++
    pass()
    const offset = firstOffset + number()
    if (offset >= from) {
      const key = text(end())
      const to = end()
      const value = to === null ? none : bytes.subarray(at, to)
      if (withHeaders) {
        at = to ?? at
        records.push({ partition, offset, key, value, headers: headers(), ...(to === null ? { noValue: true } : {}) })
      } else records.push({ partition, offset, key, value })
    }
    at = next
  }
  return records
}

/** Of a mark, which is a batch of one record: its length, four numbers of a byte each, and then the key. */
export const keyOfFirst = ({ checked: own }: KafkaBatch): Buffer => own.subarray(checked.records + 5)

const none = Buffer.alloc(0)

function unpacked({ attributes, crc, checked: own, firstOffset }: KafkaBatch, { crc32c, decompress }: Codecs): Buffer {
  if (crc32c(own) !== crc)
    throw new Error(`the batch at offset ${firstOffset} is not as it was written: its checksum is another`)
  const packed = own.subarray(checked.records)
  const codec = attributes & codecBits
  if (codec === 0) return packed
  return codec === zstd ? zstdDecompressSync(packed, { chunkSize: roomFor(packed) }) : decompress(codec, packed)
}

/** Of a zstd frame (RFC 8878, 3.1.1.1), whose head may say what its content comes to. What is more than this is gathered in pieces of it. */
const [smallestRoom, largestRoom] = [64 * 1024, 16 * 1024 * 1024]
const packedTimes = 6

function roomFor(frame: Buffer): number {
  const descriptor = frame[4] ?? 0
  const single = (descriptor >> 5) & 1
  const sizeBytes = [single, 2, 4, 8][descriptor >> 6] ?? 0
  const from = 5 + (1 - single) + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  const said = sizeBytes === 4 && frame.length >= from + 4 ? frame.readUInt32LE(from) + 1 : frame.length * packedTimes
  return Math.min(largestRoom, Math.max(smallestRoom, said))
}
