import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { archivedLog } from '../../infra/log/archived.ts'
import { closeSegment } from '../../infra/log/close-segment.ts'
import { dropSegments, retireSegments } from '../../infra/log/drop-segments.ts'
import type { Log, StoredRecord } from '../../infra/log/port.ts'
import { postgresLog } from '../../infra/log/postgres.ts'
import { openArchiving } from '../../infra/system/archiving.ts'
import { freshDatabase, type TestDatabase } from '../harness.ts'
import { archivingParts } from '../infra/archive/archiving-parts.ts'
import { logContract } from './log.ts'

// Every file of the archive is written and read by a DuckDB of its own, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 })

let database: TestDatabase
let catalog: Catalog
let folder: string
let kept: Log
let archiving: ReturnType<typeof openArchiving>
const topics = new Set<string>()

beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  folder = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  kept = postgresLog(catalog.pipeline, { epoch: 1, partitions: 4 })
  archiving = openArchiving(archivingParts({ folder, catalog, log: kept }))
})
afterAll(async () => {
  await archiving.close()
  await catalog.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Archives everything and drops all that is archived: the log keeps nothing, and is read as before. */
async function dropAll(): Promise<number[]> {
  await closeSegment(catalog.pipeline)
  await archiving.runNow(new AbortController().signal, undefined, [...topics])
  await retireSegments(catalog.pipeline, 0)
  return dropSegments(catalog.pipeline, 0)
}

let appends = 0
const forgetful = (keysIn: 'log' | 'archive', every: number): Log => ({
  ...archivedLog(kept, archiving.read, keysIn),
  append: async (topic, records, tx) => {
    topics.add(topic)
    const ranges = await kept.append(topic, records, tx)
    if (++appends % every === 0) await dropAll()
    return ranges
  },
})

logContract('a log that drops what it has archived', async () => ({ log: forgetful('log', 7), close: async () => {} }))
logContract('a log that finds keys in its archive', async () => ({
  log: forgetful('archive', 9),
  close: async () => {},
}))

const inPartition = (partition: number): string => {
  for (;;) {
    const key = randomUUID()
    if (kept.partitionOf(key) === partition) return key
  }
}
async function readKeys(log: Log, topic: string, keys: readonly string[]): Promise<StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const record of log.readKeys(topic, keys, await log.ends(topic))) records.push(record)
  return records
}

describe('a log whose segments are all dropped', () => {
  test('still has every record, by offset and by key, and says where it begins', async () => {
    const topic = 'all.dropped'
    const log = forgetful('log', Number.POSITIVE_INFINITY)
    const keys = [inPartition(0), inPartition(0), inPartition(3)]
    for (const value of ['first', 'second'])
      await log.append(
        topic,
        keys.map((key) => ({ key, value })),
      )
    const before = [await log.read(topic, 0, 0, 100), await readKeys(log, topic, keys)]
    expect((await dropAll()).length).toBeGreaterThan(0)
    expect(await kept.begins(topic)).toEqual([4, 0, 0, 2])
    expect(await log.begins(topic)).toEqual([0, 0, 0, 0])
    expect(await kept.read(topic, 0, 0, 100)).toEqual([])
    expect(await log.read(topic, 0, 0, 100)).toEqual(before[0])
    const after = await readKeys(log, topic, keys)
    for (const key of keys) {
      const of = (records: readonly StoredRecord[]) => records.filter((record) => record.key === key)
      expect(of(after)).toEqual(of(before[1] ?? []))
    }
    expect(after).toHaveLength(6)
    // What is appended later goes on from there.
    await log.append(topic, [{ key: keys[0] ?? '', value: 'third' }])
    expect((await log.read(topic, 0, 4, 100)).map(({ offset }) => offset)).toEqual([4])
    expect((await readKeys(log, topic, keys)).map(({ value }) => value.toString())).toContain('third')
  })

  test('says what is missing where the archive has it no more', async () => {
    const topic = 'lost'
    const log = forgetful('log', Number.POSITIVE_INFINITY)
    const key = inPartition(1)
    await log.append(topic, [{ key, value: 'x' }])
    await dropAll()
    await catalog.pipeline.query('delete from log_archive where topic = $1', [topic])
    await expect(log.read(topic, 1, 0, 10)).rejects.toThrow('offsets 0 to 0 are neither in the log nor in the archive')
    expect(await log.holes?.(topic)).toEqual([{ partition: 1, from: 0, to: 1 }])
    expect(await readKeys(log, topic, [key])).toEqual([])
  })
})

