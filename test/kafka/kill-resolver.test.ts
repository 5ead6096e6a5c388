import { setTimeout as sleep } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { enough } from '../enough.ts'
import { type Running, startAssay, workspace } from '../running.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'
import { startWorker, type Worker } from './worker.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const base = `/api/workspace/${workspace}`
const products = 400
const messages = enough(4_000, 6_000)

onKafka('while a tenant writes, a process that resolves', () => {
  let broker: SharedBroker
  let assay: Running
  let topic: string
  const workers: Worker[] = []
  const onBroker = () => ({
    KAFKA_BROKERS: broker.addresses,
    ASSAY_KAFKA_PREFIX: broker.prefix,
    ASSAY_KAFKA_SESSION_MS: '2000',
  })
  beforeAll(async () => {
    broker = await sharedBroker()
    assay = await startAssay(onBroker(), { roles: ['api', 'jobs'] })
    topic = (await assay.call('PUT', `${base}/inbound`, { partitions: 3 })).body.topic
  }, startsWithinMs)
  afterAll(async () => {
    await Promise.all(workers.map((one) => one.kill()))
    await assay?.close()
  })

  function start(): Worker {
    const { dataFolder, databaseUrl = '' } = assay.config
    const worker = startWorker({ ...onBroker(), ASSAY_DATA: dataFolder, DATABASE_URL: databaseUrl })
    workers.push(worker)
    return worker
  }
  const sum = async (sql: string, ...values: unknown[]) =>
    (await assay.system.catalog.pipeline.query<{ n: number }>(sql, values)).rows[0]?.n ?? 0
  const taken = () =>
    sum(`select coalesce(sum(next_offset), 0)::int as n from sink_position where topic = $1`, `inbound.${workspace}`)
  const reached = async (share: number) => {
    for (const until = Date.now() + 60_000; (await taken()) < messages * share && Date.now() < until; ) await sleep(10)
  }

  /** Each product's messages are in order in one partition, as the same key has them. */
  async function write(catalog: string): Promise<void> {
    const producer = new kafkajs.Kafka({
      brokers: broker.addresses.split(','),
      logLevel: kafkajs.logLevel.NOTHING,
    }).producer()
    await producer.connect()
    for (let from = 0; from < messages; from += 1_000)
      await producer.send({
        topic,
        messages: Array.from({ length: 1_000 }, (_, i) => ({
          key: `P-${(from + i) % products}`,
          headers: { 'assay-catalog': catalog },
          value: JSON.stringify({ v: 1, product: { sku: `P-${(from + i) % products}`, title: `Mug ${from + i}` } }),
        })),
      })
    await producer.disconnect()
  }

  test('is killed, and another stands still for longer than its turn: each message has its effect once', async () => {
    const catalog = await assay.newCatalog()
    let worker = start()
    const written = write(catalog)
    for (const share of enough([0.3], [0.15, 0.4])) {
      await reached(share)
      await worker.kill()
      worker = start()
    }
    await reached(0.6)
    worker.signal('SIGSTOP')
    const other = start()
    await sleep(9_000)
    worker.signal('SIGCONT')
    await written
    await reached(1)
    expect(await taken()).toBe(messages)
    while ((await sum('select count(*)::int as n from unsent where payload is not null')) > 0) await sleep(50)
    await assay.system.bulk.settled()

    const counted = (what: string) =>
      sum(`select coalesce(sum(${what}), 0)::int as n from import_outcome o
            where exists (select from import_progress p where p.import_id = o.import_id)`)
    expect(await counted('created')).toBe(products)
    expect(await counted('created + updated + unchanged')).toBe(messages)
    expect(await counted('rejected')).toBe(0)
    const last = Array.from({ length: products }, (_, i) => `P-${i} Mug ${messages - products + i}`)
    const { rows } = await assay.system.catalog.pipeline.query<{ said: string }>(
      `select sku || ' ' || title as said from products where catalog_id = $1`,
      [catalog],
    )
    expect(rows.map(({ said }) => said).sort()).toEqual(last.sort())
    await Promise.all([worker, other].map((one) => one.kill()))
  })
})
