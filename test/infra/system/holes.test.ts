import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { closeSegment } from '../../../infra/log/close-segment.ts'
import { dropSegments, retireSegments } from '../../../infra/log/drop-segments.ts'
import { holesOf } from '../../../infra/log/holes.ts'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { topics } from '../../../schemas/topics.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

vi.setConfig({ testTimeout: 90_000 })

const base = `/api/workspace/${workspace}`
const going = new AbortController().signal
/** So many that each partition has several. */
const products = 40
const skus = (letter: string) => Array.from({ length: products }, (_, n) => `${letter}-${n}`)
const file = (letter: string, price: number) =>
  `sku,title,price,currency\n${skus(letter)
    .map((sku, n) => `${sku},Mug ${sku},${price + n}.00,EUR\n`)
    .join('')}`

let assay: Running
let catalog: string
/** The partition that has a hole. */
const partition = 1
/** Undone before the records were lost. */
let undone: string
/** Of the products of before, and then of others: imported behind the hole. */
let dearer: string
let others: string
let hole: { epoch: number; partition: number; from: number; to: number }
const says = () =>
  new RegExp(`Offsets 0 to ${hole.to - 1} of partition ${partition} of epoch ${hole.epoch} of the log were dropped`)

const rowsOf = async () =>
  (
    await assay.system.catalog.pipeline.query<{ id: string; sku: string; price: number; rev: number; layers: Buffer }>(
      'select product_id as id, sku, price_minor as price, rev, layers from products where catalog_id = $1 order by product_id',
      [catalog],
    )
  ).rows
const isIn = (id: string) => assay.system.log.partitionOf(id) === partition
/** Products that may have had records in the hole. */
const around = async () => (await rowsOf()).filter(({ id, sku }) => isIn(id) && sku.startsWith('A'))
const ends = () => assay.system.log.ends(topics.bronze)

async function job(path: string, body: unknown = {}) {
  const answer = await assay.call('POST', `${base}${path}`, body)
  expect(answer.status, answer.text).toBe(202)
  const ended = await assay.job(answer.body.job.id)
  return { ...ended, result: ended.result as unknown as Record<string, unknown>, answer: answer.body }
}

async function archive() {
  while ((await assay.system.archiving.runNow(going, () => {}, [topics.bronze])) === null);
}

/** The archive has lost what the log has dropped of one partition: the same as never having had it. */
beforeAll(async () => {
  assay = await startAssay()
  const { pipeline } = assay.system.catalog
  catalog = await assay.newCatalog()
  await assay.ingest(catalog, file('A', 10), { source: 'One' })
  undone = (await assay.ingest(catalog, file('A', 70), { source: 'Two' })).result.importId
  await assay.change(undone, 'undo')
  await closeSegment(pipeline)
  await archive()
  await retireSegments(pipeline, 0)
  await dropSegments(pipeline, 0)
  await pipeline.query('delete from log_archive where topic = $1 and partition = $2', [topics.bronze, partition])
  const end = (await ends())[partition] ?? 0
  hole = { epoch: assay.system.log.epoch, partition, from: 0, to: end }
  dearer = (await assay.ingest(catalog, file('A', 40), { source: 'One' })).result.importId
  others = (await assay.ingest(catalog, file('B', 500), { source: 'Three' })).result.importId
}, 90_000)
afterAll(() => assay.close())

