/** The record by which a product came to be: when, and as whose, it was made. */
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import type { HistoryEntry } from '../bronze/refold.ts'

/** Of a redrive the dead record that it brought back. @returns undefined where no record counts */
export function firstRecord(history: readonly HistoryEntry[]): BronzeRecord | undefined {
  const first = history.find(({ refused }) => !refused)?.record
  if (first?.op !== 'redrive') return first
  const { origin, says } = first
  const isOrigin = ({ position: { epoch, partition, offset } }: HistoryEntry) =>
    epoch === origin?.epoch && partition === origin.partition && offset === origin.offset
  return says ?? history.find(isOrigin)?.record ?? first
}
