/** Which records of the log choose the products of a replay: by offset, by time, by import, by catalog and key. */
import type { BronzeRecord } from '../../schemas/pipeline.ts'

export interface ReplayRange {
  /** Per partition, from an offset up to, not including, another; null: of all partitions, all that the log has. */
  readonly offsets: readonly { readonly partition: number; readonly from: number; readonly to: number }[] | null
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
  readonly partition: number
  readonly from: number
  readonly to: number
}

/** Whether the range is said by products alone, so that no record need be read to know them. */
export const isOfProducts = ({ offsets, since, until, import: of }: ReplayRange): boolean =>
  offsets === null && since === null && until === null && of === null

/**
 * In order of partition; none of them is empty.
 * @param below where the sink is in each partition: what lies beyond has no row yet
 */
export function stretchesOf({ offsets }: ReplayRange, below: readonly number[]): Stretch[] {
  const wanted = offsets ?? below.map((to, partition) => ({ partition, from: 0, to }))
  return wanted
    .map(({ partition, from, to }) => ({ partition, from: Math.max(0, from), to: Math.min(to, below[partition] ?? 0) }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.partition - b.partition || a.from - b.from)
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
