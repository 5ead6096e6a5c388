/** The archive of the log as the rest of the system uses it: written day by day, read with the log as one, and what lets old segments of the log go. */
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Pool } from 'pg'
import { openScratch, type Scratch } from '../../ingest/scratch.ts'
import type { Position } from '../../schemas/pipeline.ts'
import { allTopics, topics } from '../../schemas/topics.ts'
import { type Base, baseAt } from '../../transforms/bronze/history.ts'
import { products as topology } from '../../transforms/topology.ts'
import { archiveLog, type Round } from '../archive/archive-log.ts'
import { folderStore } from '../archive/folder-store.ts'
import { readArchivedKeys } from '../archive/read-keys.ts'
import { readLayers } from '../archive/read-layers.ts'
import { openReadOn } from '../archive/read-on.ts'
import { s3Store } from '../archive/s3-store.ts'
import { verifyArchive } from '../archive/verify-archive.ts'
import { writeLayers } from '../archive/write-layers.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { archivedSince, archivedTo, archiveHoles, listArchived } from '../catalog/archive-queries.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Config } from '../config.ts'
import type { LogArchive } from '../log/archived.ts'
import { closeOldSegment, dropSegments, retireSegments } from '../log/drop-segments.ts'
import type { Log } from '../log/port.ts'
import { readToFold } from './read-to-fold.ts'

export type Archiving = ReturnType<typeof openArchiving>

/** What is older is archived in the next round, so that no more than a day and a round is in the log alone. */
const dueMs = 24 * 3600 * 1_000
/** DuckDB holds the records of one file in it, and once more while it sorts them: with half of this it gave up at 128 MB of values. */
const memoryMb = 256

interface Parts {
  readonly config: Pick<Config, 'dataFolder' | 'archive' | 'logRetentionDays'>
  readonly catalog: Catalog
  /** The log itself, and not what reads log and archive as one. */
  readonly log: Log
  /** By topic, the first offsets of the log's epoch, where it goes on behind a former one. */
  readonly begins?: Readonly<Record<string, readonly number[]>>
  /** Of a log on brokers: has them drop what stands before these offsets. */
  readonly letGo?: ((topic: string, before: readonly number[]) => Promise<void>) | undefined
  /** Of the epochs before: what each has on brokers is let go as well. */
  readonly former?: readonly { letGo(days: number): Promise<void> }[]
  readonly now: () => Date
}

/** Of these the brokers keep the newest of each key, and drop nothing by offset. */
const letting = allTopics.filter((topic) => topic !== topics.changes)

export function openArchiving({ config, catalog, log, begins = {}, letGo, former = [], now }: Parts) {
  const pool = catalog.pipeline
  const { archive, dataFolder } = config
  const store =
    'folder' in archive
      ? folderStore(resolve(archive.folder))
      : s3Store(archive, join(resolve(dataFolder), 'archive-read'))
  const newScratch = async () => {
    // What spills goes below it, and nobody else makes it.
    await mkdir(scratchFolder(dataFolder), { recursive: true })
    return openScratch(join(scratchFolder(dataFolder), randomUUID()), memoryMb)
  }
  const upTo = async (topic: string) => {
    const ends = await archivedTo(pool, log.epoch, topic, log.partitions)
    return ends.map((end, partition) => Math.max(end, begins[topic]?.[partition] ?? 0))
  }
  const parts = { pool, store, log, newScratch, archivedTo: upTo }
  const readOn = openReadOn(parts)
  const sunk = () => sinkPositions(pool, topology.group, log.epoch, topology.topic, log.partitions)

  const read: LogArchive = {
    archivedTo: upTo,
    read: readOn.read,
    readKeys: (topic, keys, below, from) =>
      scratched(newScratch, (scratch) => readArchivedKeys(parts, log, scratch, topic, keys, { from, below })),
    bases: (topic, wanted) => readLayers(parts, log, newScratch, topic, wanted),
    holes: (topic) => archiveHoles(pool, log.epoch, topic, begins[topic] ?? []),
  }

  const run = (round: Omit<Round, 'now'>) => archiveLog(parts, { ...round, now: now() })

  async function letGoOf(days: number): Promise<void> {
    for (const one of former) await one.letGo(days)
    for (const topic of letGo ? letting : [])
      await letGo?.(topic, await archivedSince(pool, log.epoch, topic, log.partitions, days))
  }

  return {
    read,
    place: store.place,
    /** On brokers, of this epoch and those before: what has been archived for so many days. */
    letGo: letGoOf,
    /** Archives all that the log has now. @returns files written; null where another process is at it */
    runNow: (signal: AbortSignal, onRange: Round['onRange'] = () => {}, topics?: readonly string[]) =>
      run({ olderThanMs: 0, signal, onRange, ...(topics ? { topics } : {}) }),
    /** What upkeep does: archives what is due, and lets go what need not be kept. */
    async auto(signal: AbortSignal): Promise<false> {
      await run({ olderThanMs: dueMs, signal })
      if (config.logRetentionDays === undefined) return false
      await letGoOf(config.logRetentionDays)
      await closeOldSegment(pool, config.logRetentionDays)
      await retireSegments(pool, config.logRetentionDays)
      await dropSegments(pool)
      return false
    },
    /** What products had come to at the ends of months that have ended since. @param whole the log as everything else has it */
    keepBases: (whole: Log, signal: AbortSignal) =>
      writeLayers(
        {
          ...{ ...parts, sunk, basesAt: (...asked) => basesAt(pool, whole, ...asked) },
          holes: async () => (await whole.holes?.(topology.topic)) ?? [],
        },
        topology.topic,
        signal,
      ),
    list: () => listArchived(pool),
    verify: (signal: AbortSignal, onFile?: Parameters<typeof verifyArchive>[2]) => verifyArchive(parts, signal, onFile),
    close: () => readOn.close(),
  }
}

const scratchFolder = (dataFolder: string) => join(dataFolder, 'archive-scratch')

/** What a killed process left there; no other process may be using it. */
export const clearArchiveScratch = (dataFolder: string) =>
  rm(scratchFolder(dataFolder), { recursive: true, force: true })

async function* basesAt(
  pool: Pool,
  log: Log,
  products: readonly string[],
  position: Position,
): AsyncGenerator<[product: string, base: Base]> {
  const below = Array.from({ length: log.partitions }, (_, i) => (i === position.partition ? position.offset : 0))
  // In a former epoch: it is folded from its first record, by whoever is told of the hole.
  for await (const [product, history] of readToFold(pool, log, products, below))
    if (history.hole === null) yield [product, baseAt(history, position)]
}

/** Gone with the reading, however that ends. */
async function* scratched<T>(
  make: () => Promise<Scratch>,
  read: (scratch: Scratch) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const scratch = await make()
  try {
    yield* read(scratch)
  } finally {
    await scratch.close()
  }
}
