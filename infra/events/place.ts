/** Where an event stands on the log, as the event store keeps it, and the bound by which many questions see the same events. */
import type { EventPlace } from '../../schemas/event-row.ts'
import type { Bound } from './port.ts'

/** How far a consumer has come in a partition. */
export interface Passed {
  readonly epoch: number
  readonly partition: number
  /** One past the last that was read. */
  readonly next: number
}

/** The greatest of 64 bits, and 2^48, each as what stands before its last ten digits and these: numbers reckon so in a tenth of the time of BigInt. */
const tenDigits = 1e10
const most = { high: 1_844_674_407, low: 3_709_551_615 }
const perEpoch = { high: 28_147, low: 4_976_710_656 }
export const streamOf = (epoch: number, partition: number) => String(epoch * 0x1_0000 + partition)
/** Falls along the log: of copies of an event, all of which stand in one partition, the store keeps the greatest, which is the first. */
function rankOf(epoch: number, offset: number): string {
  const low = most.low - epoch * perEpoch.low - offset
  const carried = Math.floor(low / tenDigits)
  const high = most.high - epoch * perEpoch.high + carried
  return `${high}${String(low - carried * tenDigits).padStart(10, '0')}`
}

/** The other way round. */
export const partitionOfStream = (stream: number) => ({
  epoch: Math.floor(stream / 0x1_0000),
  partition: stream % 0x1_0000,
})

export const placeOf = (epoch: number, partition: number, offset: number): EventPlace => ({
  stream: streamOf(epoch, partition),
  rank: rankOf(epoch, offset),
})

/** Rows of a store from before places are of stream 0 and in every snapshot. */
const unplaced = { stream: '0', rank: '0' }

/** Whether an event stands before where the log was passed; one of a partition that is not named does not. */
export const upToSql = `log_rank > transform(log_stream, cast({streams:Array(String)} as Array(UInt32)), cast({ranks:Array(String)} as Array(UInt64)), toUInt64(${2n ** 64n - 1n}))`

export const upToBound = (passed: readonly Passed[]): Bound => ({
  streams: [unplaced.stream, ...passed.map(({ epoch, partition }) => streamOf(epoch, partition))],
  ranks: [unplaced.rank, ...passed.map(({ epoch, next }) => rankOf(epoch, next))],
})
