import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchesIn, recordsOf } from '../../../infra/log/kafka-decode.ts'
import { openEncoder, stamp } from '../../../infra/log/kafka-encode.ts'

/** Any sum will do where one side only is ours. */
const crc32c = (bytes: Buffer) => bytes.reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7)
const codecs = {
  crc32c,
  decompress: () => {
    throw new Error('nothing else was packed')
  },
}

/** One, so that what was written before is written over. */
const encode = openEncoder()

/** As it stands on the broker, which gives it its place. */
function stored(records: readonly (readonly [string, string | Buffer])[], firstOffset = 0): Buffer {
  const batch = encode(
    records.map(([key, value]) => ({ key, value })),
    1_764_460_800_000,
  )
  stamp(batch, { producerId: 4n, producerEpoch: 1, sequence: 9 }, crc32c)
  batch.writeBigInt64BE(BigInt(firstOffset), 0)
  return batch
}

const read = (bytes: Buffer, from = 0, withHeaders = false) =>
  batchesIn(bytes).flatMap((batch) => recordsOf(batch, { partition: 3, from, withHeaders }, codecs))

test('what is encoded is read as it was, whatever its length and letters', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 9_000 }).map(Buffer.from))
  const records = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), value), { minLength: 1, maxLength: 90 })
  fc.assert(
    fc.property(records, fc.nat(2 ** 40), (said, first) => {
      const expected = said.map(([key, value], i) => ({
        ...{ partition: 3, offset: first + i, key, value: Buffer.from(value as string) },
      }))
      expect(read(stored(said, first))).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

test('batches follow one another; one that is cut off is left for the next answer, and so is what stands before the offset', () => {
  const long = 'x'.repeat(70_000)
  const bytes = Buffer.concat([
    stored(
      [
        ['a', '1'],
        ['b', long],
      ],
      10,
    ),
    stored([['c', '3']], 12),
    stored([['d', '4']], 13),
  ])
  expect(read(bytes, 11).map(({ offset, key }) => [offset, key])).toEqual([
    [11, 'b'],
    [12, 'c'],
    [13, 'd'],
  ])
  for (const missing of [1, 60, 70])
    expect(read(bytes.subarray(0, bytes.length - missing), 11).map(({ key }) => key)).toEqual(['b', 'c'])
})

test('a byte that is another than was written is told, and nothing of its batch is read', () => {
  const bytes = stored([['a', 'value']], 7)
  for (const at of [30, bytes.length - 3]) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] as number) ^ 1
    expect(() => read(damaged)).toThrow('the batch at offset 7 is not as it was written')
  }
})

test('the place in all that its producer sent is stamped anew without a byte of the records changing', () => {
  const batch = stored([['a', '1']])
  const once = Buffer.from(batch)
  stamp(batch, { producerId: 5n, producerEpoch: 0, sequence: 2 ** 31 - 1 }, crc32c)
  expect([batch.readBigInt64BE(43), batch.readInt16BE(51), batch.readInt32BE(53)]).toEqual([5n, 0, 2 ** 31 - 1])
  expect(batch.subarray(57)).toEqual(once.subarray(57))
  expect(read(batch)).toHaveLength(1)
})

/** By hand, as others write: no value, a name twice among the headers; then no key, and a value of no length. */
const theirs = Buffer.from([
  ...[34, 0, 4, 0, 2, 0x6b, 1, 6, 2, 0x68, 2, 0x31, 2, 0x68, 2, 0x32, 0, 0],
  ...[14, 0, 0x81, 1, 2, 1, 0, 0],
])

function byHand(packed: Buffer, codec: number, count: number): Buffer {
  const bytes = Buffer.alloc(61)
  bytes.writeInt32BE(49 + packed.length, 8)
  bytes.writeInt16BE(codec, 21)
  bytes.writeInt32BE(count - 1, 23)
  bytes.writeInt32BE(count, 57)
  const whole = Buffer.concat([bytes, packed])
  whole.writeUInt32BE(crc32c(whole.subarray(21)), 17)
  return whole
}

test.each([
  ['as they are', 0, theirs],
  ['as zstd', 4, zstdCompressSync(theirs)],
  ['as what the driver unpacks', 2, theirs],
] as const)('headers are read where they are asked for, and a missing value is none, packed %s', (_, codec, packed) => {
  const [batch] = batchesIn(byHand(packed, codec, 2))
  if (!batch) throw new Error('no batch')
  const asked = { partition: 0, from: 0 }
  const driver = { crc32c, decompress: (_: number, bytes: Buffer) => bytes }
  expect(recordsOf(batch, { ...asked, withHeaders: true }, driver)).toEqual([
    { partition: 0, offset: 0, key: 'k', value: Buffer.alloc(0), headers: { h: '2', '': '' }, noValue: true },
    { partition: 0, offset: 1, key: '', value: Buffer.alloc(0), headers: {} },
  ])
  expect(recordsOf(batch, { ...asked, withHeaders: false }, driver).map(({ offset }) => offset)).toEqual([0, 1])
})

test('a batch with fewer records than it says is refused', () => {
  expect(() => read(byHand(theirs.subarray(0, 20), 0, 2))).toThrow('fewer records than it says')
})