describe('a segment', () => {
  test('stays while one of its records is not archived, and with it all that were closed later', async () => {
    const log = forgetful('log', Number.POSITIVE_INFINITY)
    await dropAll()
    const record = { key: inPartition(2), value: 'x' }
    await kept.append('not.archived', [record])
    await closeSegment(catalog.pipeline)
    await log.append('archived', [record])
    expect(await dropAll()).toEqual([])
    topics.add('not.archived')
    expect(await dropAll()).toHaveLength(2)
  })

  test('stays for as long as it is asked to, and then for those who are still reading', async () => {
    const log = forgetful('log', Number.POSITIVE_INFINITY)
    await log.append('young', [{ key: inPartition(2), value: 'x' }])
    const closed = await closeSegment(catalog.pipeline)
    await archiving.runNow(new AbortController().signal, undefined, [...topics])
    expect(await retireSegments(catalog.pipeline, 2)).toBe(0)
    await catalog.pipeline.query(`update log_segment set closed_at = now() - interval '49 hours' where segment = $1`, [
      closed,
    ])
    expect(await retireSegments(catalog.pipeline, 2)).toBe(1)
    expect(await dropSegments(catalog.pipeline)).toEqual([])
    expect(await kept.read('young', 2, 0, 10)).toHaveLength(1)
    await catalog.pipeline.query(
      `update log_segment set retired_at = now() - interval '61 minutes' where segment = $1`,
      [closed],
    )
    expect(await dropSegments(catalog.pipeline)).toEqual([closed])
    const { rows } = await catalog.pipeline.query('select count(*)::int as n from log_key where segment = $1', [closed])
    expect(rows).toEqual([{ n: 0 }])
  })

  test('that is dropped under a reader is no silent loss: the reader is told', async () => {
    const topic = 'under.a.reader'
    const log = forgetful('log', Number.POSITIVE_INFINITY)
    const key = inPartition(1)
    await log.append(topic, [{ key, value: 'x' }])
    const reading = kept.readKeys(topic, [key], await kept.ends(topic))[Symbol.asyncIterator]()
    await reading.next()
    await dropAll()
    await expect(reading.next()).rejects.toThrow('read again')
    expect(await readKeys(log, topic, [key])).toHaveLength(1)
  })
})

test('an epoch that goes on behind a former one is archived from its first offset, and misses nothing of the former', async () => {
  const topic = 'two.epochs'
  const keys = [inPartition(0), inPartition(1)]
  const append = (value: string) =>
    kept.append(
      topic,
      keys.map((key) => ({ key, value })),
    )
  await append('of the first')
  const first = await kept.ends(topic)
  topics.add(topic)
  await dropAll()
  await append('of the second')
  await catalog.pipeline.query(`insert into log_epoch (epoch, engine, partitions) values (2, 'postgres', 4)`)
  const second = { ...kept, epoch: 2 }
  const next = openArchiving({ ...archivingParts({ folder, catalog, log: second }), begins: { [topic]: first } })
  const log = archivedLog(second, next.read, 'log')
  const values = async () => (await readKeys(log, topic, keys)).map(({ offset, value }) => [offset, value.toString()])
  expect(await values()).toEqual([
    [1, 'of the second'],
    [1, 'of the second'],
  ])
  await closeSegment(catalog.pipeline)
  await next.runNow(new AbortController().signal, undefined, [topic])
  expect(await retireSegments(catalog.pipeline, 0)).toBe(1)
  expect(await dropSegments(catalog.pipeline, 0)).toHaveLength(1)
  expect(await values()).toEqual([
    [1, 'of the second'],
    [1, 'of the second'],
  ])
  const faults = await next.verify(new AbortController().signal)
  expect(faults.filter(({ path }) => path.startsWith(topic))).toEqual([])
  await next.close()
})
