/** Opens the log that the database's epoch names: the embedded one, or Kafka where the topics are this database's own. */
import type { Pool } from 'pg'
import { deadLetter, topics } from '../../schemas/topics.ts'
import { takeTopic, topicOfEpoch } from '../catalog/log-place.ts'
import type { Epoch } from '../catalog/migrate.ts'
import type { Config } from '../config.ts'
import type { KafkaLog } from '../log/kafka.ts'
import { LogRefused } from '../log/kafka-errors.ts'
import { LogAway } from '../log/log-away.ts'
import type { Log } from '../log/port.ts'
import { postgresLog } from '../log/postgres.ts'
import { StartError } from '../start-error.ts'

export interface OpenLog {
  readonly log: Log
  /** null where the log is embedded. */
  readonly kafka: KafkaLog | null
  close(): Promise<void>
}

export const engineOf = ({ kafka }: Pick<Config, 'kafka'>): 'kafka' | 'postgres' => (kafka ? 'kafka' : 'postgres')

/** @throws StartError where the environment names another log than the database knows */
export async function openLog(config: Config, epoch: Epoch, pool: Pool): Promise<OpenLog> {
  agree(config, epoch)
  if (!config.kafka) return { log: postgresLog(pool, epoch), kafka: null, close: async () => {} }
  // Most processes have no brokers, and the driver costs each that loads it 46 MB.
  const { openKafka } = await import('../log/kafka.ts')
  const kafka = await openKafka(config.kafka, epoch)
  try {
    await ownTopics(kafka, pool, epoch.epoch)
  } catch (error) {
    await kafka.close().catch(() => {})
    throw error instanceof LogAway || error instanceof LogRefused
      ? new StartError(error.message, { cause: error })
      : error
  }
  return { log: kafka.log, kafka, close: kafka.close }
}

function agree(config: Config, { engine, partitions }: Epoch): void {
  if (engine !== engineOf(config))
    throw new StartError(
      engine === 'kafka'
        ? 'The log of this database is kept by Kafka; set KAFKA_BROKERS.'
        : 'The log of this database is kept in Postgres; unset KAFKA_BROKERS, or move the log with assay migrate-log --to kafka.',
    )
  if (partitions !== config.logPartitions)
    throw new StartError(`The log is kept in ${partitions} partitions; set ASSAY_LOG_PARTITIONS=${partitions}.`)
}

/** Records of another database would be taken for ours, and ours be missed where the brokers are others. */
async function ownTopics(kafka: KafkaLog, pool: Pool, epoch: number): Promise<void> {
  const known = await topicOfEpoch(pool, epoch)
  const found = await kafka.find(topics.bronze)
  if (known !== null && found?.id !== known)
    throw new StartError(
      `These brokers do not have the ${topics.bronze} of this database; look at KAFKA_BROKERS and ASSAY_KAFKA_PREFIX.`,
    )
  const { id } = await kafka.ensure(topics.bronze)
  if (known === null) {
    const begun = found !== null && (await kafka.log.ends(topics.bronze)).some((end) => end > 0)
    // Another process of this database may have come first.
    const taken = begun ? await topicOfEpoch(pool, epoch) : await takeTopic(pool, epoch, id)
    if (taken !== id)
      throw new StartError(
        `The ${topics.bronze} of these brokers has records of which this database knows nothing; set another ASSAY_KAFKA_PREFIX.`,
      )
  }
  for (const topic of [topics.changes, deadLetter(topics.bronze)]) await kafka.ensure(topic)
}
