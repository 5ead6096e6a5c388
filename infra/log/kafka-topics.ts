/** Names, partitions and settings of the topics on Kafka, as data, and making those that are not there. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from '@platformatic/kafka'
import { ownersTopic, topics } from '../../schemas/topics.ts'
import { StartError } from '../start-error.ts'
import { errorId } from './kafka-errors.ts'

export interface TopicSettings {
  readonly partitions: number
  /** Copies of each partition; null: three, or as many as there are brokers. */
  readonly replication: number | null
  /** Copies that must have a record before it is acknowledged; null: all but one. */
  readonly minInsync: number | null
  /** null: kept until something else says that it may go. */
  readonly retentionDays: number | null
  /** As it is sent; of our own topics 64 MB. */
  readonly largestBatchBytes?: number
  /** How the brokers store what others send in any form. */
  readonly compression?: 'uncompressed'
}

export interface Topic {
  /** Kafka's own; another one under the same name is another topic. */
  readonly id: string
  readonly partitions: number
}

/** A record of five megabytes is one batch; a broker takes requests of 100 MB. */
const ownLargestBatchBytes = 64 * 1024 * 1024
const dayMs = 86_400_000
/** What a reader of `catalog.changes` may be behind before older changes of a product go in favour of its newest. */
const uncompactedDays = 7

/** Epoch 1 has the plain names; a later one never meets the records of another. @param prefix so that several Assays share a cluster */
export const topicName = (topic: string, prefix: string, epoch: number) =>
  `${prefix}${topic}${epoch === 1 ? '' : `.${epoch}`}`

function configsOf(
  topic: string,
  { retentionDays, largestBatchBytes = ownLargestBatchBytes, compression }: TopicSettings,
  insync: number,
) {
  const forEver = retentionDays === null || topic === ownersTopic
  const kept = { 'retention.ms': String(forEver ? -1 : retentionDays * dayMs) }
  const compacted = { 'cleanup.policy': 'compact', 'min.compaction.lag.ms': String(uncompactedDays * dayMs) }
  const settings = {
    'min.insync.replicas': String(insync),
    'max.message.bytes': String(largestBatchBytes),
    ...(compression && { 'compression.type': compression }),
    ...(topic === topics.changes ? compacted : kept),
  }
  return Object.entries(settings).map(([name, value]) => ({ name, value }))
}

/** Found, or made where it is not there; two that make it at once both find it. @throws StartError where it has other partitions */
export async function ensureTopic(admin: Admin, topic: string, name: string, settings: TopicSettings): Promise<Topic> {
  const found = (await findTopic(admin, name)) ?? (await makeTopic(admin, topic, name, settings))
  if (found.partitions === settings.partitions) return found
  throw new StartError(
    `The topic ${name} has ${found.partitions} partitions, but the log of this database has ${settings.partitions}.`,
  )
}

/** By the list of all: asking for one that is not there is an error, and may make it. */
export async function findTopic(admin: Admin, name: string): Promise<Topic | null> {
  if (!(await admin.listTopics()).includes(name)) return null
  const topic = (await admin.metadata({ topics: [name], forceUpdate: true })).topics.get(name)
  return topic ? { id: topic.id, partitions: topic.partitionsCount } : null
}

/** Nothing where it is not there; what has been dropped already stays so. */
export async function dropBefore(admin: Admin, name: string, before: readonly number[]): Promise<void> {
  const partitions = before.flatMap((offset, partition) => (offset > 0 ? [{ partition, offset: BigInt(offset) }] : []))
  if (partitions.length === 0 || !(await admin.listTopics()).includes(name)) return
  await admin.deleteRecords({ topics: [{ name, partitions }] })
}

/** Two that make it at once both find it. */
export async function makeTopic(admin: Admin, topic: string, name: string, settings: TopicSettings): Promise<Topic> {
  const { partitions, replication, minInsync } = settings
  const replicas = replication ?? Math.min(3, (await admin.metadata({})).brokers.size)
  const configs = configsOf(topic, settings, minInsync ?? Math.max(1, replicas - 1))
  await admin.createTopics({ topics: [name], partitions, replicas, configs }).catch((error: unknown) => {
    if (!errorId(error, 'TOPIC_ALREADY_EXISTS')) throw error
  })
  // The answer comes before every broker knows the topic.
  for (let tries = 0; tries < 100; tries++) {
    const found = await findTopic(admin, name).catch(() => null)
    if (found && found.partitions > 0) return found
    await sleep(50)
  }
  throw new StartError(`The topic ${name} was made, but the brokers do not tell of it.`)
}
