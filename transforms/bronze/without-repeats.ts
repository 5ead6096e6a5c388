/** A product's history without the repeats of an append whose answer was lost: what the worker dropped, a refold must not count. */
import { admit, sentAs } from './admit.ts'
import type { HistoryEntry } from './refold.ts'

/**
 * @param history all of one product's records in order of position, those left out for another reason included
 * @param taken by import or job the highest number of records before these; it goes on with these
 */
export function withoutRepeats(
  history: Iterable<HistoryEntry>,
  taken: Map<string, number> = new Map(),
): HistoryEntry[] {
  const kept: HistoryEntry[] = []
  for (const entry of history) {
    const sent = sentAs(entry.record)
    if (admit(entry.record, sent === null ? undefined : taken.get(sent.of)).kind === 'drop') continue
    if (sent !== null) taken.set(sent.of, sent.number)
    kept.push(entry)
  }
  return kept
}
