/** A product's history without the repeats of an append whose answer was lost: what the worker dropped, a refold must not count. */
import { admit } from './admit.ts'
import type { HistoryEntry } from './refold.ts'

/**
 * @param history all of one product's records in order of position, those left out for another reason included
 * @param taken by import the highest seq of records before these; it goes on with these
 */
export function withoutRepeats(
  history: Iterable<HistoryEntry>,
  taken: Map<string, number> = new Map(),
): HistoryEntry[] {
  const kept: HistoryEntry[] = []
  for (const entry of history) {
    const { import: of, op, seq } = entry.record
    if (admit(entry.record, of === undefined ? undefined : taken.get(of)).kind === 'drop') continue
    if (of !== undefined && op === 'put') taken.set(of, seq)
    kept.push(entry)
  }
  return kept
}
