/** Encodes records as one batch of Kafka's format (magic 2, KIP-98): in one pass and one buffer, where the driver makes a dozen buffers of each record. */
import { constants, zstdCompressSync } from 'node:zlib'
import type { NewRecord } from './port.ts'

/** Whose batch it is, and its place in all that it sent to the partition: by these the brokers know a repeat. */
export interface Sequenced {
  readonly producerId: bigint
  readonly producerEpoch: number
  readonly sequence: number
}

/** Where the fields of a batch stand, in bytes. */
const at = {
  length: 8,
  leaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  sequence: 53,
  count: 57,
  records: 61,
} as const
const zstd = 4
/** Of a record beside its key and value: five numbers of five bytes at most, and three of one byte. */
const largestNumbers = 28
/** A character's, in UTF-8. */
const largestCharacter = 3
/** Kept to write the next batch into; of that which a huge record needs nothing is kept. */
const keptBytes = 16 * 1024 * 1024

/** @returns a batch without what `stamp` adds */
export function openEncoder(): (records: readonly NewRecord[], now: number) => Buffer {
  let room = Buffer.alloc(0)
  return (records, now) => {
    let most = 0
    for (const { key, value } of records) most += (key.length + value.length) * largestCharacter + largestNumbers
    const out = most <= room.length ? room : Buffer.allocUnsafeSlow(most)
    if (most <= keptBytes) room = out
    return batchOf(records.length, compress(out.subarray(0, writeRecords(out, records))), now)
  }
}

function batchOf(count: number, body: Buffer, now: number): Buffer {
  const batch = Buffer.allocUnsafe(at.records + body.length)
  batch.writeBigInt64BE(0n, 0)
  batch.writeInt32BE(batch.length - at.leaderEpoch, at.length)
  batch.writeInt32BE(-1, at.leaderEpoch)
  batch.writeInt8(2, at.magic)
  batch.writeInt16BE(zstd, at.attributes)
  batch.writeInt32BE(count - 1, at.lastOffsetDelta)
  batch.writeBigInt64BE(BigInt(now), at.firstTimestamp)
  batch.writeBigInt64BE(BigInt(now), at.maxTimestamp)
  batch.writeInt32BE(count, at.count)
  body.copy(batch, at.records)
  return batch
}

export const countOf = (batch: Buffer): number => batch.readInt32BE(at.count)

/** Into the batch itself: it is sent again as it is. */
export function stamp(
  batch: Buffer,
  { producerId, producerEpoch, sequence }: Sequenced,
  crc32c: (bytes: Buffer) => number,
): void {
  batch.writeBigInt64BE(producerId, at.producerId)
  batch.writeInt16BE(producerEpoch, at.producerEpoch)
  batch.writeInt32BE(sequence, at.sequence)
  batch.writeUInt32BE(crc32c(batch.subarray(at.attributes)), at.crc)
}

/** @returns where they end */
function writeRecords(out: Buffer, records: readonly NewRecord[]): number {
  let next = 0
  for (let offset = 0; offset < records.length; offset++) {
    const { key, value } = records[offset] as NewRecord
    const width = widthOf(key.length + value.length)
    const from = next + width
    // Its attributes, and the distance of its time from the batch's.
    out[from] = 0
    out[from + 1] = 0
    let to = writeNumber(out, offset, from + 2)
    to = writeSized(out, key, to)
    to = writeSized(out, value, to)
    // It has no headers.
    out[to++] = 0
    next = placed(out, next, width, to)
  }
  return next
}

function writeSized(out: Buffer, said: string | Buffer, at: number): number {
  const width = widthOf(said.length)
  const from = at + width
  const size = typeof said === 'string' ? out.write(said, from) : said.copy(out, from)
  return placed(out, at, width, from + size)
}

/**
 * Sets the length of what was written before it: room for as many bytes as its characters need was left, so that nothing is measured
 * first, and what needs more or fewer is moved. @returns where it ends
 */
function placed(out: Buffer, at: number, room: number, end: number): number {
  const size = end - at - room
  const width = widthOf(size)
  if (width !== room) out.copyWithin(at + width, at + room, end)
  writeNumber(out, size, at)
  return at + width + size
}

/** As the format has it: seven bits a byte, the lowest first, of twice the number, for it could be negative. */
function writeNumber(out: Buffer, number: number, from: number): number {
  let next = from
  let rest = number * 2
  for (; rest > 127; rest >>>= 7) out[next++] = (rest & 127) | 128
  out[next++] = rest
  return next
}

const widthOf = (number: number) =>
  number < 64 ? 1 : number < 8_192 ? 2 : number < 1_048_576 ? 3 : number < 2 ** 27 ? 4 : 5

/** What comes out is a fourth and less; in small pieces it is gathered from hundreds. */
const compress = (records: Buffer) =>
  zstdCompressSync(records, {
    chunkSize: Math.max(smallestChunk, records.length >> 2),
    params: { [constants.ZSTD_c_compressionLevel]: level },
  })
const smallestChunk = 1_024
/** As in the embedded log: at 3 product records come out no smaller, for a third more time. */
const level = 1
