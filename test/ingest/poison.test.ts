import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sinkPositions } from '../../infra/catalog/advance-position.ts'
import { openSystem, type System } from '../../infra/system.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { deadLetter, topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { type Running, startAssay, workspace } from '../running.ts'

let assay: Running
let catalog: string
let brand: string
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())
beforeEach(async () => {
  catalog = await assay.newCatalog()
  const sql = 'select brand_id as id from catalog where catalog_id = $1'
  brand = (await assay.system.catalog.pipeline.query<{ id: string }>(sql, [catalog])).rows[0]?.id ?? ''
})

/** All of partition 0, so that the poison stands between its neighbours. */
const newProduct = () => `${randomUUID().slice(0, 28)}00000000`
const partition = 0
const unreadable = Buffer.from('7b22', 'hex')

function record(more: Partial<Record<keyof BronzeRecord, unknown>> = {}): { key: string; value: string } {
  const product = newProduct()
  const value = {
    v: 1,
    op: 'put',
    workspace,
    brand,
    catalog,
    product,
    source: 'api',
    sid: randomBytes(32).toString('hex'),
    context: 0,
    seq: -1,
    rows: [],
    kind: 'single',
    create: true,
    at: new Date().toISOString(),
    cells: { title: 'Good' },
    ...more,
  }
  return { key: product, value: JSON.stringify(value) }
}

async function sinkAt({ catalog: store, log }: System): Promise<number> {
  const at = await sinkPositions(store.pipeline, topology.group, log.epoch, topics.bronze, log.partitions)
  return at[partition] ?? 0
}
const position = () => sinkAt(assay.system)

/** Appends, and waits until the sink has passed the last. @returns the offset of the first */
async function append(...records: readonly { key: string; value: string | Buffer }[]): Promise<number> {
  const [range] = await assay.system.log.append(topics.bronze, records)
  if (range?.partition !== partition) throw new Error('the records are not all in partition 0')
  while ((await position()) < range.to) await sleep(10)
  return range.from
}

const titles = async () => (await assay.products(catalog)).map(({ title }) => title).sort()

async function buried(from: number) {
  const { rows } = await assay.system.catalog.pipeline.query<{ offset: number; reason: string; attempts: number }>(
    'select "offset", reason, attempts from dead_record where topic = $1 and partition = $2 and "offset" >= $3 order by 1',
    [topics.bronze, partition, from],
  )
  return rows
}

async function letters(from: number, { log }: System = assay.system) {
  const topic = deadLetter(topics.bronze)
  const ends = await log.ends(topic)
  const all = await Promise.all(ends.map((_, at) => log.read(topic, at, 0, 10_000)))
  return all
    .flat()
    .map(({ key, value }) => ({ key, ...JSON.parse(value.toString()) }))
    .filter(({ offset, partition: of }) => offset >= from && of === partition)
    .sort((a, b) => a.offset - b.offset)
}

