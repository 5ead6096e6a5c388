import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { productStore } from '../../../infra/catalog/product-store.ts'
import { archivedLog } from '../../../infra/log/archived.ts'
import type { Log } from '../../../infra/log/port.ts'
import { openArchiving } from '../../../infra/system/archiving.ts'
import { readToFold } from '../../../infra/system/read-to-fold.ts'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { topics } from '../../../schemas/topics.ts'
import type { History } from '../../../transforms/bronze/history.ts'
import { rubricVersion } from '../../../transforms/gold/rubric.ts'
import { products as topology } from '../../../transforms/topology.ts'
import { type LogAndSink, openLogAndSink, writer } from '../../transforms/log-and-sink.ts'
import { archivingParts } from '../archive/archiving-parts.ts'

vi.setConfig({ testTimeout: 90_000 })

let sink: LogAndSink
let folder: string
let archiving: ReturnType<typeof openArchiving>
let log: Log
const going = new AbortController().signal
const write = writer()
const [lamp, mug] = [randomUUID(), randomUUID()]

beforeAll(async () => {
  sink = await openLogAndSink()
  folder = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  archiving = openArchiving(archivingParts({ folder, catalog: sink.catalog, log: sink.log }))
  log = archivedLog(sink.log, archiving.read, 'log')
})
afterAll(async () => {
  await archiving.close()
  await sink.close()
  await rm(folder, { recursive: true })
})

const on = (month: number, record: BronzeRecord) =>
  sink.append({ ...record, at: `2026-${String(month).padStart(2, '0')}-15T12:00:00.000Z` })

/** @returns months' ends that were written */
async function archived(): Promise<number | null> {
  await sink.work(
    productStore(sink.catalog.pipeline, log, { group: topology.group, rubricVersion, read: readToFold }),
    { log },
  )
  await archiving.runNow(going, undefined, [topics.bronze])
  return archiving.keepBases(log, going)
}

async function foldedOf(product: string): Promise<History | undefined> {
  const found = readToFold(sink.catalog.pipeline, log, [product], await log.ends(topics.bronze))
  for await (const [, history] of found) return history
  return undefined
}

test('behind a hole nothing is told of what products had come to, and what was told over it is not believed', async () => {
  await on(1, write.row(lamp, randomUUID(), 0, { title: 'Lamp' }))
  await archived()
  await on(2, write.row(lamp, randomUUID(), 0, { title: 'Lamp of February' }))
  expect(await archived()).toBe(1)
  await on(3, write.row(lamp, randomUUID(), 0, { title: 'Lamp of March' }))
  expect(await archived()).toBe(1)
  expect(await foldedOf(lamp)).toMatchObject({ base: { position: { offset: 2 } }, hole: null })

  const { pipeline } = sink.catalog
  await pipeline.query('delete from log_archive where topic = $1 and from_offset = 1', [topics.bronze])
  const hole = { epoch: 1, partition: log.partitionOf(lamp), from: 1, to: 2 }
  expect(await foldedOf(lamp)).toMatchObject({ base: null, hole })
  await on(4, write.row(lamp, randomUUID(), 0, { title: 'Lamp of April' }))
  expect(await archived()).toBe(0)
  const made = { ...write.row(mug, randomUUID(), 0, { title: 'Mug' }), fresh: true as const }
  await on(5, made)
  expect(await archived()).toBe(0)
  expect(await foldedOf(lamp)).toMatchObject({ base: null, hole })
  expect(await foldedOf(mug)).toMatchObject({ base: null, hole: null })
})
