/** Opens one epoch of the log where it is kept: in the catalog's Postgres, or on Kafka where the topics are this database's own. */
import type { Pool } from 'pg'
import { deadLetter, topics } from '../../schemas/topics.ts'
import type { KeptEpoch } from '../catalog/log-epochs.ts'
import { databaseName, takeTopic, topicOfEpoch } from '../catalog/log-place.ts'
import type { Config } from '../config.ts'
import { claimTopic } from '../log/claim-topic.ts'
import type { KafkaLog } from '../log/kafka.ts'
import { LogRefused } from '../log/kafka-errors.ts'
import { LogAway } from '../log/log-away.ts'
import type { Log } from '../log/port.ts'
import { postgresLog } from '../log/postgres.ts'
import { StartError } from '../start-error.ts'

export interface OpenEpoch {
  readonly log: Log
  /** null where it is embedded. */
  readonly kafka: KafkaLog | null
  /** Of the brokers' `products.bronze`, by which its epoch knows them again; null where it is embedded. */
  readonly topicId: string | null
  close(): Promise<void>
}

/** @throws StartError where it is on brokers that the environment does not name, or that do not have it */
export async function openEpoch(
  config: Pick<Config, 'kafka'>,
  epoch: Pick<KeptEpoch, 'epoch' | 'engine' | 'partitions'> & Partial<Pick<KeptEpoch, 'begins'>>,
  pool: Pool,
): Promise<OpenEpoch> {
  if (epoch.engine === 'postgres')
    return { log: postgresLog(pool, epoch), kafka: null, topicId: null, close: async () => {} }
  if (!config.kafka)
    throw new StartError(`Epoch ${epoch.epoch} of the log is kept by Kafka; set KAFKA_BROKERS, so that it can be read.`)
  // Most processes have no brokers, and the driver costs each that loads it 46 MB.
  const { openKafka } = await import('../log/kafka.ts')
  const kafka = await openKafka(config.kafka, epoch)
  try {
    const topicId = await ownTopics(kafka, pool, epoch.epoch)
    return { log: kafka.log, kafka, topicId, close: kafka.close }
  } catch (error) {
    await kafka.close().catch(() => {})
    throw error instanceof LogAway || error instanceof LogRefused
      ? new StartError(error.message, { cause: error })
      : error
  }
}

/** Records of another database would be taken for ours, and ours be missed where the brokers are others. */
async function ownTopics(kafka: KafkaLog, pool: Pool, epoch: number): Promise<string> {
  const known = await topicOfEpoch(pool, epoch)
  const found = await kafka.find(topics.bronze)
  if (known !== null && found?.id !== known)
    throw new StartError(
      `These brokers do not have the ${topics.bronze} of this database; look at KAFKA_BROKERS and ASSAY_KAFKA_PREFIX.`,
    )
  const { id } = await kafka.ensure(topics.bronze)
  if (known === null) {
    const begun = found !== null && (await kafka.log.ends(topics.bronze)).some((end) => end > 0)
    if (!begun && !(await claimTopic(kafka.log, id, await databaseName(pool))))
      throw new StartError(
        `The topics of these brokers are taken by another Assay, though it has written nothing yet; set another ASSAY_KAFKA_PREFIX.`,
      )
    // Another process of this database may have come first.
    const taken = begun ? await topicOfEpoch(pool, epoch) : await takeTopic(pool, epoch, id)
    if (taken !== id)
      throw new StartError(
        `The ${topics.bronze} of these brokers has records of which this database knows nothing; set another ASSAY_KAFKA_PREFIX.`,
      )
  }
  for (const topic of [topics.changes, topics.events, deadLetter(topics.bronze), deadLetter(topics.events)])
    await kafka.ensure(topic)
  return id
}
