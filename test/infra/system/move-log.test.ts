import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Epoch } from '../../../infra/catalog/migrate.ts'
import { EpochClosed } from '../../../infra/log/fenced.ts'
import { StartError } from '../../../infra/start-error.ts'
import { moveLog } from '../../../infra/system/move-log.ts'
import { openEpoch } from '../../../infra/system/open-epoch.ts'
import { openSystem } from '../../../infra/system.ts'
import { topics } from '../../../schemas/topics.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { differences } from '../../verified.ts'
import { withoutGroups } from '../../without-groups.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const base = `/api/workspace/${workspace}`
/** One Assay after the other on one database: of 4, then 8, then 2 partitions. */
const nodes: Running[] = []
let node: Running
let catalog: string
let firstImport: string
let staleTag: string
let movedAt: string

beforeAll(async () => {
  node = await startAssay()
  nodes.push(node)
  catalog = await node.newCatalog()
})
afterAll(async () => {
  for (const one of nodes.toReversed()) await one.close()
})

const rows = (from: number, to: number, price: string) =>
  `sku,title,price,currency\n${Array.from({ length: to - from }, (_, n) => `E-${from + n},Mug ${from + n},${price},EUR\n`).join('')}`
const one = async (sku: string) => (await node.products(catalog, { sku }))[0]
const path = async (sku: string) => `${base}/catalog/products/${(await one(sku))?.id}`

async function move(partitions: number): Promise<void> {
  for (const former of nodes.slice(0, -1)) await former.stop()
  const { system } = node
  const prepare = (next: Epoch) => openEpoch(system.config, next, system.catalog.pipeline)
  await moveLog({ ...system, prepare }, { engine: 'postgres', partitions }, () => {})
  node = await startAssay({ ASSAY_LOG_PARTITIONS: String(partitions) }, { beside: node })
  nodes.push(node)
}

test('in the first epoch a file is imported and a product edited', async () => {
  firstImport = (await node.ingest(catalog, rows(0, 40, '1.00'), { source: 'one' })).result.importId
  await node.call('PATCH', await path('E-1'), { title: 'Edited in epoch 1' })
  staleTag = String((await node.call('GET', await path('E-2'))).headers.etag)
  expect(node.system.log.partitions).toBe(4)
})

test('after the move all is as it was, and the node that is left behind reads on and takes nothing new', async () => {
  const before = withoutGroups(await node.products(catalog))
  const left = node
  movedAt = new Date().toISOString()
  await move(8)
  expect(node.system.log).toMatchObject({ epoch: 2, partitions: 8 })
  expect(withoutGroups(await node.products(catalog))).toEqual(before)
  expect(withoutGroups(await left.products(catalog))).toEqual(before)
  const refused = await left.call('PATCH', await path('E-1'), { title: 'Never' })
  expect(refused.status).toBe(503)
  expect(refused.body.error).toBe('SERVER_002')
  expect(refused.headers['retry-after']).toBe('5')
  await expect(left.system.log.append(topics.bronze, [{ key: before[0]?.id ?? '', value: '{}' }])).rejects.toThrow(
    EpochClosed,
  )
})

test('edits and imports go on in the next epoch, and a newer one wins over those of the former', async () => {
  await node.call('PATCH', await path('E-3'), { title: 'Edited in epoch 2' })
  const again = await node.ingest(catalog, rows(0, 40, '1.00'), { source: 'one' })
  expect(again.result).toMatchObject({ read: 40, created: 0, updated: 0, unchanged: 40 })
  const dearer = await node.ingest(catalog, rows(20, 60, '2.00'), { source: 'one' })
  expect(dearer.result).toMatchObject({ read: 40, created: 20, updated: 20 })
  expect(await one('E-1')).toMatchObject({ title: 'Edited in epoch 1', price: 1 })
  expect(await one('E-3')).toMatchObject({ title: 'Edited in epoch 2', price: 1 })
  expect(await one('E-30')).toMatchObject({ price: 2 })
  expect((await differences(node.system, catalog)).differing).toEqual([])
})

test('a tag from before the move holds while nothing was changed, and tells a change since', async () => {
  const id = await path('E-2')
  expect((await node.call('PATCH', id, { title: 'By the old tag' }, { 'if-match': staleTag })).status).toBe(200)
  expect((await node.call('PATCH', id, { title: 'Never' }, { 'if-match': staleTag })).status).toBe(412)
})

test('who said a value, and where, is told over all epochs', async () => {
  const { body } = await node.call('GET', `${await path('E-1')}/provenance`)
  const title = body.fields.find(({ field }: { field: string }) => field === 'title')
  expect(title.from).toMatchObject({ source: 'api', editor: { by: 'test:admin' }, position: { epoch: 1 } })
  const { body: later } = await node.call('GET', `${await path('E-3')}/provenance`)
  const edited = later.fields.find(({ field }: { field: string }) => field === 'title')
  expect(edited.from).toMatchObject({ editor: { by: 'test:admin' }, position: { epoch: 2 } })
  const { product } = (await node.call('GET', await path('E-3'))).body
  for (const { epoch, partition } of product.scoredWith.positions)
    expect(partition).toBe(Number.parseInt(product.id.slice(28), 16) % (epoch === 1 ? 4 : 8))
})

