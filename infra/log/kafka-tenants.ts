/** Topics on Kafka that others write to, each under rights that the brokers keep; no epoch of the log is in their names. */
import type { Admin, Consumer } from '@platformatic/kafka'
import type { Codecs } from './kafka-decode.ts'
import { told } from './kafka-errors.ts'
import { openReader } from './kafka-read.ts'
import { findTopic, makeTopic, type Topic, type TopicSettings } from './kafka-topics.ts'
import type { Log } from './port.ts'

export interface TenantTopics {
  /** On the brokers. */
  name(topic: string): string
  /** All that begin with the prefix, ours among them. */
  list(): Promise<readonly (Topic & { readonly topic: string })[]>
  /** null where it is not there. */
  find(topic: string): Promise<Topic | null>
  /** Found, or made. */
  make(topic: string, partitions: number): Promise<Topic>
  readonly read: Log['read']
  /** First offset that each partition keeps. */
  begins(topic: string): Promise<readonly number[]>
  ends(topic: string): Promise<readonly number[]>
}

/**
 * A tenant's client may send hundreds of messages as one batch. Unpacked by the brokers, which hold it to that size then: a few kilobytes
 * that unpack to gigabytes would end the process which reads them.
 */
const batches = { largestBatchBytes: 8 * 1024 * 1024, compression: 'uncompressed' } as const

export function openTenantTopics(
  admin: Admin,
  consumer: Consumer,
  codecs: Codecs,
  prefix: string,
  settings: Omit<TopicSettings, 'partitions'>,
): TenantTopics {
  const name = (topic: string) => prefix + topic
  const reader = openReader(consumer, codecs, name, { headers: true })
  const telling = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw told(error)
    })
  const find: TenantTopics['find'] = (topic) => telling(findTopic(admin, name(topic)))
  return {
    name,
    find,
    async list() {
      const names = (await telling(admin.listTopics())).filter((one) => one.startsWith(`${prefix}inbound.`))
      if (names.length === 0) return []
      const { topics } = await telling(admin.metadata({ topics: names, forceUpdate: true }))
      return [...topics].map(([full, { id, partitionsCount }]) => ({
        ...{ topic: full.slice(prefix.length), id, partitions: partitionsCount },
      }))
    },
    make: async (topic, partitions) =>
      (await find(topic)) ?? telling(makeTopic(admin, topic, name(topic), { ...settings, partitions, ...batches })),
    read: reader.read,
    begins: (topic) => reader.offsets(topic, 'first'),
    ends: (topic) => reader.offsets(topic, 'end'),
  }
}
