/** `npm run bench ingest [rows …]`: products a second from file to scored row through the real program, beside a bare COPY of the same rows into the same table in the same run. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { table } from '../../infra/cli/table.ts'
import { writeCatalogFile } from './catalog-file.ts'
import { type ImportTimes, timedImport } from './import-file.ts'
import { children, watchMemory } from './node-memory.ts'
import { serveForBench } from './serving.ts'

interface Measured {
  readonly rows: number
  readonly times: ImportTimes
  /** From the import's end until lists by score and time have all of it. */
  readonly listsAfter: number
  readonly copyText: number
  readonly copyBinary: number
  readonly memory: ReadonlyMap<string, number>
}

export async function ingestBench(args: string[]): Promise<void> {
  const sizes = args.length > 0 ? args.map(Number) : [100_000, 1_000_000]
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const results: Measured[] = []
  try {
    for (const rows of sizes) results.push(await measure(join(folder, String(rows)), rows))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const heads = [
    'rows',
    'file to scored row',
    'answered',
    'first row',
    'last row',
    'done',
    'lists follow after',
    'bare text COPY',
    'bare binary COPY',
    'ratio to text',
    'to binary',
    'server MB',
    'transforms MB',
  ]
  const mb = (bytes = 0) => Math.round(bytes / 1e6)
  const lines = results.map((r) => [
    r.rows,
    `${Math.round(r.rows / r.times.done)}/s`,
    ...[r.times.answered, r.times.firstRow, r.times.lastRow, r.times.done].map((at) => `${at.toFixed(1)} s`),
    `${Math.round(r.listsAfter)} s`,
    `${Math.round(r.rows / r.copyText)}/s`,
    `${Math.round(r.rows / r.copyBinary)}/s`,
    (r.copyText / r.times.done).toFixed(2),
    (r.copyBinary / r.times.done).toFixed(2),
    mb(r.memory.get('server')),
    mb(r.memory.get('transforms')),
  ])
  process.stdout.write(`${table([heads, ...lines])}\n`)
  const last = results.at(-1)
  if (last) process.stdout.write(`ratio ${(last.copyText / last.times.done).toFixed(2)}\n`)
}

async function measure(folder: string, rows: number): Promise<Measured> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'catalog.csv')
  await writeCatalogFile(file, rows)
  process.stderr.write(`${rows} rows, ${Math.round((await stat(file)).size / rows)} bytes each\n`)
  const assay = await serveForBench()
  const memory = watchMemory(assay.pid)
  try {
    const times = await timedImport(assay.url, assay.token, file)
    const peaks = memory.take()
    const client = new pg.Client(assay.databaseUrl)
    await client.connect()
    const listsAfter = await listsFollow(client)
    // What follows an import for minutes, such as the search for duplicates, must not slow the COPY down either.
    const processes = [assay.pid, ...(await children(assay.pid))]
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    const copyText = await bareCopy(client, join(folder, 'rows.text'), 'text')
    const copyBinary = await bareCopy(client, join(folder, 'rows.binary'), 'binary')
    for (const pid of processes) process.kill(pid, 'SIGCONT')
    await client.end()
    return { rows, times, listsAfter, copyText, copyBinary, memory: peaks }
  } finally {
    memory.stop()
    await assay.close()
  }
}

/** The COPY has the machine to itself, and the lists are part of what an import does. @returns seconds */
async function listsFollow(client: pg.Client): Promise<number> {
  const began = performance.now()
  const due = async () => (await client.query('select from rank_due limit 1')).rowCount !== 0
  while (await due()) await sleep(200)
  return (performance.now() - began) / 1_000
}

/** The same rows into a table with the same columns, storage and indexes, from a file, commits as durable as the server's. */
async function bareCopy(client: pg.Client, path: string, format: 'text' | 'binary'): Promise<number> {
  await pipeline(client.query(copyTo(`copy products to stdout (format ${format})`)), createWriteStream(path))
  await client.query(
    'drop table if exists bare; create table bare (like products including all) with (toast_tuple_target = 8160, fillfactor = 90); checkpoint',
  )
  const began = performance.now()
  await pipeline(
    createReadStream(path, { highWaterMark: 1 << 18 }),
    client.query(copyFrom(`copy bare from stdin (format ${format})`)),
  )
  const seconds = (performance.now() - began) / 1_000
  await client.query('drop table bare')
  await rm(path)
  return seconds
}
