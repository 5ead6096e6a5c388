import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { folderStore } from '../../../infra/archive/folder-store.ts'
import type { ArchiveStore } from '../../../infra/archive/store.ts'
import { verifyArchive } from '../../../infra/archive/verify-archive.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import type { Log } from '../../../infra/log/port.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { openArchiving } from '../../../infra/system/archiving.ts'
import { openScratch } from '../../../ingest/scratch.ts'
import { topics } from '../../../schemas/topics.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'
import { archivingParts } from './archiving-parts.ts'

// Processes start and are killed; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000 })

let database: TestDatabase
let catalog: Catalog
let folder: string
let log: Log
let archiving: ReturnType<typeof openArchiving>
const going = new AbortController().signal

beforeEach(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  folder = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  log = postgresLog(catalog.pipeline, { epoch: 1, partitions: 4 })
  archiving = openArchiving(archivingParts({ folder, catalog, log }))
})
afterEach(async () => {
  await archiving.close()
  await catalog.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}`
const said = (workspace: string, at: string, more: object = {}) =>
  JSON.stringify({ v: 1, op: 'put', workspace, catalog: `c of ${workspace}`, source: 'api', at, ...more })
/** A record a key, in one partition. */
const inPartition = (partition: number, count: number) => {
  const keys: string[] = []
  while (keys.length < count) {
    const key = randomUUID()
    if (log.partitionOf(key) === partition) keys.push(key)
  }
  return keys
}

/** As anyone reads the folder: another DuckDB, which knows nothing of us. */
async function everything<T>(sql: string): Promise<T[][]> {
  const scratch = openScratch(join(folder, randomUUID()))
  const rows: T[][] = []
  for await (const page of scratch.stream<T>(sql.replace('archive', `read_parquet('${folder}/archive/**/*.parquet')`)))
    rows.push(...page)
  await scratch.close()
  return rows
}
const files = async () =>
  (await readdir(join(folder, 'archive'), { recursive: true })).filter((name) => /\.(parquet|json|draft)$/.test(name))

describe('the archive', () => {
  test('has every record as it stands in the log, with its columns, a folder a day, sorted by owner and product', async () => {
    const keys = inPartition(1, 6)
    const at = (n: number) => `${day(n)}T10:00:00.250Z`
    const values = [
      said('ws_b', at(1), { import: 'i-1' }),
      said('ws_a', at(1)),
      said('ws_a', at(2), { source: 'file:Größe 在庫' }),
      Buffer.from([0xff, 0x00, 0x7b]),
      said('ws_a', 'no time'),
      '[1]',
    ]
    await log.append(
      topics.bronze,
      keys.map((key, i) => ({ key, value: values[i] ?? '' })),
    )
    expect(await archiving.runNow(going)).toBe(2)
    const rows = await everything<unknown>(
      `select "offset", workspace, catalog, product, import, source, op, epoch_ms(time), value, partition, epoch, "day"::varchar from archive order by "offset"`,
    )
    const time = (n: number) => Date.parse(at(n))
    const none = [null, null]
    expect(rows).toEqual([
      [0, 'ws_b', 'c of ws_b', keys[0], 'i-1', 'api', 'put', time(1), Buffer.from(values[0] ?? ''), 1, 1, day(1)],
      [1, 'ws_a', 'c of ws_a', keys[1], null, 'api', 'put', time(1), Buffer.from(values[1] ?? ''), 1, 1, day(1)],
      [
        2,
        'ws_a',
        'c of ws_a',
        keys[2],
        null,
        'file:Größe 在庫',
        'put',
        time(2),
        Buffer.from(values[2] ?? ''),
        1,
        1,
        day(2),
      ],
      [3, ...none, keys[3], ...none, null, null, values[3], 1, 1, day(2)],
      [4, 'ws_a', 'c of ws_a', keys[4], null, 'api', 'put', null, Buffer.from(values[4] ?? ''), 1, 1, day(2)],
      [5, ...none, keys[5], ...none, null, null, Buffer.from('[1]'), 1, 1, day(2)],
    ])
    const stored = await everything<string>('select workspace from archive')
    expect(stored.map(([workspace]) => workspace).slice(0, 2)).toEqual(['ws_a', 'ws_b'])
  })

  test('goes on behind its last file, and a second round with nothing new writes nothing', async () => {
    const append = (n: number) =>
      log.append(
        topics.bronze,
        inPartition(0, n).map((key) => ({ key, value: said('ws_a', `${day(3)}T00:00:00Z`) })),
      )
    await append(5)
    expect(await archiving.runNow(going)).toBe(1)
    expect(await archiving.runNow(going)).toBe(0)
    await append(2)
    await append(1)
    expect(await archiving.runNow(going)).toBe(1)
    expect((await archiving.list()).map(({ from, to, records }) => [from, to, records])).toEqual([
      [0, 5, 5],
      [5, 8, 3],
    ])
    expect(await archiving.verify(going)).toEqual([])
  })

  test('says in a file beside each what it is', async () => {
    await log.append(topics.changes, [{ key: inPartition(2, 1)[0] ?? '', value: said('ws_a', `${day(3)}T00:00:00Z`) }])
    await archiving.runNow(going)
    const [range] = await archiving.list()
    expect(range).toMatchObject({ epoch: 1, topic: 'catalog.changes', partition: 2, from: 0, to: 1, records: 1 })
    const beside = await readFile(join(folder, 'archive', range?.path.replace('.parquet', '.json') ?? ''), 'utf8')
    expect(JSON.parse(beside)).toEqual(range)
    expect(range?.path).toMatch(/^catalog\.changes\/day=2026-11-03\//)
  })

  test('is written by upkeep when the oldest record is a day old, and not before', async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    await log.append(topics.bronze, [{ key: inPartition(0, 1)[0] ?? '', value: said('ws_a', ago(23)) }])
    await archiving.auto(going)
    expect(await archiving.list()).toEqual([])
    await log.append(topics.bronze, [{ key: inPartition(1, 1)[0] ?? '', value: said('ws_a', ago(25)) }])
    await archiving.auto(going)
    expect((await archiving.list()).map(({ partition }) => partition)).toEqual([1])
  })

  test('takes records of kilobytes and of megabytes, in files that its memory can sort', async () => {
    const append = (count: number, bytes: number) =>
      log.append(
        topics.bronze,
        inPartition(0, count).map((key) => ({ key, value: randomBytes(bytes) })),
      )
    for (let i = 0; i < 10; i++) await append(900, 8_000)
    await append(3, 5_000_000)
    expect(await archiving.runNow(going)).toBe(2)
    expect(await archiving.verify(going)).toEqual([])
  })

  test('is written by one at a time', async () => {
    await log.append(
      topics.bronze,
      inPartition(0, 200).map((key) => ({ key, value: said('ws_a', `${day(3)}T00:00:00Z`) })),
    )
    const rounds = await Promise.all([archiving.runNow(going), archiving.runNow(going)])
    expect(rounds.filter((files) => files === null).length).toBeLessThanOrEqual(1)
    expect((await archiving.list()).map(({ from, to }) => [from, to])).toEqual([[0, 200]])
  })
})

describe('a round that is cut off', () => {
  test('leaves nothing that counts, and the next one removes what it left', async () => {
    await log.append(topics.bronze, [{ key: inPartition(0, 1)[0] ?? '', value: said('ws_a', `${day(3)}T00:00:00Z`) }])
    await archiving.runNow(going)
    const [kept] = await archiving.list()
    // As if it had ended right before its row counted.
    await catalog.pipeline.query('update log_archive set kept_at = null')
    await writeFile(join(folder, 'archive', `${kept?.path}.draft`), 'half')
    expect(await archiving.list()).toEqual([])
    expect(await archiving.runNow(going)).toBe(1)
    const [again] = await archiving.list()
    expect((await files()).sort()).toEqual([again?.path, again?.path.replace('.parquet', '.json')].sort())
    expect(await archiving.verify(going)).toEqual([])
  })

  test('by kill -9 at any moment is made good by the next: each record once', async () => {
    const keys = inPartition(3, 40)
    for (let n = 1; n <= 12; n++)
      await log.append(
        topics.bronze,
        keys.map((key) => ({ key, value: said('ws_a', `${day(n)}T00:00:00Z`) })),
      )
    for (const afterMs of [5, 60, 200]) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'archive-child.ts'), database.url, folder],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      await once(child.stdout, 'data')
      await sleep(afterMs)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    // The server sees a killed session a moment later.
    for (let left = 50; left > 0 && (await archiving.runNow(going)) === null; left--) await sleep(100)
    expect(await archiving.verify(going)).toEqual([])
    expect((await archiving.list()).length).toBe(12)
    expect(await everything<number>('select count(*), count(distinct "offset") from archive')).toEqual([[480, 480]])
    expect((await files()).filter((name) => name.endsWith('.draft'))).toEqual([])
  })
})

describe('a verification', () => {
  beforeEach(async () => {
    for (let n = 1; n <= 3; n++)
      await log.append(topics.bronze, [{ key: inPartition(0, 1)[0] ?? '', value: said('ws_a', `${day(n)}T00:00:00Z`) }])
    await archiving.runNow(going)
  })
  const pathOf = async (n: number) => join(folder, 'archive', (await archiving.list())[n]?.path ?? '')
  const says = async () => (await archiving.verify(going)).map((fault) => fault.says)

  test('finds nothing in a sound archive', async () => {
    expect(await says()).toEqual([])
  })

  test('finds a byte that has changed, and a file that has gone', async () => {
    const path = await pathOf(0)
    const bytes = await readFile(path)
    bytes[40] = (bytes[40] ?? 0) ^ 1
    await writeFile(path, bytes)
    await rm(await pathOf(2))
    expect(await says()).toEqual(['its checksum is not that of the file that was written', 'the file is gone'])
  })

  test('knows the files that come, and those that are cleared away, while it looks', async () => {
    const sound = folderStore(join(folder, 'archive'))
    let rounds = 0
    const store: ArchiveStore = {
      ...sound,
      async *parquetNames() {
        if (rounds++ === 0) {
          await log.append(topics.bronze, [
            { key: inPartition(0, 1)[0] ?? '', value: said('ws_a', `${day(4)}T00:00:00Z`) },
          ])
          await archiving.runNow(going)
          yield 'cut-off.parquet'
        }
        yield* sound.parquetNames()
      },
    }
    const newScratch = async () => openScratch(join(folder, randomUUID()))
    expect(await verifyArchive({ pool: catalog.pipeline, store, newScratch }, going)).toEqual([])
    expect([rounds, (await archiving.list()).length]).toEqual([2, 4])
  })

  test('finds offsets that no file has, and those that two have', async () => {
    await catalog.pipeline.query('delete from log_archive where from_offset = 1')
    expect(await says()).toEqual(['offsets 1 to 1 are in no file', 'no manifest row knows of it'])
    await catalog.pipeline.query('update log_archive set to_offset = 3 where from_offset = 0')
    expect(await says()).toContain('offsets 2 to 2 are in the file before it too')
  })

  test('finds a manifest that says something else, and files that nobody knows', async () => {
    const path = await pathOf(1)
    await writeFile(path.replace('.parquet', '.json'), '{}')
    await writeFile(join(folder, 'archive', 'mine.parquet'), '')
    expect((await says()).map((one) => one.slice(0, 34))).toEqual([
      'its manifest beside it differs in ',
      'no manifest row knows of it',
    ])
  })

  test('finds a file whose rows are not those that its manifest counts', async () => {
    await catalog.pipeline.query('update log_archive set records = 2 where from_offset = 1')
    const path = await pathOf(1)
    const manifest = JSON.parse(await readFile(path.replace('.parquet', '.json'), 'utf8'))
    await writeFile(path.replace('.parquet', '.json'), JSON.stringify({ ...manifest, records: 2 }))
    expect(await says()).toEqual(['it has 1 records, and its manifest says 2'])
  })
})