describe('KF-47: a record that nobody can read', () => {
  test('is dead with reason, position and attempts; its neighbours are processed and the position moves on', async () => {
    const [bytes, version] = [{ key: newProduct(), value: unreadable }, record({ v: 7 })]
    const from = await append(record(), bytes, version, record({ cells: { title: 'Good too' } }))
    expect(await titles()).toEqual(['Good', 'Good too'])
    expect(await position()).toBe(from + 4)
    const dead = [
      { offset: from + 1, reason: expect.stringMatching(/^not JSON/), attempts: 1 },
      { offset: from + 2, reason: expect.stringMatching(/unknown schema version 7/), attempts: 1 },
    ]
    expect(await buried(from)).toEqual(dead)
    expect(await letters(from)).toMatchObject([
      { ...dead[0], key: bytes.key, topic: topics.bronze, partition, value: unreadable.toString('base64') },
      { ...dead[1], key: version.key, value: Buffer.from(version.value).toString('base64') },
    ])
  })

  test('is not met again by a process that starts anew', async () => {
    const own = await startAssay()
    const { log } = own.system
    const [range] = await log.append(topics.bronze, [
      { key: newProduct(), value: unreadable },
      { key: newProduct(), value: '{}' },
    ])
    while ((await sinkAt(own.system)) < (range?.to ?? 0)) await sleep(10)
    const before = await letters(0, own.system)
    await own.system.close()
    expect(before).toMatchObject([{ offset: range?.from }, { offset: (range?.from ?? 0) + 1 }])

    const again = await openSystem(own.config, pino({ level: 'silent' }), { roles: ['transforms'], alone: false })
    const { key, value } = record()
    const [later] = await again.log.append(topics.bronze, [{ key, value }])
    while ((await sinkAt(again)) < (later?.to ?? 0)) await sleep(10)
    expect(await letters(0, again)).toEqual(before)
    await again.close()
    await own.close()
  })

  const poisons: [string, Partial<Record<keyof BronzeRecord, unknown>>][] = [
    ['a product id that is no UUID', { product: 'A-1' }],
    ['a catalog id that is no UUID', { catalog: 'main' }],
    ['a brand id that is no UUID', { brand: 7 }],
    ['a workspace that nobody could have', { workspace: 'ws_\0' }],
    ['a workspace that is not there', { workspace: 'ws_nowhere' }],
    ['an import id that is no UUID', { import: 'first' }],
    ['a family that is no UUID', { family: 'T-1' }],
    ['a context that is not there', { context: 4_000_000_000_000 }],
    ['a context that is no number of one', { context: 1.5 }],
    ['rows out of range', { rows: [1e300] }],
    ['a kind that nobody knows', { kind: 'bundle' }],
    ['a time that is none', { at: 'yesterday' }],
    ['cells that are numbers', { cells: { title: 5 } }],
    ['cells that are null', { cells: { title: null } }],
    ['no cells', { cells: undefined }],
    ['an operation on a product without any record', { op: 'void', import: randomUUID() }],
    ['no version', { v: undefined }],
  ]
  test.each(poisons)('with %s stops nothing', async (_, poison) => {
    const from = await append(record(), record(poison), record())
    expect(await titles()).toEqual(['Good', 'Good'])
    expect(await buried(from)).toMatchObject([{ offset: from + 1, attempts: 1 }])
  })
})

describe('KF-47: a value that Postgres can never store', () => {
  /** An index entry holds 2,704 bytes, and random ones cannot be compressed. */
  const endless = () => randomBytes(4_000).toString('base64url')

  test('is found among its neighbours and buried alone', async () => {
    const records = Array.from({ length: 40 }, (_, i) =>
      record({ cells: { title: 'Good', sku: i === 23 ? endless() : `S-${i}` } }),
    )
    const from = await append(...records)
    expect(await buried(from)).toMatchObject([{ offset: from + 23, reason: expect.stringMatching(/cannot store/) }])
    expect(await titles()).toHaveLength(39)
  })

  test('in a file is one rejected row with its reason; a second import says the same', async () => {
    const rows = ['sku,title', 'F-1,Mug', `${endless()},Jug`, 'F-3,Bowl']
    const file = `${rows.join('\n')}\n`
    const first = (await assay.ingest(catalog, file)).result
    expect(first).toMatchObject({ read: 3, created: 2, rejected: 1 })
    expect(await assay.rows(first.importId)).toMatchObject([
      { row: 2, result: 'rejected', says: expect.stringMatching(/cannot store/) },
    ])
    const second = (await assay.ingest(catalog, file)).result
    expect(second).toMatchObject({ read: 3, created: 0, updated: 0, unchanged: 2, rejected: 1 })
    expect(await titles()).toEqual(['Bowl', 'Mug'])
  })

  test('nor a row with more warnings than can be numbered stops the line', async () => {
    const images = Array.from({ length: 40_000 }, (_, i) => `img/${i}.jpg`).join('|')
    const { result } = await assay.ingest(catalog, `sku,title,images\nF-1,Mug,${images}\nF-2,Jug,\n`)
    expect(result).toMatchObject({ read: 2, created: 2, warnings: { image_not_absolute: 40_000 } })
    expect(await assay.rows(result.importId)).toHaveLength(100)
  })
})

test('KF-47: a store that goes away in the middle of a batch buries nothing', async () => {
  const { pipeline } = assay.system.catalog
  const lock = await pipeline.connect()
  await lock.query('begin; lock table products in access exclusive mode')
  const from = await position()
  const appended = append(record(), record())
  const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%products%'`
  let pids: number[] = []
  for (; pids.length === 0; await sleep(10))
    pids = (await pipeline.query<{ pid: number }>(waiting)).rows.map(({ pid }) => pid)
  for (const pid of pids) await pipeline.query('select pg_terminate_backend($1)', [pid])
  await lock.query('rollback')
  lock.release()
  await appended
  expect(await buried(from)).toEqual([])
  expect(await titles()).toEqual(['Good', 'Good'])
})
