import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Epoch } from '../../infra/catalog/migrate.ts'
import { readConfig } from '../../infra/config.ts'
import { moveLog } from '../../infra/system/move-log.ts'
import { openEpoch } from '../../infra/system/open-epoch.ts'
import { type Running, startAssay, workspace } from '../running.ts'
import { differences } from '../verified.ts'
import { withoutGroups } from '../without-groups.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

vi.setConfig({ testTimeout: 120_000 })

const base = `/api/workspace/${workspace}`
const file = (price: string) =>
  `sku,title,price,currency\nK-1,Mug,${price},EUR\nK-2,Stool,${price},EUR\nK-3,Jar,${price},EUR\n`

onKafka('the log of a database', () => {
  let broker: SharedBroker
  const nodes: Running[] = []
  let node: Running
  let catalog: string
  beforeAll(async () => {
    broker = await sharedBroker()
    node = await startAssay()
    nodes.push(node)
    catalog = await node.newCatalog()
  }, startsWithinMs)
  afterAll(async () => {
    for (const one of nodes.toReversed()) await one.close()
  }, 60_000)

  async function move(engine: 'kafka' | 'postgres', partitions: number): Promise<void> {
    const env = {
      KAFKA_BROKERS: broker.addresses,
      ASSAY_KAFKA_PREFIX: broker.prefix,
      ASSAY_LOG_PARTITIONS: String(partitions),
    }
    for (const one of nodes.slice(0, -1)) await one.stop()
    const { system } = node
    const config = readConfig(env)
    const prepare = (next: Epoch) => openEpoch(config, next, system.catalog.pipeline)
    await moveLog({ ...system, prepare }, { engine, partitions }, () => {})
    // The very first start after the move is held to where it went.
    if (engine === 'kafka')
      await expect(startAssay({ ...env, ASSAY_KAFKA_PREFIX: 'elsewhere.' }, { beside: node })).rejects.toThrow(
        'These brokers do not have the products.bronze of this database',
      )
    node = await startAssay(env, { beside: node })
    nodes.push(node)
  }
  const path = async (sku: string) => `${base}/catalog/products/${(await node.products(catalog, { sku }))[0]?.id}`
  const price = async (sku: string) => (await node.products(catalog, { sku }))[0]?.price

  test('goes to Kafka and back, and every record of every epoch is read on', async () => {
    const first = (await node.ingest(catalog, file('1.00'), { source: 'one' })).result.importId
    await node.call('PATCH', await path('K-1'), { title: 'Edited in Postgres' })

    await move('kafka', 3)
    expect(node.system).toMatchObject({ engine: 'kafka', log: { epoch: 2, partitions: 3 } })
    await node.call('PATCH', await path('K-2'), { title: 'Edited on Kafka' })
    const dearer = await node.ingest(catalog, file('2.00'), { source: 'one' })
    expect(dearer.result).toMatchObject({ read: 3, updated: 3 })
    await node.change(dearer.result.importId, 'undo')
    expect(await price('K-3')).toBe(1)
    expect((await differences(node.system, catalog)).differing).toEqual([])

    await move('postgres', 2)
    expect(node.system).toMatchObject({ engine: 'postgres', log: { epoch: 3, partitions: 2 } })
    await node.change(dearer.result.importId, 'redo')
    expect(await price('K-3')).toBe(2)
    await node.change(first, 'undo')
    await node.change(dearer.result.importId, 'undo')
    expect((await node.products(catalog)).map(({ sku }) => sku)).toEqual([])
    await node.change(first, 'redo')
    const before = withoutGroups(await node.products(catalog))
    expect(before.map(({ title }) => title).sort()).toEqual(['Edited in Postgres', 'Edited on Kafka', 'Jar'])
    expect((await differences(node.system, catalog)).differing).toEqual([])
    await node.system.catalog.pipeline.query('delete from products where catalog_id = $1', [catalog])
    const { body } = await node.call('POST', `${base}/catalogs/${catalog}/rebuild`, {})
    expect((await node.job(body.job.id)).result).toMatchObject({ restored: 3, failed: 0 })
    expect(withoutGroups(await node.products(catalog))).toEqual(before)
  })

  test('is not read without the brokers that keep one of its epochs', async () => {
    await expect(startAssay({ ASSAY_LOG_PARTITIONS: '2' }, { beside: node })).rejects.toThrow(
      'Epoch 2 of the log is kept by Kafka; set KAFKA_BROKERS, so that it can be read.',
    )
  })

  test('moves under the topics of tenants, of which each message is taken once, and leaves none unresolved behind: what came while nobody read them, too', async () => {
    const of = await node.newCatalog()
    const titles = async () => (await node.products(of)).map(({ sku, title }) => `${sku} ${title}`).sort()
    const make = () => node.call('PUT', `${base}/inbound`, { partitions: 2 })
    async function write(sku: string, title: string, to = of): Promise<void> {
      const brokers = broker.addresses.split(',')
      const producer = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).producer()
      await producer.connect()
      const value = JSON.stringify({ v: 1, product: { sku, title } })
      await producer.send({
        topic: `${broker.prefix}inbound.${workspace}`,
        messages: [{ key: sku, value, headers: { 'assay-catalog': to } }],
      })
      await producer.disconnect()
    }
    const shows = async (all: string[]) => {
      for (const until = Date.now() + 20_000; Date.now() < until; await sleep(50))
        if ((await titles()).join() === all.join()) break
      expect(await titles()).toEqual(all)
    }
    await move('kafka', 2)
    expect((await make()).status).toBe(200)
    await write('T-1', 'One')
    await write('T-2', 'Two')
    await shows(['T-1 One', 'T-2 Two'])
    const lost = await node.newCatalog()
    await node.system.catalog.pipeline.query('update catalog set deleted_at = now() where catalog_id = $1', [lost])
    await write('T-9', 'Late', lost)
    const letters = async () => (await node.call('GET', `${base}/dead-letters?kind=unknown_catalog`)).body.deadLetters
    await vi.waitFor(async () => expect(await letters()).toHaveLength(1), { timeout: 20_000, interval: 100 })
    // One that the resolver has read and not yet resolved keeps the log where it is.
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = vi.spyOn(node.system.bulk, 'keepPace').mockReturnValue(held)
    await write('T-4', 'Four')
    await vi.waitFor(() => expect(slow).toHaveBeenCalled(), { timeout: 10_000, interval: 50 })
    const { epoch } = node.system.log
    const moving = move('postgres', 2)
    await sleep(2_000)
    const now = await node.system.catalog.pipeline.query('select max(epoch) as epoch from log_epoch')
    expect(now.rows).toEqual([{ epoch }])
    slow.mockRestore()
    release()
    await moving
    expect(await titles()).toEqual(['T-1 One', 'T-2 Two', 'T-4 Four'])
    expect((await make()).status).toBe(409)
    // What died on the brokers is read there, and redriven onto the log as it is now.
    const [dead] = await letters()
    const shown = (await node.call('GET', `${base}/dead-letters/${dead.id}`)).body
    expect(shown).toMatchObject({ record: { v: 1, product: { sku: 'T-9', title: 'Late' } }, missing: null })
    await node.system.catalog.pipeline.query('update catalog set deleted_at = null where catalog_id = $1', [lost])
    const redrive = await node.call('POST', `${base}/dead-letters/redrive`, { kind: 'unknown_catalog' })
    expect((await node.job(redrive.body.job.id)).result).toMatchObject({ matched: 1, redriven: 1, created: 1 })
    expect((await node.products(lost)).map(({ title }) => title)).toEqual(['Late'])
    await write('T-1', 'Three')
    await move('kafka', 3)
    await shows(['T-1 Three', 'T-2 Two', 'T-4 Four'])
    await node.system.bulk.settled()
    const { rows } = await node.system.catalog.pipeline.query(
      `select sum(created)::int as created, sum(updated)::int as updated, sum(unchanged)::int as unchanged from import_outcome
        where import_id in (select (convert_from(layers, 'UTF8')::jsonb->'layers'->0->'from'->0->>'import')::uuid from products where catalog_id = $1)`,
      [of],
    )
    expect(rows).toEqual([{ created: 3, updated: 1, unchanged: 0 }])
    expect((await differences(node.system, of)).differing).toEqual([])
  })
})
