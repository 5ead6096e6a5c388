import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Config, readConfig } from '../../infra/config.ts'
import { openSystem } from '../../infra/system.ts'
import { topics } from '../../schemas/topics.ts'
import { type Running, startAssay, workspace } from '../running.ts'
import { withoutGroups } from '../without-groups.ts'
import { loseAnswer } from './cut-off.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

// Two Assays are fed, and both share the machine with a broker.
vi.setConfig({ testTimeout: 120_000 })
const base = `/api/workspace/${workspace}`
const sample = join(import.meta.dirname, '../../ingest/sample/rheingold-home.csv')

onKafka('with its log on Kafka', () => {
  let broker: SharedBroker
  let assay: Running
  const onBroker = (prefix = broker.prefix) => ({
    KAFKA_BROKERS: broker.addresses,
    ASSAY_KAFKA_PREFIX: prefix,
    ASSAY_KAFKA_SESSION_MS: '2000',
  })
  beforeAll(async () => {
    broker = await sharedBroker()
    assay = await startAssay(onBroker())
  }, startsWithinMs)
  afterAll(async () => {
    await assay?.close()
  })

  /** What two catalogs of the same products have in common: all but ids and times. */
  const told = async (running: Running, catalog: string) =>
    withoutGroups(await running.products(catalog))
      .map((product) =>
        Object.fromEntries(
          Object.entries(product).filter(
            ([name]) => !/^(id|.*Id|.*At|source_identifier|sourceIdentifier|entityTag)$/.test(name),
          ),
        ),
      )
      .sort((a, b) => `${a.sku} ${a.title}`.localeCompare(`${b.sku} ${b.title}`))

  test("a supplier's file makes the same catalog as on the embedded log, and a second time changes nothing", async () => {
    const file = await readFile(sample)
    const embedded = await startAssay()
    try {
      const [here, there] = [await assay.newCatalog(), await embedded.newCatalog()]
      const [onKafka, inPostgres] = [await assay.ingest(here, file), await embedded.ingest(there, file)]
      const { importId: _here, ...ledger } = onKafka.result
      const { importId: _there, ...expected } = inPostgres.result
      expect(ledger).toEqual(expected)
      expect(ledger.created).toBeGreaterThan(100)
      expect(await told(assay, here)).toEqual(await told(embedded, there))
      const again = await assay.ingest(here, file)
      expect(again.result).toMatchObject({ read: ledger.read, created: 0, updated: 0 })
      expect(again.result.unchanged).toBe(ledger.created + ledger.unchanged)
    } finally {
      await embedded.close()
    }
  })

  test('an edit can be seen when its answer comes, and a SKU that is there is refused', async () => {
    const catalog = await assay.newCatalog()
    const create = (sku: string) =>
      assay.call('POST', `${base}/catalog/products`, {
        catalog_id: catalog,
        sku,
        title: 'Enamel mug',
        price: 9.5,
        currency: 'EUR',
      })
    const made = await create('K-1')
    expect(made.status).toBe(201)
    const path = `${base}/catalog/products/${made.body.product.id}`
    const edited = await assay.call('PATCH', path, { title: 'Enamel mug, white' })
    expect(edited.body.product.title).toBe('Enamel mug, white')
    expect((await assay.call('GET', path)).body.product.title).toBe('Enamel mug, white')
    expect((await create('K-1')).status).toBe(409)
  })

  test('an import is taken out and back in, and what a snapshot lacks is withdrawn', async () => {
    const catalog = await assay.newCatalog()
    const titles = async () => (await assay.products(catalog)).map(({ title }) => title).sort()
    await assay.ingest(catalog, 'sku,title\nU-1,Mug\nU-2,Bowl\nU-3,Jug\n', { source: 'u' })
    const { result } = await assay.ingest(catalog, 'sku,title\nU-1,Mug as renamed\nU-4,Cup\n', { source: 'u' })
    await assay.change(result.importId, 'undo')
    expect(await titles()).toEqual(['Bowl', 'Jug', 'Mug'])
    await assay.change(result.importId, 'redo')
    expect(await titles()).toEqual(['Bowl', 'Cup', 'Jug', 'Mug as renamed'])
    const { result: snapshot } = await assay.ingest(catalog, 'sku,title\nU-2,Bowl\n', {
      source: 'u',
      mode: 'snapshot',
    })
    expect(snapshot.removed).toBe(3)
    expect(await titles()).toEqual(['Bowl'])
  })

  test('a range whose acknowledgement was lost is sent again, and neither applied nor counted twice', async () => {
    const catalog = await assay.newCatalog()
    const cut = loseAnswer(assay, '"R-')
    const rows = Array.from({ length: 400 }, (_, i) => `R-${i},Mug no. ${i},${i + 1}.50`)
    // The last row of a product counts, the one before it is a result of the reader's own.
    const file = `sku,title,price\n${[...rows, 'R-7,Mug no. 7,8.50', 'R-9,Mug no. 9 again,1.00'].join('\n')}\n`
    const { status, result } = await assay.ingest(catalog, file)
    expect(cut.happened).toBe(true)
    expect({ status, result }).toMatchObject({
      status: 'completed',
      result: { read: 402, created: 400, updated: 0, unchanged: 0, duplicate: 1, rejected: 1 },
    })
    expect(await assay.products(catalog)).toHaveLength(400)
  })

  test('a record of others that nobody can read is dead, and the line goes on (KF-47)', async () => {
    const { log, catalog } = assay.system
    const producer = client().producer()
    await producer.connect()
    const before = await log.ends(`${topics.bronze}.dead`)
    const from = (await log.ends(topics.bronze))[1] ?? 0
    const messages = ['{"', '{"v":99}'].map((value) => ({ key: 'no id', value, partition: 1 }))
    await producer.send({
      topic: `${broker.prefix}${topics.bronze}`,
      messages: [...messages, { key: null, value: null, partition: 1 }],
    })
    await producer.disconnect()
    const dead = async () =>
      (
        await catalog.pipeline.query(
          'select "offset" from dead_record where partition = 1 and "offset" >= $1 order by 1',
          [from],
        )
      ).rows.map(({ offset }) => offset)
    while ((await dead()).length < 3) await sleep(20)
    expect(await dead()).toEqual([from, from + 1, from + 2])
    const letters = (await log.ends(`${topics.bronze}.dead`)).map((end, i) => end - (before[i] ?? 0))
    expect(letters.reduce((a, b) => a + b)).toBe(3)
    const own = await assay.newCatalog()
    expect((await assay.ingest(own, 'sku,title\nD-1,Mug\n')).result.created).toBe(1)
  })

  test("the group's lag can be read on the brokers", async () => {
    await assay.ingest(await assay.newCatalog(), 'sku,title\nL-1,Mug\nL-2,Bowl\nL-3,Jug\nL-4,Cup\n')
    const ends = await assay.system.log.ends(topics.bronze)
    const admin = client().admin()
    await admin.connect()
    try {
      const committed = async () => {
        const [topic] = await admin.fetchOffsets({
          groupId: `${broker.prefix}assay.products`,
          topics: [`${broker.prefix}${topics.bronze}`],
        })
        const found = new Map(topic?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
        return ends.map((_, partition) => Math.max(0, found.get(partition) ?? 0))
      }
      for (const until = Date.now() + 15_000; Date.now() < until; await sleep(200))
        if (JSON.stringify(await committed()) === JSON.stringify(ends)) break
      expect(await committed()).toEqual(ends)
    } finally {
      await admin.disconnect()
    }
  })

  test('another log than the one that the database knows is refused in one sentence', async () => {
    const start = (config: Config) => openSystem(config, pino({ level: 'silent' }), { roles: ['api'], alone: false })
    const env = { ASSAY_DATA: assay.config.dataFolder, DATABASE_URL: assay.config.databaseUrl ?? '' }
    await expect(start(readConfig(env))).rejects.toThrow(
      'The log of this database is kept by Kafka; set KAFKA_BROKERS, or move the log with assay migrate-log --to postgres',
    )
    await expect(start(readConfig({ ...env, ...onBroker(`${broker.prefix}other.`) }))).rejects.toThrow(
      'look at KAFKA_BROKERS and ASSAY_KAFKA_PREFIX',
    )
    await expect(start(readConfig({ ...env, ...onBroker(), ASSAY_LOG_PARTITIONS: '8' }))).rejects.toThrow(
      'The log is kept in 4 partitions; set ASSAY_LOG_PARTITIONS=4, or move the log with assay migrate-log --to kafka',
    )
    // Another database, on topics that have the records of this one.
    await expect(startAssay(onBroker())).rejects.toThrow('of which this database knows nothing')
  })

  const client = () =>
    new kafkajs.Kafka({
      clientId: 'independent',
      brokers: broker.addresses.split(','),
      logLevel: kafkajs.logLevel.NOTHING,
    })
})
