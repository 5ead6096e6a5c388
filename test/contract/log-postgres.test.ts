import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { closeSegment, segmentIsFull } from '../../infra/log/close-segment.ts'
import type { Log, StoredRecord } from '../../infra/log/port.ts'
import { postgresLog } from '../../infra/log/postgres.ts'
import { freshDatabase, type TestDatabase } from '../harness.ts'
import { logContract } from './log.ts'

let database: TestDatabase
let catalog: Catalog
let log: Log

beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  log = postgresLog(catalog.pipeline, { epoch: 1, partitions: 4 })
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

logContract('the embedded log', async () => ({ log, close: async () => {} }))

let appends = 0
logContract('the embedded log that closes a segment now and then', async () => ({
  log: {
    ...log,
    append: async (topic, records, tx) => {
      if (appends++ % 40 === 0) await closeSegment(catalog.pipeline)
      return log.append(topic, records, tx)
    },
  },
  close: async () => {},
}))

const inPartition = (partition: number): string => {
  for (;;) {
    const key = randomUUID()
    if (log.partitionOf(key) === partition) return key
  }
}
const readKeys = async (topic: string, keys: string[]) => {
  const records: StoredRecord[] = []
  for await (const record of log.readKeys(topic, keys, await log.ends(topic))) records.push(record)
  return records
}

describe('an append in a transaction of the catalog', () => {
  test('is seen when it commits, and one that rolls back leaves no hole', async () => {
    const topic = 'in.transaction'
    const record = { key: inPartition(2), value: 'x' }
    await catalog.inTransaction(catalog.pipeline, async (tx) => {
      expect(await log.append(topic, [record], tx)).toEqual([{ partition: 2, from: 0, to: 1 }])
      expect(await log.ends(topic)).toEqual([0, 0, 0, 0])
      expect(await log.read(topic, 2, 0, 10)).toEqual([])
    })
    const aborted = catalog.inTransaction(catalog.pipeline, async (tx) => {
      await log.append(topic, [record, record], tx)
      throw new Error('abort')
    })
    await expect(aborted).rejects.toThrow('abort')
    expect(await log.append(topic, [record])).toEqual([{ partition: 2, from: 1, to: 2 }])
    expect((await log.read(topic, 2, 0, 10)).map(({ offset }) => offset)).toEqual([0, 1])
  })

  test('whose session is killed leaves no hole either', async () => {
    const topic = 'killed'
    const record = { key: inPartition(1), value: 'x' }
    const killed = catalog.inTransaction(catalog.pipeline, async (tx) => {
      await log.append(topic, [record], tx)
      const { rows } = await tx.query('select pg_backend_pid() as pid')
      await catalog.pipeline.query('select pg_terminate_backend($1, 5000)', [rows[0].pid])
    })
    await expect(killed).rejects.toThrow()
    expect(await log.append(topic, [record])).toEqual([{ partition: 1, from: 0, to: 1 }])
  })
})

describe('a closed segment', () => {
  test('is read on with the open one, by offset and by key, before and after it is indexed', async () => {
    const topic = 'segments'
    const keys = [inPartition(0), inPartition(0), inPartition(3)]
    const say = (value: string) =>
      log.append(
        topic,
        keys.map((key) => ({ key, value })),
      )
    await say('first')
    const closed = await closeSegment(catalog.pipeline)
    await say('second')
    expect((await log.read(topic, 0, 1, 10)).map(({ offset, value }) => [offset, value.toString()])).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'second'],
    ])
    const indexed = await readKeys(topic, keys)
    expect(indexed.map(({ value }) => value.toString())).toEqual([
      'first',
      'second',
      'first',
      'second',
      'first',
      'second',
    ])
    await catalog.pipeline.query('delete from log_key where segment = $1', [closed])
    await catalog.pipeline.query('update log_segment set indexed_at = null where segment = $1', [closed])
    expect(await readKeys(topic, keys)).toEqual(indexed)
    await closeSegment(catalog.pipeline)
    expect(await readKeys(topic, keys)).toEqual(indexed)
  })

  test('that is empty is not closed', async () => {
    await closeSegment(catalog.pipeline)
    expect(await closeSegment(catalog.pipeline)).toBeNull()
    expect(await segmentIsFull(catalog.pipeline)).toBe(false)
  })

  test('takes no append that began before: writers and closers at once lose nothing to the index', async () => {
    const topic = 'closing'
    const key = inPartition(1)
    const writers = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 25; i++) await log.append(topic, [{ key, value: 'x' }])
    })
    const closers = Array.from({ length: 2 }, async () => {
      for (let i = 0; i < 6; i++) await closeSegment(catalog.pipeline)
    })
    await Promise.all([...writers, ...closers])
    await closeSegment(catalog.pipeline)
    expect((await readKeys(topic, [key])).map(({ offset }) => offset)).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })

  test('that was dropped is skipped: reading begins at what is kept', async () => {
    const topic = 'dropped'
    const key = inPartition(0)
    await log.append(topic, [
      { key, value: 'old' },
      { key, value: 'old' },
    ])
    const closed = await closeSegment(catalog.pipeline)
    await log.append(topic, [{ key, value: 'new' }])
    await catalog.pipeline.query(`drop table log_${closed}`)
    expect((await log.read(topic, 0, 0, 1)).map(({ offset, value }) => [offset, value.toString()])).toEqual([
      [2, 'new'],
    ])
  })
})
