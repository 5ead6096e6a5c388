import { expect, test } from 'vitest'
import { withoutAborted } from '../../../infra/log/kafka-aborted.ts'
import type { KafkaBatch } from '../../../infra/log/kafka-decode.ts'

/** Before a mark's key: of its batch what the checksum is of, and five numbers of the record. */
const before = 40 + 5
const batch = (producerId: bigint, offset: number, attributes: number, key = Buffer.alloc(0)): KafkaBatch => ({
  ...{ producerId, firstOffset: offset, lastOffset: offset, attributes, count: 1, crc: 0 },
  checked: Buffer.concat([Buffer.alloc(before), key]),
})
const said = (producer: bigint, offset: number) => batch(producer, offset, 1 << 4)
const plain = (offset: number) => batch(-1n, offset, 0)
const mark = (producer: bigint, offset: number, kind: 0 | 1) =>
  batch(producer, offset, (1 << 4) | (1 << 5), Buffer.from([0, 0, 0, kind]))
const [abort, commit] = [0, 1] as const

function left(
  batches: readonly KafkaBatch[],
  aborted: readonly (readonly [producerId: bigint, firstOffset: number])[],
) {
  const abortedTransactions = aborted.map(([producerId, first]) => ({ producerId, firstOffset: BigInt(first) }))
  return withoutAborted(batches, abortedTransactions).map(({ firstOffset }) => firstOffset)
}

test('of one producer each aborted transaction is left out, and what it committed in between is not', () => {
  const records = [
    ...[said(1n, 0), mark(1n, 1, abort), said(1n, 2), mark(1n, 3, commit), said(1n, 4), mark(1n, 5, abort)],
    plain(6),
  ]
  const aborted = [
    [1n, 0],
    [1n, 4],
  ] as const
  expect(left(records, aborted)).toEqual([1, 2, 3, 5, 6])
})

test('one whose mark is in a later answer is left out, and nobody else with it', () => {
  expect(left([said(1n, 0), said(2n, 1), plain(2), said(1n, 3)], [[1n, 0]])).toEqual([1, 2])
})

test('one that began in an earlier answer is left out to its mark', () => {
  const records = [said(1n, 7), mark(1n, 8, abort), said(1n, 9), mark(1n, 10, commit)]
  expect(left(records, [[1n, 2]])).toEqual([8, 9, 10])
})

test('where nothing was aborted all is as it came', () => {
  expect(left([said(1n, 0), plain(1)], [])).toEqual([0, 1])
})
