/** Writes one range of the log as a Parquet file that counts only once its manifest row says so, however the process ends. */
import { hash, randomBytes } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { Scratch } from '../../ingest/scratch.ts'
import type { ArchivedRange } from '../../schemas/archive.ts'
import { beginRange, forgetUnfinished, keepRange, unfinishedPaths } from '../catalog/archive-queries.ts'
import type { Log } from '../log/port.ts'
import { fileSum } from './file-sum.ts'
import { type Gathered, gatheredTable, gatherRange } from './gather-range.ts'
import { quoted } from './quoted.ts'
import type { ArchiveStore } from './store.ts'

export interface ArchivePlace {
  readonly pool: Pool
  readonly store: ArchiveStore
}

/** Of a row group, which is held while it is written and read whole: at most about these bytes, at least DuckDB's least. */
const group = { bytes: 4 * 1024 * 1024, most: 8_192, least: 2_048 }

export const manifestOf = (path: string) => path.replace(/\.parquet$/, '.json')

/**
 * @param today stands for the day of records that have none
 * @returns null where there was nothing to write
 */
export async function writeRange(
  { pool, store }: ArchivePlace,
  log: Log,
  scratch: Scratch,
  what: { topic: string; partition: number; from: number; end: number },
  { today, signal }: { today: string; signal: AbortSignal },
): Promise<ArchivedRange | null> {
  const gathered = await gatherRange(log, scratch, what, signal)
  if (gathered.to === what.from) return null
  const { topic, partition, from } = what
  const day = gathered.day ?? today
  // Sorted by who owns it and what it is of, so that a reader of few products opens few row groups.
  const order = 'order by workspace, catalog, product, "offset"'
  const of = { epoch: log.epoch, topic, partition, from, day, order }
  return keepFile({ pool, store }, scratch, of, gathered, signal)
}

interface FileOf {
  readonly epoch: number
  readonly topic: string
  readonly partition: number
  readonly from: number
  readonly day: string
  /** As SQL says it; empty where its rows are in order. */
  readonly order: string
}

/** Makes a file of what was gathered, and lets it count. */
export async function keepFile(
  { pool, store }: ArchivePlace,
  scratch: Scratch,
  { epoch, topic, partition, from, day, order }: FileOf,
  gathered: Pick<Gathered, 'to' | 'records' | 'valueBytes'>,
  signal: AbortSignal,
): Promise<ArchivedRange> {
  const { to, records, valueBytes } = gathered
  const path = `${topic}/day=${day}/${epoch}-${partition}-${spelled(from)}-${spelled(to)}-${randomBytes(4).toString('hex')}.parquet`
  await beginRange(pool, { epoch, topic, partition, from, path })
  const draft = await store.draft(path)
  await scratch.run(copySql(draft, { epoch, partition, order }, gathered))
  signal.throwIfAborted()
  const sums = { fileBytes: (await stat(draft)).size, sha256: await fileSum(draft) }
  await store.keep(path, sums.sha256)
  const range: ArchivedRange = { epoch, topic, partition, from, to, path, records, valueBytes, ...sums }
  await keepManifest(store, range)
  if (await keepRange(pool, range, day)) return range
  await removeFiles(store, path)
  throw new Error(`Another process has archived ${topic}, partition ${partition}, from offset ${from}.`)
}

/** Of files that were cut off, by what their rows know of them; nothing else in the folder is touched. */
export async function clearUnfinished({ pool, store }: ArchivePlace): Promise<void> {
  for (const path of await unfinishedPaths(pool)) {
    await removeFiles(store, path)
    await forgetUnfinished(pool, path)
  }
}

function copySql(
  target: string,
  { epoch, partition, order }: Pick<FileOf, 'epoch' | 'partition' | 'order'>,
  gathered: Pick<Gathered, 'records' | 'valueBytes'>,
) {
  const average = Math.max(1, gathered.valueBytes / Math.max(1, gathered.records))
  const rows = Math.min(group.most, Math.max(group.least, Math.floor(group.bytes / average)))
  return `copy (
    select ${epoch}::integer as epoch, ${partition}::integer as partition, "offset", workspace, catalog, product, import,
           source, op, epoch_ms(time) as time, value
      from ${gatheredTable} ${order}
  ) to ${quoted(target)} (format parquet, compression zstd, row_group_size ${rows})`
}

async function keepManifest(store: ArchiveStore, range: ArchivedRange): Promise<void> {
  const text = `${JSON.stringify(range)}\n`
  const name = manifestOf(range.path)
  await writeFile(await store.draft(name), text)
  await store.keep(name, hash('sha256', text, 'hex'))
}

async function removeFiles(store: ArchiveStore, path: string): Promise<void> {
  for (const name of [path, manifestOf(path)]) await store.remove(name)
}

/** In order of offset where names are sorted as text. */
const spelled = (offset: number) => String(offset).padStart(12, '0')
