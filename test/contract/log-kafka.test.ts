import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KafkaLog, openKafka } from '../../infra/log/kafka.ts'
import { kafkajs } from '../kafka/kafkajs.ts'
import { onKafka, startsWithinMs } from '../kafka/on-kafka.ts'
import { kafkaSettings } from '../kafka/settings.ts'
import { type SharedBroker, sharedBroker } from '../kafka/shared-broker.ts'
import { logContract } from './log.ts'

const { CompressionTypes, Kafka, logLevel } = kafkajs

onKafka('on a broker', () => {
  let broker: SharedBroker
  let kafka: KafkaLog
  beforeAll(async () => {
    broker = await sharedBroker()
    kafka = await openKafka(kafkaSettings(broker, broker.prefix), { epoch: 1, partitions: 4 })
  }, startsWithinMs)
  afterAll(async () => {
    await kafka?.close()
  })

  logContract('Kafka', async () => ({ log: kafka.log, close: async () => {} }))

  const keyIn = (partition: number): string => {
    for (;;) {
      const key = randomUUID()
      if (kafka.log.partitionOf(key) === partition) return key
    }
  }

  test('an append of many batches gives its offsets as one range, and in its order', async () => {
    const topic = `many.${randomUUID()}`
    const key = keyIn(1)
    const records = Array.from({ length: 9_000 }, (_, i) => ({ key, value: `${i} ${'x'.repeat(500)}` }))
    expect(await kafka.log.append(topic, records)).toEqual([{ partition: 1, from: 0, to: 9_000 }])
    const got: string[] = []
    while (got.length < 9_000)
      for (const { value } of await kafka.log.read(topic, 1, got.length, 500)) got.push(value.toString())
    expect(got).toEqual(records.map(({ value }) => value))
  })

  // Whoever sends it again is known by the highest number that a partition has of it: what was left out before that would be lost.
  test('an append of which a batch is refused leaves nothing behind that batch in its partition', async () => {
    const topic = `part.${randomUUID()}`
    const admin = independent().admin()
    await admin.connect()
    const configEntries = [{ name: 'max.message.bytes', value: '100000' }]
    await admin.createTopics({ topics: [{ topic: broker.prefix + topic, numPartitions: 4, configEntries }] })
    await admin.disconnect()
    const [key, other] = [keyIn(1), keyIn(2)]
    const large = Array.from({ length: 2_000 }, () => ({ key, value: randomBytes(200) }))
    const small = [key, other].map((one) => ({ key: one, value: 'small' }))
    await expect(kafka.log.append(topic, [...large, ...small])).rejects.toThrow(
      'a record is larger than the topic takes',
    )
    expect(await kafka.log.ends(topic)).toEqual([0, 0, 1, 0])
  })

  test('an epoch after the first has topics of its own, and finds those of the first as they are', async () => {
    const topic = `epochs.${randomUUID()}`
    await kafka.log.append(topic, [{ key: keyIn(0), value: 'first' }])
    const later = await openKafka(kafkaSettings(broker, broker.prefix), { epoch: 2, partitions: 2 })
    try {
      expect(await later.log.ends(topic)).toEqual([0, 0])
      await later.log.append(topic, [{ key: randomUUID(), value: 'second' }])
      expect((await kafka.log.ends(topic)).reduce((a, b) => a + b)).toBe(1)
      await expect(
        openKafka(kafkaSettings(broker, broker.prefix), { epoch: 1, partitions: 2 }).then(async (other) => {
          await other.ensure(topic).finally(() => other.close())
        }),
      ).rejects.toThrow('has 4 partitions, but the log of this database has 2')
    } finally {
      await later.close()
    }
  })

  const independent = () =>
    new Kafka({ clientId: 'independent', brokers: broker.addresses.split(','), logLevel: logLevel.NOTHING })

  test('an independent client reads what we write: keys, values, partitions and offsets', async () => {
    const topic = `theirs.${randomUUID()}`
    const sent = Array.from({ length: 3_000 }, (_, i) => ({ key: randomUUID(), value: `größe ${i}` }))
    await kafka.log.append(topic, sent)
    const consumer = independent().consumer({ groupId: `test.${randomUUID()}` })
    await consumer.connect()
    await consumer.subscribe({ topic: broker.prefix + topic, fromBeginning: true })
    const got = Array.from({ length: kafka.log.partitions }, (): unknown[] => [])
    await new Promise<void>((done, failed) => {
      let count = 0
      consumer
        .run({
          eachMessage: async ({ partition, message }) => {
            got[partition]?.push([Number(message.offset), message.key?.toString(), message.value?.toString()])
            if (++count === sent.length) done()
          },
        })
        .catch(failed)
    })
    await consumer.disconnect()
    for (const [partition, records] of got.entries()) {
      const own = sent.filter(({ key }) => kafka.log.partitionOf(key) === partition)
      expect(records).toEqual(own.map(({ key, value }, offset) => [offset, key, value]))
    }
  })

  test.each(['None', 'GZIP', 'ZSTD'] as const)('what it writes (%s) is read by us, without a key too', async (type) => {
    const topic = `ours.${randomUUID()}`
    await kafka.ensure(topic)
    const producer = independent().producer()
    await producer.connect()
    const messages = Array.from({ length: 500 }, (_, i) => ({
      key: i === 7 ? null : `key ${i}`,
      value: `value ${i}`,
      partition: 2,
    }))
    await producer.send({ topic: broker.prefix + topic, compression: CompressionTypes[type], messages })
    await producer.disconnect()
    const got = await kafka.log.read(topic, 2, 0, 1_000)
    expect(got.map(({ offset, key, value }) => [offset, key, value.toString()])).toEqual(
      messages.map(({ key, value }, offset) => [offset, key ?? '', value]),
    )
  })
})
