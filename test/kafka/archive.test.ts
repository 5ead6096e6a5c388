import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Epoch } from '../../infra/catalog/migrate.ts'
import { readConfig } from '../../infra/config.ts'
import { moveLog } from '../../infra/system/move-log.ts'
import { openEpoch } from '../../infra/system/open-epoch.ts'
import { topics } from '../../schemas/topics.ts'
import { type BucketServer, bucketServer } from '../infra/archive/bucket-server.ts'
import { type Running, startAssay, workspace } from '../running.ts'
import { differences } from '../verified.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

vi.setConfig({ testTimeout: 120_000 })

const base = `/api/workspace/${workspace}`
const file = (price: number) =>
  `sku,title,price,currency\n${Array.from({ length: 60 }, (_, n) => `K-${n},Mug ${n},${price + n}.00,EUR\n`).join('')}`

/** Everything that a product is, but for when it was written and how often. */
const rowsSql = `
  select p.product_id, p.kind, p.stage, p.sku, p.title, p.price_minor, p.currency, p.alive, p.content_hash, p.refined, p.layers, p.updated_at,
         s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7, s.rule_points, s.valid
    from products p left join product_score s using (catalog_id, product_id)
   where p.catalog_id = $1 order by p.product_id`

const key = { region: 'eu-test-1', keyId: 'KEY', secret: 'a secret' }

