/** Which records of the log choose the products of a replay: by offset, by time, by import, by catalog and key. */
import type { BronzeRecord } from '../../schemas/pipeline.ts'

export interface ReplayRange {
  /** Per partition, from an offset up to, not including, another; null: of all partitions of all epochs, all that the log has. */
  readonly offsets: readonly NamedStretch[] | null
  /** Records of this time or later, ISO 8601; null: however old. */
  readonly since: string | null
  /** Records before this time. */
  readonly until: string | null
  readonly import: string | null
  /** Product ids; null: of any product. */
  readonly keys: readonly string[] | null
}

/** Offsets of one partition that are read. */
export interface Stretch {
  readonly epoch: number
  readonly partition: number
  readonly from: number
  readonly to: number
}

/** Where no epoch is said, the present one is meant. */
type NamedStretch = Omit<Stretch, 'epoch'> & { readonly epoch?: number | undefined }

/** What an epoch has, by partition; of the present one as far as the sink is, since what lies beyond has no row yet. */
export interface EpochStretches {
  readonly epoch: number
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Whether the range is said by products alone, so that no record need be read to know them. */
export const isOfProducts = ({ offsets, since, until, import: of }: ReplayRange): boolean =>
  offsets === null && since === null && until === null && of === null

/**
 * In order of epoch and partition; none of them is empty.
 * @param epochs the present one last
 */
export function stretchesOf({ offsets }: ReplayRange, epochs: readonly EpochStretches[]): Stretch[] {
  const wanted =
    offsets ?? epochs.flatMap(({ epoch, to }) => to.map((end, partition) => ({ epoch, partition, from: 0, to: end })))
  return wanted
    .map(({ epoch = epochs.at(-1)?.epoch ?? 0, partition, from, to }) => {
      const has = epochs.find((one) => one.epoch === epoch)
      const [first, end] = [has?.from[partition] ?? 0, has?.to[partition] ?? 0]
      return { epoch, partition, from: Math.max(first, from), to: Math.min(to, end) }
    })
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.epoch - b.epoch || a.partition - b.partition || a.from - b.from)
}

/** Of a record that stands at an offset of the range. */
export function chooses({ since, until, import: of, keys }: Prepared, record: BronzeRecord): boolean {
  if (of !== null && record.import !== of) return false
  if (keys !== null && !keys.has(record.product)) return false
  if (since === null && until === null) return true
  const at = Date.parse(record.at)
  return (since === null || at >= since) && (until === null || at < until)
}

/** A range as it is asked record by record. */
export interface Prepared {
  readonly since: number | null
  readonly until: number | null
  readonly import: string | null
  readonly keys: ReadonlySet<string> | null
}

export const prepared = ({ since, until, import: of, keys }: ReplayRange): Prepared => ({
  since: since === null ? null : Date.parse(since),
  until: until === null ? null : Date.parse(until),
  import: of,
  keys: keys === null ? null : new Set(keys),
})