test('an import of a former epoch is undone and redone in the present one', async () => {
  await move(2)
  expect(node.system.log).toMatchObject({ epoch: 3, partitions: 2 })
  await node.change(firstImport, 'undo')
  // Listed again since then, unchanged, by the second import: these stay as that one has them.
  expect(await one('E-1')).toMatchObject({ title: 'Edited in epoch 1', price: 1 })
  expect((await differences(node.system, catalog)).differing).toEqual([])
  await node.change(firstImport, 'redo')
  expect((await differences(node.system, catalog)).differing).toEqual([])
  expect((await node.products(catalog)).length).toBe(60)
})

test('a replay chooses by records of former epochs too, and folds what all epochs say', async () => {
  const replayed = async (range: object) => {
    const asked = await node.call('POST', `${base}/replays`, { catalog_id: catalog, range, share: 1 })
    expect(asked.status, asked.text).toBe(202)
    expect((await node.job(asked.body.job.id)).status).toBe('completed')
    return (await node.call('GET', `${base}/replays/${asked.body.replay.id}`)).body.replay
  }
  const of = (partitions: number, partition: number, end: number) =>
    Array.from({ length: end }, (_, n) => `E-${n}`).filter(
      (sku) => Number.parseInt((ids.get(sku) ?? '').slice(28), 16) % partitions === partition,
    ).length
  const ids = new Map((await node.products(catalog)).map(({ id, sku }) => [sku ?? '', id]))
  const { verdict, range } = await replayed({ to: movedAt })
  expect(verdict).toMatchObject({ compared: 40, unchanged: 40, differing: { merge: 0, silver: 0 }, leftOut: 0 })
  expect(range.offsets).toBeNull()
  const first = await replayed({ offsets: [{ epoch: 1, partition: 3 }] })
  expect(first.verdict.compared).toBe(of(4, 3, 40))
  expect(first.range.offsets).toEqual([{ epoch: 1, partition: 3, from: 0, to: null }])
  const second = await replayed({ offsets: [{ epoch: 2, partition: 7 }] })
  expect(second.verdict.compared).toBe(of(8, 7, 60))
  // Without an epoch it is the present one, which has two.
  const beyond = await node.call('POST', `${base}/replays`, { range: { offsets: [{ partition: 3 }] } })
  expect(beyond).toMatchObject({ status: 400, body: { details: { field: 'range.offsets' } } })
  const dearer = (await node.system.catalog.pipeline.query('select import_id as id from import order by created_at'))
    .rows
  expect((await replayed({ import_id: dearer[2]?.id })).verdict).toMatchObject({ compared: 40, leftOut: 0 })
})

test('a catalog is rebuilt from the records of all epochs', async () => {
  const before = withoutGroups(await node.products(catalog))
  await node.system.catalog.pipeline.query('delete from products where catalog_id = $1', [catalog])
  const { body } = await node.call('POST', `${base}/catalogs/${catalog}/rebuild`, {})
  const { status, result } = await node.job(body.job.id)
  expect(status).toBe('completed')
  expect(result).toMatchObject({ restored: 60, failed: 0 })
  expect(withoutGroups(await node.products(catalog))).toEqual(before)
  expect((await differences(node.system, catalog)).differing).toEqual([])
})

test('an Assay that is set to another log than the database has does not start, and says how it is moved', async () => {
  const { config, logger } = node.system
  const other = openSystem({ ...config, logPartitions: 4 }, logger, { roles: [], alone: false })
  await expect(other).rejects.toThrow(StartError)
  await expect(other).rejects.toThrow(
    'The log is kept in 2 partitions; set ASSAY_LOG_PARTITIONS=2, or move the log with assay migrate-log --to postgres --partitions 4.',
  )
})

test('a move waits for what is under way and refuses new writes meanwhile; given up, writes are taken again', async () => {
  const { system } = node
  const { catalog: store } = system
  const brand = (await store.pipeline.query('select brand_id as id from catalog limit 1')).rows[0].id
  const job = '00000000-0000-4000-8000-0000000000aa'
  await store.pipeline.query(
    `insert into job (job_id, workspace_id, brand_id, kind, status, input) values ($1, $2, $3, 'bulk', 'active', '{}')`,
    [job, workspace, brand],
  )
  const stop = new AbortController()
  const prepare = (next: Epoch) => openEpoch(system.config, next, store.pipeline)
  const waited: number[] = []
  const moving = moveLog(
    { ...system, prepare },
    { engine: 'postgres', partitions: 4 },
    (left) => waited.push(left.jobs),
    stop.signal,
  )
  const given = expect(moving).rejects.toThrow()
  const id = await path('E-5')
  await vi.waitFor(async () => expect((await node.call('PATCH', id, { title: 'x' })).status).toBe(503), {
    timeout: 10_000,
    interval: 200,
  })
  expect((await node.call('GET', id)).status).toBe(200)
  const second = moveLog({ ...system, prepare }, { engine: 'postgres', partitions: 4 }, () => {})
  await expect(second).rejects.toThrow('Another assay migrate-log is under way.')
  stop.abort()
  await given
  expect(waited).toContain(1)
  await store.pipeline.query(`update job set status = 'failed' where job_id = $1`, [job])
  await vi.waitFor(async () => expect((await node.call('PATCH', id, { title: 'Taken again' })).status).toBe(200), {
    timeout: 10_000,
    interval: 200,
  })
})
