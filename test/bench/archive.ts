/** `npm run bench archive [records]`: writing the archive, and reading it by key and in order, each beside the log with the same records. */
import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../infra/catalog/embedded.ts'
import { migrate } from '../../infra/catalog/migrate.ts'
import { openCatalog } from '../../infra/catalog/postgres.ts'
import { table } from '../../infra/cli/table.ts'
import { archivedLog } from '../../infra/log/archived.ts'
import { closeSegment } from '../../infra/log/close-segment.ts'
import { dropSegments, retireSegments } from '../../infra/log/drop-segments.ts'
import type { Log } from '../../infra/log/port.ts'
import { postgresLog } from '../../infra/log/postgres.ts'
import { openArchiving } from '../../infra/system/archiving.ts'
import { topics } from '../../schemas/topics.ts'
import { serverFolder } from '../harness.ts'

/** Records of one key: a product that was imported and imported again. */
const recordsOfKey = 2
const appendedAtOnce = 10_000
const readAtOnce = 5_000
const at = '2026-11-03T00:00:00Z'

export async function archiveBench([count = '100000']: string[]): Promise<void> {
  const folder = await serverFolder('assay-bench-')
  const postgres = await startEmbeddedPostgres(folder)
  const epoch = await migrate(postgres.url)
  const catalog = openCatalog(postgres.url)
  const kept = postgresLog(catalog.pipeline, epoch)
  const config = { dataFolder: folder, archive: { folder: join(folder, 'archive') }, logRetentionDays: undefined }
  const archiving = openArchiving({ config, catalog, log: kept, now: () => new Date() })
  try {
    const keys = Array.from({ length: Math.floor(Number(count) / recordsOfKey) }, keyOf)
    const records = keys.length * recordsOfKey
    const rows: (string | number)[][] = [['', 'records/s', 'resident MB at most']]
    const lap = async (what: string, work: () => Promise<unknown>) =>
      rows.push([what, ...(await measured(records, work))])
    await lap('append to the log', () => fill(kept, keys))
    await closeSegment(catalog.pipeline)
    await lap('log, by key', () => readKeys(kept, keys))
    await lap('log, in order', () => readAll(kept))
    await lap('write the archive', () => archiving.runNow(new AbortController().signal))
    await retireSegments(catalog.pipeline, 0)
    await dropSegments(catalog.pipeline, 0)
    const both = archivedLog(kept, archiving.read, 'log')
    await lap('archive, by key', () => readKeys(both, keys))
    await lap('archive, in order', () => readAll(both))
    const files = await archiving.list()
    const sum = (of: 'valueBytes' | 'fileBytes') => files.reduce((bytes, file) => bytes + file[of], 0)
    process.stdout.write(`${table(rows)}\n`)
    process.stdout.write(
      `${files.length} files, ${(sum('valueBytes') / sum('fileBytes')).toFixed(1)} times smaller than the values\n`,
    )
  } finally {
    await archiving.close()
    await catalog.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same in every run. */
function keyOf(_: unknown, n: number): string {
  const hex = hash('sha256', String(n), 'hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** Text that packs about as well as a supplier's. */
function textOf(n: number): string {
  return Array.from({ length: 60 }, (_, i) =>
    ((n * 7_919 + i * 104_729 + n * i) % 3_000).toString(36).padStart(6, 'mug '),
  ).join(' ')
}

async function fill(log: Log, keys: readonly string[]): Promise<void> {
  for (let pass = 0; pass < recordsOfKey; pass++) {
    for (let first = 0; first < keys.length; first += appendedAtOnce) {
      const some = keys.slice(first, first + appendedAtOnce)
      const records = some.map((product, i) => {
        const n = first + i + pass
        const of = { workspace: `ws_${n % 5}`, catalog: `catalog ${n % 5}`, product, source: 'file:bench', at }
        return { key: product, value: JSON.stringify({ v: 1, op: 'put', ...of, cells: { description: textOf(n) } }) }
      })
      await log.append(topics.bronze, records)
    }
  }
}

async function readKeys(log: Log, keys: readonly string[]): Promise<number> {
  let records = 0
  for await (const _ of log.readKeys(topics.bronze, keys, await log.ends(topics.bronze))) records++
  return expected(records, keys.length * recordsOfKey)
}

async function readAll(log: Log): Promise<number> {
  let records = 0
  const ends = await log.ends(topics.bronze)
  for (const [partition, end] of ends.entries()) {
    for (let next = 0; next < end; ) {
      const read = await log.read(topics.bronze, partition, next, readAtOnce)
      records += read.length
      next = (read.at(-1)?.offset ?? end) + 1
    }
  }
  return expected(
    records,
    ends.reduce((a, b) => a + b),
  )
}

function expected(records: number, all: number): number {
  if (records !== all) throw new Error(`${records} records were read, of ${all}`)
  return records
}

async function measured(
  records: number,
  work: () => Promise<unknown>,
): Promise<[perSecond: number, residentMb: number]> {
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const began = performance.now()
  await work().finally(() => clearInterval(look))
  return [Math.round(records / ((performance.now() - began) / 1_000)), Math.round(most / 1_048_576)]
}
