import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readWhole } from '../../../infra/catalog/histories.ts'
import { openNext } from '../../../infra/catalog/log-epochs.ts'
import { productStore } from '../../../infra/catalog/product-store.ts'
import { archivedLog } from '../../../infra/log/archived.ts'
import { closeSegment } from '../../../infra/log/close-segment.ts'
import { dropSegments, retireSegments } from '../../../infra/log/drop-segments.ts'
import { formerEpoch } from '../../../infra/log/former-epoch.ts'
import type { Log } from '../../../infra/log/port.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { openArchiving } from '../../../infra/system/archiving.ts'
import { readToFold } from '../../../infra/system/read-to-fold.ts'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { topics } from '../../../schemas/topics.ts'
import { type History, wholeHistory } from '../../../transforms/bronze/history.ts'
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
const ids = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string]
const [lamp, mug, jar, vase] = ids
const [august, september, october] = [randomUUID(), randomUUID(), randomUUID()]

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

const on = (month: number, ...records: readonly BronzeRecord[]) =>
  sink.append(
    ...records.map((record) => ({ ...record, at: `2026-${String(month).padStart(2, '0')}-15T12:00:00.000Z` })),
  )

/** A worker that folds from the ends of months has met everything. */
const work = () =>
  sink.work(productStore(sink.catalog.pipeline, log, { group: topology.group, rubricVersion, read: readToFold }), {
    log,
  })

async function archived(): Promise<number | null> {
  await work()
  await archiving.runNow(going, undefined, [topics.bronze])
  return archiving.keepBases(log, going)
}

async function histories(read: typeof readWhole, of: Log): Promise<Map<string, History>> {
  const found = new Map<string, History>()
  for await (const [id, history] of read(sink.catalog.pipeline, of, ids, await of.ends(topics.bronze)))
    found.set(id, history)
  return found
}

/** @throws where one of them folds to anything else than all its records do */
async function foldedOf(of: Log): Promise<Map<string, History>> {
  const [some, all] = [await histories(readToFold, of), await histories(readWhole, of)]
  expect([...some.keys()].sort()).toEqual([...all.keys()].sort())
  for (const [id, history] of some)
    expect(topology.refold(history)).toEqual(topology.refold(all.get(id) ?? wholeHistory([])))
  return some
}

/** What each product is folded from: where its base ends, and how many records follow. */
async function folded(): Promise<Record<string, [base: number | null, records: number]>> {
  return Object.fromEntries(
    [...(await foldedOf(log))].map(([id, { base, entries }]) => [id, [base?.position.offset ?? null, entries.length]]),
  )
}

test('a month has ended when the archive has a file of a later one, and its products are then folded from its end', async () => {
  await on(8, write.row(lamp, august, 0, { title: 'Lamp' }), write.row(mug, august, 1, { title: 'Mug' }))
  expect(await archived()).toBe(0)
  expect(await folded()).toEqual({ [lamp]: [null, 1], [mug]: [null, 1] })

  await on(9, write.row(lamp, september, 0, { title: 'Lampe' }), write.edit(jar, { title: 'Jar' }, { create: true }))
  expect(await archived()).toBe(1)
  expect(await folded()).toEqual({ [lamp]: [2, 1], [mug]: [2, 0], [jar]: [null, 1] })

  await on(10, write.row(mug, october, 0, { title: 'Becher' }), write.edit(lamp, { title: 'Desk lamp' }))
  expect(await archived()).toBe(1)
  expect(await folded()).toEqual({ [lamp]: [4, 1], [mug]: [2, 1], [jar]: [4, 0] })
  expect(await archived()).toBe(0)
  expect(await archiving.verify(going)).toEqual([])
})

test('an undo of an import that is older than a month’s end starts before it, and one of a later import does not', async () => {
  await on(10, write.undo(mug, october), write.undo(lamp, september))
  expect(await folded()).toEqual({ [lamp]: [2, 3], [mug]: [2, 2], [jar]: [4, 0] })
  await on(10, write.undo(lamp, august))
  expect((await folded())[lamp]).toEqual([null, 5])
})

