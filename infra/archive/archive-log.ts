/** One round of archiving: every partition of every topic, from where its last file ended to where the log ended when the round came to it. */
import type { Pool } from 'pg'
import type { Scratch } from '../../ingest/scratch.ts'
import type { ArchivedRange } from '../../schemas/archive.ts'
import { allTopics } from '../../schemas/topics.ts'
import { embeddedTopics, whileArchiving } from '../catalog/archive-queries.ts'
import type { Log } from '../log/port.ts'
import { recordColumns } from './record-columns.ts'
import { type ArchivePlace, clearUnfinished, writeRange } from './write-range.ts'

export interface Round {
  /** Partitions whose oldest record not yet archived is younger are left for another time; 0 takes all. */
  readonly olderThanMs: number
  readonly now: Date
  readonly signal: AbortSignal
  readonly topics?: readonly string[]
  /** Told of each file as soon as it counts. */
  readonly onRange?: (range: ArchivedRange) => void
}

export interface ArchiveParts extends ArchivePlace {
  /** The log itself, and not what reads log and archive as one. */
  readonly log: Log
  /** Makes an empty scratch; whoever asks closes it. */
  readonly newScratch: () => Promise<Scratch>
  /** One past the last archived offset of each partition; where this epoch begins, as long as nothing of it is archived. */
  readonly archivedTo: (topic: string) => Promise<readonly number[]>
}

/**
 * What a killed round has written counts, and the next goes on behind it.
 * @returns files written; null where another process is at it
 */
export async function archiveLog(parts: ArchiveParts, round: Round): Promise<number | null> {
  return whileArchiving(parts.pool, async () => {
    await clearUnfinished(parts)
    let files = 0
    for (const topic of round.topics ?? (await topicsOf(parts.pool))) {
      const ends = await parts.log.ends(topic)
      const begun = await parts.archivedTo(topic)
      const begins = await parts.log.begins(topic)
      for (const [partition, end] of ends.entries()) {
        // What was dropped before it was archived is in no file, and a verification tells so.
        const from = Math.max(begun[partition] ?? 0, begins[partition] ?? 0)
        if (from < end && (await isDue(parts.log, topic, partition, from, round)))
          files += await archivePartition(parts, { topic, partition, from, end }, round)
      }
    }
    return files
  })
}

/** Those that tenants write to too, where the log is embedded: a segment has records of all. */
const topicsOf = async (pool: Pool) => new Set([...allTopics, ...(await embeddedTopics(pool))])

/** A record without a time is due: it can be of any age. */
async function isDue(log: Log, topic: string, partition: number, from: number, { olderThanMs, now }: Round) {
  if (olderThanMs === 0) return true
  const [oldest] = await log.read(topic, partition, from, 1)
  const time = oldest ? recordColumns(oldest.value).time : null
  return time === null || now.getTime() - time >= olderThanMs
}

/** A scratch for each file: what DuckDB has once taken it gives back only when it closes. */
async function archivePartition(
  parts: ArchiveParts,
  { topic, partition, from, end }: { topic: string; partition: number; from: number; end: number },
  { now, signal, onRange }: Round,
): Promise<number> {
  const today = now.toISOString().slice(0, 10)
  let files = 0
  for (let next = from; next < end; files++) {
    signal.throwIfAborted()
    const scratch = await parts.newScratch()
    try {
      const range = await writeRange(
        parts,
        parts.log,
        scratch,
        { topic, partition, from: next, end },
        { today, signal },
      )
      if (range === null) break
      next = range.to
      onRange?.(range)
    } finally {
      await scratch.close()
    }
  }
  return files
}
