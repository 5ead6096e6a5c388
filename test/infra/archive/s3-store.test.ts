import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { archivedLog } from '../../../infra/log/archived.ts'
import { closeSegment } from '../../../infra/log/close-segment.ts'
import { dropSegments, retireSegments } from '../../../infra/log/drop-segments.ts'
import type { Log, StoredRecord } from '../../../infra/log/port.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { openArchiving } from '../../../infra/system/archiving.ts'
import { topics } from '../../../schemas/topics.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'
import { archivingParts } from './archiving-parts.ts'
import { type BucketServer, bucketServer } from './bucket-server.ts'

const key = { region: 'eu-test-1', keyId: 'KEY', secret: 'a secret' }
let database: TestDatabase
let catalog: Catalog
let folder: string
let server: BucketServer
let log: Log
let archiving: ReturnType<typeof openArchiving>
const going = new AbortController().signal

beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  folder = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  server = await bucketServer(key)
  log = postgresLog(catalog.pipeline, { epoch: 1, partitions: 4 })
  archiving = open('')
})
afterAll(async () => {
  await archiving.close()
  await catalog.close()
  await database.drop()
  await server.close()
  await rm(folder, { recursive: true })
})
/** @param of a node of its own, with what it has read */
function open(of: string) {
  const parts = archivingParts({ folder: join(folder, of), catalog, log })
  const archive = { ...key, endpoint: server.endpoint, bucket: 'assay', prefix: 'of/ours' }
  return openArchiving({ ...parts, config: { ...parts.config, archive } })
}

const at = '2026-11-03T00:00:00Z'
const records = Array.from({ length: 30 }, (_, n) => ({ key: randomUUID(), value: JSON.stringify({ at, n }) }))

test('a bucket holds the archive: written, verified, and read when the log has nothing left, by another node too', async () => {
  await log.append(topics.bronze, records)
  const ends = await log.ends(topics.bronze)
  server.failing = 1
  await expect(archiving.runNow(going)).rejects.toThrow('503 (SlowDown)')
  expect(await archiving.list()).toEqual([])
  const files = await archiving.runNow(going)
  expect(
    [...server.objects.keys()].every((name) => name.startsWith('assay/of/ours/products.bronze/day=2026-11-03/')),
  ).toBe(true)
  expect(server.objects.size).toBe(2 * (files ?? 0))
  expect(await archiving.verify(going)).toEqual([])

  await closeSegment(catalog.pipeline)
  await retireSegments(catalog.pipeline, 0)
  expect((await dropSegments(catalog.pipeline, 0)).length).toBe(1)
  const other = open('other')
  const both = archivedLog(log, other.read, 'log')
  const byKey: StoredRecord[] = []
  for await (const record of both.readKeys(
    topics.bronze,
    records.map((one) => one.key),
    ends,
  ))
    byKey.push(record)
  expect(new Map(byKey.map((one) => [one.key, one.value.toString()]))).toEqual(
    new Map(records.map((one) => [one.key, one.value])),
  )
  // What was read is kept beside: the bucket is not asked again.
  server.failing = 1
  for (const [partition, end] of ends.entries())
    expect(await both.read(topics.bronze, partition, 0, 100)).toHaveLength(end)
  server.failing = 0
  await other.close()
})

test('a verification looks at the bucket itself, whatever was read before', async () => {
  const [first, second] = [...server.objects.keys()].filter((name) => name.endsWith('.parquet')).sort()
  const bytes = Buffer.from(server.objects.get(first ?? '') ?? '')
  bytes[40] = (bytes[40] ?? 0) ^ 1
  server.objects.set(first ?? '', bytes)
  server.objects.delete(second ?? '')
  server.objects.set('assay/of/ours/mine.parquet', Buffer.from(''))
  const faults = await archiving.verify(going)
  expect(faults.map(({ says }) => says)).toEqual([
    'its checksum is not that of the file that was written',
    'the file is gone',
    'no manifest row knows of it',
  ])
})