test('the end of the next month has what was undone, and what comes then is folded from there', async () => {
  await on(11, write.edit(vase, { title: 'Vase' }, { create: true }))
  // October came into the archive in two files.
  expect(await archived()).toBe(2)
  expect(await folded()).toEqual({ [lamp]: [9, 0], [mug]: [9, 0], [jar]: [4, 0], [vase]: [null, 1] })
  await on(11, write.undo(lamp, august, 'unvoid'))
  expect((await folded())[lamp]).toEqual([null, 6])
  await on(11, write.undo(lamp, september, 'unvoid'))
  expect((await folded())[lamp]).toEqual([null, 7])
})

test('a month of which the sink has not met all records is not told of: what it will refuse, nobody knows', async () => {
  await on(12, write.edit(vase, { title: 'Vase, blue' }, { ifRev: 0 }))
  await archiving.runNow(going, undefined, [topics.bronze])
  expect(await archiving.keepBases(log, going)).toBe(0)
  expect(await archived()).toBe(2)
  expect((await folded())[vase]).toEqual([12, 1])
})

test('a worker that folds from the ends of months makes the same products, also when the log has let the records go', async () => {
  const { pipeline } = sink.catalog
  await closeSegment(pipeline)
  await archived()
  await retireSegments(pipeline, 0)
  while ((await dropSegments(pipeline, 0)).length === 0) await sleep(50)
  expect((await pipeline.query('select count(*)::int as n from log')).rows).toEqual([{ n: 0 }])
  await folded()
  await on(12, write.undo(mug, august), write.undo(mug, october, 'unvoid'))
  await work()
  const { rows } = await pipeline.query<{ id: string; layers: Buffer }>('select product_id as id, layers from products')
  const all = await histories(readWhole, log)
  expect(rows).toHaveLength(4)
  for (const { id, layers } of rows)
    expect(JSON.parse(layers.toString())).toEqual(topology.refold(all.get(id) ?? wholeHistory([])).layers)
})

test('an epoch that goes on behind is folded from the ends of its own months, and of those of the former', async () => {
  await archived()
  const { catalog } = sink
  const pool = catalog.pipeline
  const begins = { [topics.bronze]: [...(await log.ends(topics.bronze)), 0] }
  const opened = { epoch: 2, partitions: 2, begins }
  await catalog.inTransaction(pool, (tx) =>
    openNext(tx, { closed: 1, ends: begins }, { ...opened, engine: 'postgres', topicId: null }, [topology]),
  )
  const kept = postgresLog(pool, opened)
  const later = openArchiving({ ...archivingParts({ folder, catalog, log: kept }), begins })
  const former = archivedLog(formerEpoch(sink.log, begins), archiving.read, 'log')
  const here = { ...archivedLog(kept, later.read, 'log', begins), former: [former] }
  const say = (month: number, record: BronzeRecord) =>
    kept.append(topics.bronze, [
      { key: record.product, value: JSON.stringify({ ...record, at: `2027-0${month}-15T12:00:00.000Z` }) },
    ])
  const bases = async () => {
    const from = await foldedOf(here)
    return ids.map((id) => from.get(id)?.base?.position ?? null).map((at) => at && [at.epoch, at.offset])
  }
  try {
    const [january, february] = [randomUUID(), randomUUID()]
    await say(1, write.row(lamp, january, 0, { title: 'Lamp of epoch 2' }))
    // Of the mug an import that every month's end has was undone since.
    expect(await bases()).toEqual([[1, 12], null, [1, 4], [1, 12]])
    await say(2, write.row(mug, february, 0, { title: 'Mug of epoch 2' }))
    await say(2, write.row(lamp, february, 1, { title: 'Lamp of February' }))
    await pool.query('update sink_position set next_offset = 1000000 where epoch = 2')
    await later.runNow(going, undefined, [topics.bronze])
    await later.keepBases(here, going)
    expect((await bases()).filter((one) => one?.[0] === 2)).toHaveLength(1)
    await say(3, write.undo(lamp, january))
    expect((await bases())[0]).toEqual([1, 12])
    await say(3, write.undo(lamp, september))
    expect((await bases())[0]).toBeNull()
    expect(await later.verify(going)).toEqual([])
  } finally {
    await later.close()
  }
})
