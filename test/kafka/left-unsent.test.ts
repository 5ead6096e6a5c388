import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countAppending } from '../../infra/catalog/log-epochs.ts'
import { connect } from '../../infra/catalog/postgres.ts'
import { type Running, startAssay, workspace } from '../running.ts'
import { differences } from '../verified.ts'
import { type Cut, cutOff, ofBulkJobs } from './cut-off.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

// Jobs that failed are tried again after a second or two, and a process that is gone is missed after five more.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })
const base = `/api/workspace/${workspace}`
const soon = { timeout: 30_000, interval: 50 }

onKafka('what a job recorded and had not sent when it ended', () => {
  let broker: SharedBroker
  const nodes: Running[] = []
  let assay: Running
  const start = async () => {
    const env = { KAFKA_BROKERS: broker.addresses, ASSAY_KAFKA_PREFIX: broker.prefix, ASSAY_KAFKA_SESSION_MS: '2000' }
    assay = await startAssay(env, nodes[0] ? { beside: nodes[0] } : {})
    nodes.push(assay)
  }
  beforeAll(async () => {
    broker = await sharedBroker()
    await start()
  }, startsWithinMs)
  afterAll(async () => {
    for (const one of nodes.toReversed()) await one.close()
  })

  const shop = async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title\nB-1,Mug\nB-2,Jug\nB-3,Bowl\n')
    return catalog
  }
  const said = async (catalog: string) =>
    (await assay.products(catalog)).map(({ sku, brand }) => `${sku} ${brand}`).sort()
  const query = async (sql: string, ...values: unknown[]) =>
    (await assay.system.catalog.pipeline.query(sql, values)).rows
  /** Numbers that a job has given to records; null where something of it is not on the log. */
  const sentBy = async (job: string) =>
    (await query('select next_number as n from unsent where sender = $1 and payload is null', job))[0]?.n ?? null

  /** An edit of all products that got as far as this. */
  async function begun(catalog: string, cut: Cut): Promise<string> {
    const body = { catalog_id: catalog, filter: {}, changes: { brand: 'Lumo' } }
    const { body: started } = await assay.call('POST', `${base}/catalog/products/bulk`, body)
    await vi.waitFor(() => expect(cut.happened).toBe(true), soon)
    return started.job.id
  }
  async function isSentOnce(catalog: string, job: string, brands: string[]) {
    await vi.waitFor(async () => expect(await sentBy(job)).toBe(3), soon)
    await assay.system.bulk.settled()
    expect(await said(catalog)).toEqual(brands)
    expect((await differences(assay.system, catalog)).differing).toEqual([])
    expect(await countAppending(assay.system.catalog.pipeline)).toBe(0)
  }
  const all = ['B-1 Lumo', 'B-2 Lumo', 'B-3 Lumo']

  test('is sent after it was cancelled, and the log is not moved before', async () => {
    const catalog = await shop()
    const cut = cutOff(assay, ofBulkJobs, { arrives: false })
    const job = await begun(catalog, cut)
    await assay.call('POST', `${base}/jobs/${job}/cancel`)
    expect(await assay.job(job)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    expect(await said(catalog)).toEqual(['B-1 null', 'B-2 null', 'B-3 null'])
    expect(await countAppending(assay.system.catalog.pipeline)).toBe(1)
    cut.mend()
    await isSentOnce(catalog, job, all)
  })

  test('is not applied a second time where the log had it, and an edit since stays', async () => {
    const catalog = await shop()
    const edit = async () => {
      const found = (await assay.products(catalog)).find(({ sku }) => sku === 'B-2')
      expect((await assay.call('PATCH', `${base}/catalog/products/${found?.id}`, { brand: 'Since' })).status).toBe(200)
    }
    const cut = cutOff(assay, ofBulkJobs, { arrives: true, meanwhile: edit })
    const job = await begun(catalog, cut)
    await assay.call('POST', `${base}/jobs/${job}/cancel`)
    expect((await assay.job(job)).error?.code).toBe('cancelled')
    cut.mend()
    await isSentOnce(catalog, job, ['B-1 Lumo', 'B-2 Since', 'B-3 Lumo'])
  })

  test('comes before an edit that is made after it has ended, which else is not taken', async () => {
    const catalog = await shop()
    const cut = cutOff(assay, ofBulkJobs, { arrives: false })
    const job = await begun(catalog, cut)
    await assay.call('POST', `${base}/jobs/${job}/cancel`)
    expect((await assay.job(job)).error?.code).toBe('cancelled')
    const found = (await assay.products(catalog)).find(({ sku }) => sku === 'B-2')
    const edit = () => assay.call('PATCH', `${base}/catalog/products/${found?.id}`, { brand: 'Since' })
    expect((await edit()).status).toBe(503)
    cut.mend()
    expect((await edit()).status).toBe(200)
    await isSentOnce(catalog, job, ['B-1 Lumo', 'B-2 Since', 'B-3 Lumo'])
  })

  test('comes before the rows of a file that is sent after it has ended', async () => {
    const catalog = await shop()
    const cut = cutOff(assay, ofBulkJobs, { arrives: false })
    const job = await begun(catalog, cut)
    await assay.call('POST', `${base}/jobs/${job}/cancel`)
    expect((await assay.job(job)).error?.code).toBe('cancelled')
    cut.mend()
    await assay.ingest(catalog, 'sku,title,brand\nB-2,Jug,Since\n')
    await isSentOnce(catalog, job, ['B-1 Lumo', 'B-2 Since', 'B-3 Lumo'])
  })

  test('is sent after it was given up, and before what another job of the workspace makes', async () => {
    const catalog = await shop()
    const cut = cutOff(assay, ofBulkJobs, { arrives: false })
    const job = await begun(catalog, cut)
    await query('update pgboss.job set retry_limit = 0 where id = $1', job)
    expect((await assay.job(job)).error?.code).toBe('gave_up')
    const body = { catalog_id: catalog, filter: {}, changes: { brand: 'Later' } }
    const later = (await assay.call('POST', `${base}/catalog/products/bulk`, body)).body.job.id
    cut.mend()
    expect((await assay.job(later)).status).toBe('completed')
    await isSentOnce(catalog, job, ['B-1 Later', 'B-2 Later', 'B-3 Later'])
  })

  test('is sent after its catalog was deleted, and comes back with it', async () => {
    const catalog = await shop()
    const cut = cutOff(assay, ofBulkJobs, { arrives: false })
    const job = await begun(catalog, cut)
    const gone = await assay.call('DELETE', `${base}/catalogs/${catalog}`)
    cut.mend()
    expect((await assay.job(gone.body.job.id)).status).toBe('completed')
    const back = await assay.call('POST', `${base}/catalogs/${catalog}/undelete`)
    expect((await assay.job(back.body.job.id)).status).toBe('completed')
    await isSentOnce(catalog, job, all)
  })

  test('is sent by another process after its own was killed too often', async () => {
    const catalog = await shop()
    const cut = cutOff(assay, ofBulkJobs, { arrives: false })
    const job = await begun(catalog, cut)
    await assay.stop()
    // As a process leaves it that is killed in the last try of a job.
    const client = await connect(assay.config.databaseUrl ?? '')
    await client
      .query(
        `update pgboss.job set state = 'active', retry_limit = 0, started_on = now() - interval '2 minutes',
                heartbeat_on = now() - interval '1 minute' where id = $1`,
        [job],
      )
      .finally(() => client.end())
    await start()
    expect((await assay.job(job)).error?.code).toBe('gave_up')
    await isSentOnce(catalog, job, all)
  })
})