onKafka('the archive of a log on Kafka, in a bucket,', () => {
  let broker: SharedBroker
  let bucket: BucketServer
  const nodes: Running[] = []
  let node: Running
  beforeAll(async () => {
    broker = await sharedBroker()
    bucket = await bucketServer(key)
    node = await startAssay(env())
    nodes.push(node)
  }, startsWithinMs)
  afterAll(async () => {
    for (const one of nodes.toReversed()) await one.close()
    await bucket?.close()
  }, 60_000)

  const env = () => ({
    KAFKA_BROKERS: broker.addresses,
    ASSAY_KAFKA_PREFIX: broker.prefix,
    ASSAY_ARCHIVE: 's3://assay/of/ours',
    ASSAY_S3_ENDPOINT: bucket.endpoint,
    ASSAY_S3_REGION: key.region,
    ASSAY_S3_KEY_ID: key.keyId,
    ASSAY_S3_SECRET: key.secret,
  })

  const never = new AbortController().signal
  const rowsOf = async (catalog: string) => (await node.system.catalog.pipeline.query(rowsSql, [catalog])).rows

  /** The brokers keep nothing of what was said so far, in whatever epoch. */
  async function archiveAll(...epochs: string[]) {
    const { archiving } = node.system
    // A node that has just started is at it by itself.
    while ((await archiving.runNow(never)) === null) await sleep(50)
    await archiving.letGo(0)
    const admin = new kafkajs.Kafka({
      brokers: broker.addresses.split(','),
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin()
    await admin.connect()
    for (const topic of [topics.bronze, ...epochs]) {
      const kept = await admin.fetchTopicOffsets(broker.prefix + topic)
      expect(kept.map(({ low }) => low)).toEqual(kept.map(({ high }) => high))
    }
    await admin.disconnect()
  }

  async function rebuilt(catalog: string) {
    const { body } = await node.call('POST', `${base}/catalogs/${catalog}/rebuild`, {})
    return (await node.job(body.job.id)).result
  }

  let catalog: string
  let second: string
  test('with the brokers keeping nothing that it has, it gives the same rows: undo, redo, verification, rebuild', async () => {
    catalog = await node.newCatalog()
    await node.ingest(catalog, file(10), { source: 'First' })
    const [edited] = await node.products(catalog, { sku: 'K-7' })
    const path = `${base}/catalog/products/${edited?.id}`
    await node.call('PATCH', path, { title: 'Mug as edited' })
    second = (await node.ingest(catalog, file(500), { source: 'First' })).result.importId
    const full = await rowsOf(catalog)
    const told = (await node.call('GET', `${path}/provenance`)).body

    await archiveAll()
    expect(await node.system.archiving.verify(never)).toEqual([])
    expect(await differences(node.system, catalog)).toMatchObject({ compared: 60, differing: [] })
    expect((await node.call('GET', `${path}/provenance`)).body).toEqual(told)
    await node.change(second, 'undo')
    expect(await node.products(catalog, { sku: 'K-7' })).toMatchObject([{ price: 17, title: 'Mug as edited' }])
    // Half of it in the archive, half on the brokers.
    expect(await differences(node.system, catalog)).toMatchObject({ compared: 60, differing: [] })
    await node.change(second, 'redo')

    const { pipeline } = node.system.catalog
    await pipeline.query(`delete from products where catalog_id = $1 and sku like 'K-1%'`, [catalog])
    await pipeline.query(`update products set title = 'damaged' where catalog_id = $1 and sku = 'K-2'`, [catalog])
    expect(await rebuilt(catalog)).toMatchObject({ failed: 0 })
    const values = ({ updated_at: _, layers: __, ...row }: Record<string, unknown>) => row
    expect((await rowsOf(catalog)).map(values)).toEqual(full.map(values))
    expect(await differences(node.system, catalog)).toMatchObject({ compared: 60, differing: [] })
  })

  test('what is read on from the first offset comes out of both as one', async () => {
    const { log } = node.system
    for (const [partition, end] of (await log.ends(topics.bronze)).entries()) {
      const offsets: number[] = []
      for (let next = 0; next < end; next = (offsets.at(-1) ?? end) + 1)
        offsets.push(...(await log.read(topics.bronze, partition, next, 40)).map(({ offset }) => offset))
      expect(offsets).toEqual(Array.from({ length: end }, (_, offset) => offset))
    }
  })

  async function move(engine: 'kafka' | 'postgres', partitions: number): Promise<void> {
    const moved = { ...env(), ASSAY_LOG_PARTITIONS: String(partitions) }
    for (const one of nodes.slice(0, -1)) await one.stop()
    const { system } = node
    const prepare = (next: Epoch) => openEpoch(readConfig(moved), next, system.catalog.pipeline)
    await moveLog({ ...system, prepare }, { engine, partitions }, () => {})
    node = await startAssay(moved, { beside: node })
    nodes.push(node)
  }

  test('has every epoch: to the embedded log and to Kafka again, nothing is lost', async () => {
    await move('postgres', 2)
    await node.ingest(catalog, file(900), { source: 'Other' })
    await move('kafka', 3)
    const third = (await node.ingest(catalog, file(30), { source: 'Other' })).result.importId
    const before = await rowsOf(catalog)
    await archiveAll(`${topics.bronze}.${node.system.log.epoch}`)
    expect(await node.system.archiving.verify(never)).toEqual([])
    await node.change(third, 'undo')
    await node.change(second, 'undo')
    expect(await node.products(catalog, { sku: 'K-7' })).toMatchObject([{ price: 907, title: 'Mug 7' }])
    expect(await differences(node.system, catalog)).toMatchObject({ compared: 60, differing: [] })
    await node.change(second, 'redo')
    await node.change(third, 'redo')
    const values = ({ updated_at: _, layers: __, ...row }: Record<string, unknown>) => row
    expect((await rowsOf(catalog)).map(values)).toEqual(before.map(values))
    await node.system.catalog.pipeline.query('delete from products where catalog_id = $1', [catalog])
    expect(await rebuilt(catalog)).toMatchObject({ restored: 60, failed: 0 })
    expect((await rowsOf(catalog)).map(values)).toEqual(before.map(values))
  })

  test('tells of records that the brokers dropped before it had them, and nothing is rebuilt, undone or redone of the rest', async () => {
    const of = await node.newCatalog()
    await node.ingest(of, file(10), { source: 'First' })
    const last = (await node.ingest(of, file(20), { source: 'First' })).result.importId
    const topic = `${broker.prefix}${topics.bronze}.${node.system.log.epoch}`
    const ends = await node.system.log.ends(topics.bronze)
    const admin = new kafkajs.Kafka({
      brokers: broker.addresses.split(','),
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin()
    await admin.connect()
    await admin.fetchTopicOffsets(topic)
    const partitions = ends.map((end, partition) => ({ partition, offset: String(end - 3) }))
    await admin.deleteTopicRecords({ topic, partitions })
    await admin.disconnect()
    const before = await rowsOf(of)
    const ended = async (what: 'undo' | 'redo') => {
      const answer = await node.call('POST', `${base}/imports/${last}/${what}`, {})
      const { status, error } = await node.job(answer.body.job.id)
      return [status, error?.code]
    }
    // Before the archive has gone on behind them, and after.
    expect(await ended('undo')).toEqual(['failed', 'log_incomplete'])
    while ((await node.system.archiving.runNow(never)) === null) await sleep(50)
    expect(await ended('undo')).toEqual(['failed', 'log_incomplete'])
    expect(await ended('redo')).toEqual(['failed', 'log_incomplete'])
    expect((await node.system.archiving.verify(never)).map(({ says }) => says)).toEqual(
      ends.map((end) => expect.stringMatching(new RegExp(`^offsets \\d+ to ${end - 4} are in no file$`))),
    )
    const { body } = await node.call('POST', `${base}/catalogs/${of}/rebuild`, {})
    const { status, error } = await node.job(body.job.id)
    expect([status, error?.message]).toEqual([
      'failed',
      expect.stringMatching(/were dropped before they were archived/),
    ])
    expect(await rowsOf(of)).toEqual(before)
  })
})
