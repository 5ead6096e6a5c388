import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCatalog } from '../../infra/catalog/postgres.ts'
import { readConfig } from '../../infra/config.ts'
import { openEpoch } from '../../infra/system/open-epoch.ts'
import { freshDatabase } from '../harness.ts'
import { kafkajs } from './kafkajs.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

const next = { epoch: 2, engine: 'kafka', partitions: 2 } as const

onKafka('topics with nothing in them', () => {
  let broker: SharedBroker
  const closers: (() => Promise<void>)[] = []
  beforeAll(async () => {
    broker = await sharedBroker()
  }, startsWithinMs)
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
  })

  async function database() {
    const { url, drop } = await freshDatabase()
    const catalog = openCatalog(url, { maxConnections: 2 })
    closers.push(drop, () => catalog.close())
    return catalog.pipeline
  }
  const configOf = (prefix: string) =>
    readConfig({ KAFKA_BROKERS: broker.addresses, ASSAY_KAFKA_PREFIX: `${broker.prefix}${prefix}.` })
  /** As a move makes ready where the next epoch will be. @returns why not, where it was refused */
  async function prepare(prefix: string, pool: Awaited<ReturnType<typeof database>>): Promise<string | null> {
    try {
      await (await openEpoch(configOf(prefix), next, pool)).close()
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  test('are taken by one of several databases that come at once', async () => {
    const pools = [await database(), await database(), await database()]
    for (const prefix of ['first', 'second', 'third']) {
      const told = await Promise.all(pools.map((pool) => prepare(prefix, pool)))
      expect(told.filter((one) => one === null)).toHaveLength(1)
      for (const one of told.filter((one) => one !== null))
        expect(one).toMatch(/are taken by another Assay.* set another ASSAY_KAFKA_PREFIX/)
    }
  })

  test('are taken by all processes of one database, at once and again', async () => {
    const pool = await database()
    for (const told of await Promise.all([1, 2, 3].map(() => prepare('own', pool)))) expect(told).toBe(null)
    expect(await prepare('own', pool)).toBe(null)
  })

  test('are free again once they were deleted and made anew', async () => {
    const [one, other] = [await database(), await database()]
    expect(await prepare('anew', one)).toBe(null)
    expect(await prepare('anew', other)).toMatch('are taken')
    const admin = new kafkajs.Kafka({
      brokers: broker.addresses.split(','),
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin()
    await admin.connect()
    await admin.deleteTopics({ topics: [`${broker.prefix}anew.products.bronze.2`] })
    await admin.disconnect()
    expect(await prepare('anew', other)).toBe(null)
  })
})
