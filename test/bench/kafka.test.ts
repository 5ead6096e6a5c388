import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKafka } from '../../infra/log/kafka.ts'
import { topics } from '../../schemas/topics.ts'
import { onKafka, startsWithinMs } from '../kafka/on-kafka.ts'
import { kafkaSettings } from '../kafka/settings.ts'
import { sharedBroker } from '../kafka/shared-broker.ts'
import { sameIn } from './kafka.ts'
import { consumeOurs, consumeTheirs, ourPass, streamsPass } from './kafka-passes.ts'
import { realRecords } from './real-records.ts'

onKafka('the benchmark on Kafka', () => {
  test(
    'measures a Kafka Streams program that makes of our sample what ours does, and all that we make of it beside',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
      const broker = await sharedBroker()
      const settings = kafkaSettings(broker, broker.prefix)
      const kafka = await openKafka(settings, { epoch: 1, partitions: 4 })
      try {
        const real = await realRecords([join(import.meta.dirname, '../../ingest/sample/rheingold-home.csv')])
        const values = real.records.map((record) => ({ key: record.product, value: JSON.stringify(record) }))
        await kafka.log.append(topics.bronze, values)
        const ground = { kafka, settings, contexts: [...real.contexts.values()], records: values.length, folder }
        expect(await consumeOurs(ground)).not.toBeNaN()
        expect(await consumeTheirs(ground)).not.toBeNaN()
        const [streams, mapped] = [await streamsPass(ground), await ourPass(ground, 'map')]
        expect(await sameIn(ground, streams, mapped)).toBe(values.length)
        const graded = await ourPass(ground, 'grade')
        // In the order in which the partitions came.
        const records = (await kafka.log.read(graded.out, 0, 0, 1_000)).map(({ value }) => JSON.parse(value.toString()))
        expect(records).toContainEqual(
          expect.objectContaining({ kind: 'single', refined: expect.objectContaining({ currency: 'EUR' }) }),
        )
      } finally {
        await kafka.close()
        await rm(folder, { recursive: true, force: true })
      }
    },
    startsWithinMs,
  )
})
