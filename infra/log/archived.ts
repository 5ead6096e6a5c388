/** A log and its archive read as one: what the log keeps no longer, or finds by key only with a search, comes out of the archive. */
import { LogIncomplete } from '../../schemas/log-incomplete.ts'
import type { Bases, Log, OffsetRange, StoredRecord, WantedBase } from './port.ts'

/** What the archive must answer; `infra/archive/` does. */
export interface LogArchive {
  /** One past the last archived offset of each partition. */
  archivedTo(topic: string): Promise<readonly number[]>
  read(topic: string, partition: number, from: number, limit: number): Promise<readonly StoredRecord[]>
  /** As the log's, of keys that are sorted and each there once. */
  readKeys(
    topic: string,
    keys: readonly string[],
    below: readonly number[],
    from: readonly number[],
  ): AsyncIterable<StoredRecord>
  bases(topic: string, wanted: readonly WantedBase[]): Promise<Bases | null>
  /** Offsets before the last archived one that are in no file. */
  holes(topic: string): Promise<readonly OffsetRange[]>
}

/**
 * Keys of one look into both, and what their records should have together: the log's part of them is held at once, and the archive sorts
 * its own. The first look is small; by what it found the next are as large as they may be, since each opens the archive's files anew.
 */
const look = { first: 2_000, least: 500, most: 32_000, bytes: 32 * 1024 * 1024 }
/** Sorted at once: 100,000 keys are 10 MB. */
const keysSorted = 100_000
/** How long what was seen to be the end is taken for it: nothing is dropped within a day of its append. */
const endHoldsMs = 3_600_000

/**
 * @param keysIn where a key's records are looked for that both have: the embedded log has an index of its own, Kafka has none
 * @param firsts by topic, the first offsets of the log's epoch: before these the archive has nothing of it
 */
export function archivedLog(
  log: Log,
  archive: LogArchive,
  keysIn: 'log' | 'archive',
  firsts: Readonly<Record<string, readonly number[]>> = {},
): Log {
  const first = (topic: string, partition: number) => firsts[topic]?.[partition] ?? 0
  const seenEnds = new Map<string, { from: number; at: number }>()

  /** Asked again and again at its end, which must cost nothing. */
  async function isEnd(topic: string, partition: number, from: number): Promise<boolean> {
    const place = `${topic}/${partition}`
    const seen = seenEnds.get(place)
    const now = performance.now()
    if (seen?.from === from && now - seen.at < endHoldsMs) return true
    const ends = await log.ends(topic)
    if (from < (ends[partition] ?? 0)) return false
    seenEnds.set(place, { from, at: now })
    return true
  }

  return {
    ...log,
    async read(topic, partition, from, limit) {
      const records = await log.read(topic, partition, from, limit)
      if (records[0]?.offset === from) return records
      if (records.length === 0 && (await isEnd(topic, partition, from))) return records
      const begin = (await log.begins(topic))[partition] ?? 0
      // Compaction leaves holes too, and those are no loss. Or it was appended just now: the next read has it.
      if (from >= begin) return records
      const archived = await archive.read(topic, partition, from, limit)
      const last = archived.at(-1) ?? lost(log, topic, partition, from, begin)
      if (archived.length >= limit) return archived
      // Where the archive ends in between, the log goes on.
      return [...archived, ...(await log.read(topic, partition, last.offset + 1, limit - archived.length))]
    },
    // What the archive has from its beginning on is kept as well.
    async begins(topic) {
      const [begins, ends] = [await log.begins(topic), await archive.archivedTo(topic)]
      return begins.map((begin, partition) => (begin <= (ends[partition] ?? 0) ? first(topic, partition) : begin))
    },
    bases: archive.bases,
    async holes(topic) {
      const [begins, ends] = [await log.begins(topic), await archive.archivedTo(topic)]
      const open = begins.flatMap((begin, partition) => {
        const from = ends[partition] ?? 0
        return from < begin ? [{ partition, from, to: begin }] : []
      })
      return [...(await archive.holes(topic)), ...open]
    },
    async *readKeys(topic, keys, below, wanted = []) {
      const begins = await log.begins(topic)
      const from = keysIn === 'log' ? begins : await archive.archivedTo(topic)
      const begin = from.map((_, partition) => Math.max(first(topic, partition), wanted[partition] ?? 0))
      if (from.every((offset, partition) => offset <= (begin[partition] ?? 0)))
        yield* log.readKeys(topic, keys, below, begin)
      else yield* readBoth(log, archive, topic, keys, { begin, from, below })
    },
  }
}

/** Offsets by partition: where the reading begins, where the log takes over from the archive, and where the reading ends. */
interface Stretches {
  readonly begin: readonly number[]
  readonly from: readonly number[]
  readonly below: readonly number[]
}

async function* readBoth(
  log: Log,
  archive: LogArchive,
  topic: string,
  keys: readonly string[],
  { begin, from, below }: Stretches,
): AsyncGenerator<StoredRecord> {
  const distinct = [...new Set(keys.map((key) => key.toLowerCase()))]
  const archivedBelow = below.map((end, partition) => Math.min(end, from[partition] ?? 0))
  const later = from.map((offset, partition) => Math.max(offset, begin[partition] ?? 0))
  let size = look.first
  for (let at = 0; at < distinct.length; at += keysSorted) {
    const sorted = distinct.slice(at, at + keysSorted).sort()
    for (let first = 0, next = 0; first < sorted.length; first = next) {
      next = first + size
      const some = sorted.slice(first, next)
      let bytes = 0
      const kept = new Map<string, StoredRecord[]>()
      for await (const record of log.readKeys(topic, some, below, later)) {
        if (record.offset < (from[record.partition] ?? 0)) continue
        const list = kept.get(record.key)
        if (list) list.push(record)
        else kept.set(record.key, [record])
      }
      for await (const record of keyByKey(archive.readKeys(topic, some, archivedBelow, begin), kept)) {
        bytes += record.value.length
        yield record
      }
      // At most sixteen times as many, so that one look without a record does not decide.
      size = Math.floor(some.length * Math.min(16, look.bytes / Math.max(1, bytes)))
      size = Math.min(look.most, Math.max(look.least, size))
    }
  }
}

/** A key's archived records stand before what the log keeps of it. */
async function* keyByKey(
  archived: AsyncIterable<StoredRecord>,
  kept: Map<string, StoredRecord[]>,
): AsyncGenerator<StoredRecord> {
  let current: string | null = null
  const rest = (key: string | null) => {
    const list = kept.get(key ?? '') ?? []
    kept.delete(key ?? '')
    return list
  }
  for await (const record of archived) {
    if (record.key !== current) yield* rest(current)
    current = record.key
    yield record
  }
  yield* rest(current)
  for (const list of kept.values()) yield* list
}

function lost({ epoch }: Log, topic: string, partition: number, from: number, to: number): never {
  throw new LogIncomplete(
    `${topic}, partition ${partition}: offsets ${from} to ${to - 1} are neither in the log nor in the archive; see assay archive verify`,
    [{ epoch, partition, from, to }],
  )
}
