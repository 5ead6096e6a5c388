/** Checks the archive against its manifest: every file is there and is what was written, and together they have every offset once. */
import { readFile } from 'node:fs/promises'
import type { Scratch } from '../../ingest/scratch.ts'
import { type ArchivedRange, archivedRange, isLayers } from '../../schemas/archive.ts'
import { denseEpochs, listArchived, unfinishedPaths } from '../catalog/archive-queries.ts'
import { fileSum } from './file-sum.ts'
import { quoted } from './quoted.ts'
import { ArchiveFileGone } from './store.ts'
import { type ArchivePlace, manifestOf } from './write-range.ts'

export interface ArchiveFault {
  readonly path: string
  readonly says: string
}

interface VerifyParts extends ArchivePlace {
  readonly newScratch: () => Promise<Scratch>
}

/** @param onFile told of each file when it was looked at */
export async function verifyArchive(
  parts: VerifyParts,
  signal: AbortSignal,
  onFile: (range: ArchivedRange, faults: readonly ArchiveFault[]) => void = () => {},
): Promise<ArchiveFault[]> {
  const ranges = await listArchived(parts.pool)
  const dense = await denseEpochs(parts.pool)
  const all: ArchiveFault[] = []
  const ends: Ends = new Map()
  for (const range of ranges) {
    signal.throwIfAborted()
    const says = [
      joins(ends, range),
      ...(await lookAt(parts, range, dense.has(range.epoch) && !isLayers(range.topic))),
    ].filter((one) => one !== null)
    const faults = says.map((one) => ({ path: range.path, says: one }))
    onFile(range, faults)
    all.push(...faults)
  }
  return [...all, ...(await strangers(parts, ranges))]
}

/** By partition, where each epoch of it has come to so far. */
type Ends = Map<string, Map<number, number>>

/** An epoch begins at 0, or on the same engine where a former one ended. */
function joins(ends: Ends, range: ArchivedRange): string | null {
  const place = `${range.topic}/${range.partition}`
  const epochs = ends.get(place) ?? new Map<number, number>()
  // What products had come to is told of months alone, and an epoch ends on any day.
  const begin = isLayers(range.topic) ? range.from : 0
  const due = epochs.get(range.epoch) ?? [...epochs.values()].find((end) => end === range.from) ?? begin
  ends.set(place, epochs.set(range.epoch, range.to))
  if (range.from > due) return `offsets ${due} to ${range.from - 1} are in no file`
  if (range.from < due) return `offsets ${range.from} to ${due - 1} are in the file before it too`
  return null
}

async function lookAt(parts: VerifyParts, range: ArchivedRange, dense: boolean): Promise<(string | null)[]> {
  try {
    const file = await parts.store.local(range.path, true)
    const sha256 = await fileSum(file)
    if (sha256 !== range.sha256) return ['its checksum is not that of the file that was written']
    return [await manifestSays(parts, range), await rowsSay(parts, file, range, dense)]
  } catch (error) {
    return [error instanceof ArchiveFileGone ? 'the file is gone' : `it cannot be read: ${(error as Error).message}`]
  }
}

async function manifestSays({ store }: ArchivePlace, range: ArchivedRange): Promise<string | null> {
  const text = await store.local(manifestOf(range.path), true).then(
    (path) => readFile(path, 'utf8'),
    (error: unknown) => {
      if (error instanceof ArchiveFileGone) return null
      throw error
    },
  )
  if (text === null) return 'its manifest beside it is gone'
  const told = archivedRange.safeParse(asJson(text)).data
  const names = Object.keys(range) as (keyof ArchivedRange)[]
  const differs = names.filter((name) => told?.[name] !== range[name])
  return differs.length === 0 ? null : `its manifest beside it differs in ${differs.join(', ')}`
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Counted = [
  records: number,
  offsets: number,
  first: number | null,
  last: number | null,
  bytes: number,
  foreign: number,
]

async function rowsSay(parts: VerifyParts, file: string, range: ArchivedRange, dense: boolean): Promise<string | null> {
  const scratch = await parts.newScratch()
  try {
    const sql = `select count(*), count(distinct "offset"), min("offset"), max("offset"),
        coalesce(sum(octet_length(value)), 0)::bigint, count(*) filter (epoch <> ${range.epoch} or partition <> ${range.partition})
      from read_parquet(${quoted(file)}, hive_partitioning = false)`
    for await (const [row] of scratch.stream<number | null>(sql)) return judge(row as Counted, range, dense)
    return 'it has no rows to count'
  } finally {
    await scratch.close()
  }
}

function judge([records, offsets, first, last, bytes, foreign]: Counted, range: ArchivedRange, dense: boolean) {
  if (records !== range.records) return `it has ${records} records, and its manifest says ${range.records}`
  if (bytes !== range.valueBytes) return `its values have ${bytes} bytes, and its manifest says ${range.valueBytes}`
  if (foreign > 0) return `${foreign} of its records are of another epoch or partition`
  if (offsets !== records) return `${records - offsets} of its offsets are there twice`
  if (first !== null && last !== null && (first < range.from || last >= range.to))
    return `it has offsets ${first} to ${last}, and its manifest says ${range.from} to ${range.to - 1}`
  if (dense && records !== range.to - range.from) return `${range.to - range.from - records} of its offsets are missing`
  return null
}

/** Whoever reads the folder with a program of their own would count these too. */
async function strangers({ pool, store }: ArchivePlace, ranges: readonly ArchivedRange[]): Promise<ArchiveFault[]> {
  const known = new Set(ranges.map(({ path }) => path))
  const unknown = await filesBut(store, known)
  if (unknown.size === 0) return []
  // Others archive meanwhile: a file's row is there before the file, and goes after it.
  for (const { path } of await listArchived(pool)) known.add(path)
  for (const path of await unfinishedPaths(pool)) known.add(path)
  const found = await filesBut(store, known)
  return [...found]
    .filter((path) => unknown.has(path))
    .sort()
    .map((path) => ({ path, says: 'no manifest row knows of it' }))
}

async function filesBut(store: ArchivePlace['store'], known: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const path of store.parquetNames()) if (!known.has(path)) found.add(path)
  return found
}