/** A hole is the same whether the archive has gone on behind it or not. */
describe.each([
  ['that no file of the archive is behind yet', async () => {}],
  ['over which the archive has gone on', archive],
])('a hole in the log %s', (_, begin) => {
  beforeAll(begin, 60_000)

  test('is known by its offsets', async () => {
    expect(await holesOf(assay.system.log)).toEqual([hole])
    expect(await around()).not.toEqual([])
    expect((await around()).length).toBeLessThan(products)
  })

  test('an undo of an import over products that may have had records there is refused, and nothing of it is done', async () => {
    const [before, from] = [await rowsOf(), await ends()]
    const { status, error, result } = await job(`/imports/${dearer}/undo`)
    expect([status, error?.code]).toEqual(['failed', 'log_incomplete'])
    expect(error?.message).toMatch(says())
    expect(error?.message).toMatch(/Nothing was undone/)
    expect(result).toMatchObject({ records: 0, unsure: (await around()).length, holes: [hole] })
    expect(await ends()).toEqual(from)
    expect(await rowsOf()).toEqual(before)
  })

  test('an undo and a redo of an import of products that were made behind it are done', async () => {
    const made = async () => (await assay.products(catalog, { sku: 'B-3' })).length
    expect((await job(`/imports/${others}/undo`)).status).toBe('completed')
    expect(await made()).toBe(0)
    expect((await job(`/imports/${others}/redo`)).status).toBe('completed')
    expect(await made()).toBe(1)
  })

  test('a redo of an import whose own records were there is refused', async () => {
    const before = await rowsOf()
    const { status, error, result } = await job(`/imports/${undone}/redo`)
    expect([status, error?.code]).toEqual(['failed', 'log_incomplete'])
    expect(error?.message).toMatch(/records of this import may have stood there. Nothing was redone/)
    expect(result).toMatchObject({ unsure: null, holes: [hole] })
    expect(await rowsOf()).toEqual(before)
  })

  test('a worker that meets an undo nevertheless refuses it product by product, and goes on', async () => {
    const [one] = await around()
    const [other] = (await rowsOf()).filter(({ id, sku }) => !isIn(id) && sku.startsWith('A'))
    const { log, bulk } = assay.system
    const records: BronzeRecord[] = []
    for await (const { value } of log.readKeys(topics.bronze, [one?.id ?? '', other?.id ?? ''], await ends()))
      records.push(JSON.parse(value.toString()))
    const voids = records
      .filter((record) => record.import === dearer && record.op === 'put')
      .map((record) => ({ key: record.product, value: JSON.stringify({ ...record, op: 'void', cells: {}, seq: -1 }) }))
    expect(voids).toHaveLength(2)
    const before = await rowsOf()
    await log.append(topics.bronze, voids)
    await bulk.settled()
    const after = new Map((await rowsOf()).map((row) => [row.id, row]))
    expect(after.get(one?.id ?? '')).toEqual(before.find(({ id }) => id === one?.id))
    // The first file's price again, thirty less.
    expect(after.get(other?.id ?? '')?.price).toBe((other?.price ?? 0) - 3_000)
    const { rows } = await assay.system.catalog.pipeline.query('select code, says from refused where product_id = $1', [
      one?.id,
    ])
    expect(rows.at(-1)).toEqual({ code: 'LOG_INCOMPLETE', says: expect.stringMatching(says()) })
    await log.append(
      topics.bronze,
      voids.map(({ key, value }) => ({ key, value: value.replace('"void"', '"unvoid"') })),
    )
    await bulk.settled()
    const edit = await assay.call('PATCH', `${base}/catalog/products/${one?.id}`, { title: `Edited ${Math.random()}` })
    expect(edit.status, edit.text).toBe(200)
  })

  test('a redrive leaves a dead record of such a product dead, and says why; a dry run says the same', async () => {
    const [one] = await around()
    const made = (await rowsOf()).find(({ id, sku }) => isIn(id) && sku.startsWith('B'))
    const { log, bulk, catalog: store } = assay.system
    const { pipeline } = store
    const { rows: numbers } = await pipeline.query<{ id: number }>(
      'select max(context_id)::int + 1000 as id from import_context',
    )
    const context = numbers[0]?.id ?? 0
    for (const id of [one?.id ?? '', made?.id ?? '']) {
      let last: BronzeRecord | null = null
      for await (const { value } of log.readKeys(topics.bronze, [id], await ends())) {
        const record: BronzeRecord = JSON.parse(value.toString())
        if (record.op === 'put' && record.import !== undefined) last = record
      }
      const { import: _of, fresh: _made, ...rest } = last as unknown as BronzeRecord
      const value = JSON.stringify({ ...rest, seq: -1, context, cells: { title: `Redriven ${context}` } })
      await log.append(topics.bronze, [{ key: id, value }])
    }
    await bulk.settled()
    await pipeline.query(
      `insert into import_context (context_id, workspace_id, brand_id, catalog_id, source, body)
       select $1, workspace_id, brand_id, catalog_id, source, body from import_context where catalog_id = $2 limit 1`,
      [context, catalog],
    )
    const { rows: letters } = await pipeline.query<{ offset: number; partition: number; id: string }>(
      `select "offset", partition, key as id from dead_record where topic = $1 and redriven_at is null and key = any ($2)`,
      [topics.bronze, [one?.id, made?.id]],
    )
    const idOf = (key: string | undefined) => {
      const found = letters.find(({ id }) => id === key)
      return [topics.bronze, log.epoch, found?.partition, found?.offset].join(':')
    }
    const before = await around()
    const dry = await job('/dead-letters/redrive', { ids: [idOf(one?.id)], dry_run: true })
    expect(dry.result).toMatchObject({ stillDead: 1, examples: [{ reason: expect.stringMatching(says()) }] })
    expect((await job('/dead-letters/redrive', { ids: [idOf(one?.id)] })).result).toMatchObject({ stillDead: 1 })
    const letter = (await assay.call('GET', `${base}/dead-letters/${idOf(one?.id)}`)).body
    expect(letter.attempts.at(-1)).toMatchObject({ result: 'dead', reason: expect.stringMatching(says()) })
    expect(await around()).toEqual(before)
    expect((await job('/dead-letters/redrive', { ids: [idOf(made?.id)] })).result).toMatchObject({ redriven: 1 })
  })

  test('a verification counts as unsure what it cannot compare, and compares the others', async () => {
    const [unsure, all] = [(await around()).length, (await rowsOf()).length]
    const { status, result } = await job(`/catalogs/${catalog}/verify`, { all: true })
    expect(status).toBe('completed')
    expect(result).toMatchObject({ compared: all, equal: all - unsure, differing: 0, lost: 0, unsure, holes: [hole] })
  })

  test('a replay leaves such products out and says so in its verdict; promoted, they stay what they are', async () => {
    const [unsure, before] = [await around(), await rowsOf()]
    const { status, answer, result } = await job('/replays', { catalog_id: catalog, share: 1 })
    expect([status, result]).toMatchObject(['completed', { unsure: unsure.length, holes: [hole] }])
    const path = `/replays/${answer.replay.id}`
    const { verdict } = (await assay.call('GET', `${base}${path}`)).body.replay
    const left = { leftOut: unsure.length, unsure: unsure.length, holes: [hole] }
    expect(verdict).toMatchObject({ ...left, compared: before.length - unsure.length, differing: { merge: 0 } })
    expect((await job(`${path}/promote`)).status).toBe('completed')
    expect(await rowsOf()).toEqual(before)
  })

  test('a replay of a range says what of the range is lost, and chooses by the rest', async () => {
    const range = { offsets: [{ partition, from: 0 }] }
    const { answer } = await job('/replays', { catalog_id: catalog, share: 1, range })
    const { verdict } = (await assay.call('GET', `${base}/replays/${answer.replay.id}`)).body.replay
    const chosen = (await rowsOf()).filter(({ id }) => isIn(id)).length
    const unsure = (await around()).length
    expect(verdict).toMatchObject({ compared: chosen - unsure, leftOut: unsure, unsure, holes: [hole] })
    const elsewhere = { offsets: [{ partition: 0, from: 0 }] }
    const other = await job('/replays', { catalog_id: catalog, share: 1, range: elsewhere })
    expect(other.result).toMatchObject({ unsure: 0, holes: [] })
  })

  test('a rebuild is refused', async () => {
    const { status, error, result } = await job(`/catalogs/${catalog}/rebuild`)
    expect([status, error?.code]).toEqual(['failed', 'log_incomplete'])
    expect(error?.message).toMatch(says())
    expect(result).toEqual({ holes: [hole] })
  })
})
