import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Running, startAssay, workspace } from '../running.ts'
import { loseAnswer, ofBulkJobs } from './cut-off.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

// A job that failed is tried again after a second or two.
vi.setConfig({ testTimeout: 60_000 })
const base = `/api/workspace/${workspace}`

onKafka('a bulk job whose records are on the log when it is cut off', () => {
  let broker: SharedBroker
  let assay: Running
  beforeAll(async () => {
    broker = await sharedBroker()
    assay = await startAssay({
      KAFKA_BROKERS: broker.addresses,
      ASSAY_KAFKA_PREFIX: broker.prefix,
      ASSAY_KAFKA_SESSION_MS: '2000',
    })
  }, startsWithinMs)
  afterAll(async () => {
    await assay?.close()
  })

  async function shop() {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, 'sku,title\nB-1,Mug\nB-2,Jug\nB-3,Bowl\n')
    return { catalog, importId: result.importId }
  }
  const said = async (catalog: string, name: 'title' | 'brand') =>
    (await assay.products(catalog)).map((one) => `${one.sku} ${one[name]}`).sort()
  const edit = async (catalog: string, sku: string, changes: object) => {
    const found = (await assay.products(catalog)).find((one) => one.sku === sku)
    expect((await assay.call('PATCH', `${base}/catalog/products/${found?.id}`, changes)).status).toBe(200)
  }
  const isEqual = async (catalog: string) => {
    const { body } = await assay.call('POST', `${base}/catalogs/${catalog}/verify`, { all: true })
    return (await assay.job(body.job.id)).result
  }

  test('an edit of many products is neither applied nor counted twice, and an edit since stays', async () => {
    const { catalog } = await shop()
    const cut = loseAnswer(assay, ofBulkJobs, () => edit(catalog, 'B-2', { brand: 'Since' }))
    const body = { catalog_id: catalog, filter: {}, changes: { brand: 'Lumo' } }
    const started = await assay.call('POST', `${base}/catalog/products/bulk`, body)
    const { status, result } = await assay.job(started.body.job.id)
    expect(cut.happened).toBe(true)
    expect({ status, result }).toEqual({
      status: 'completed',
      result: { matched: 3, changed: 3, unchanged: 0, refused: 0, missing: 0 },
    })
    expect(await said(catalog, 'brand')).toEqual(['B-1 Lumo', 'B-2 Since', 'B-3 Lumo'])
    expect(await isEqual(catalog)).toMatchObject({ compared: 3, equal: 3 })
  })

  test('an undo and a redo are done once', async () => {
    const { catalog, importId } = await shop()
    const second = await assay.ingest(catalog, 'sku,title\nB-1,Mug as renamed\nB-4,Cup\n', { source: 'other' })
    const undone = loseAnswer(assay, ofBulkJobs)
    await assay.change(second.result.importId, 'undo')
    expect(undone.happened).toBe(true)
    expect(await said(catalog, 'title')).toEqual(['B-1 Mug', 'B-2 Jug', 'B-3 Bowl'])
    const redone = loseAnswer(assay, ofBulkJobs)
    await assay.change(second.result.importId, 'redo')
    expect(redone.happened).toBe(true)
    expect(await said(catalog, 'title')).toEqual(['B-1 Mug as renamed', 'B-2 Jug', 'B-3 Bowl', 'B-4 Cup'])
    expect(await isEqual(catalog)).toMatchObject({ compared: 4, equal: 4 })
    expect(importId).not.toBe(second.result.importId)
  })

  test('what a merge or a deletion sends again is refused by nobody', async () => {
    const { catalog } = await shop()
    const cut = loseAnswer(assay, ofBulkJobs)
    const gone = await assay.call('DELETE', `${base}/catalogs/${catalog}`)
    expect(gone.status).toBe(202)
    const { status } = await assay.job(gone.body.job.id)
    expect([status, cut.happened]).toEqual(['completed', true])
    const back = await assay.call('POST', `${base}/catalogs/${catalog}/undelete`)
    expect((await assay.job(back.body.job.id)).status).toBe('completed')
    expect(await said(catalog, 'title')).toEqual(['B-1 Mug', 'B-2 Jug', 'B-3 Bowl'])
  })
})
