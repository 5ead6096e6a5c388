/** The log on Apache Kafka: the only file that names the driver; what is done with it is in the files beside it. */
import {
  Admin,
  type Base,
  type BaseOptions,
  Consumer,
  compressionsAlgorithmsByBitmask,
  crc32c,
  type GroupOptions,
  instancesChannel,
  kGetApi,
  Producer,
  Writer,
} from '@platformatic/kafka'
import { openSender } from './kafka-append.ts'
import type { Codecs } from './kafka-decode.ts'
import { told } from './kafka-errors.ts'
import { scanForKeys } from './kafka-keys.ts'
import { joinGroup, type MemberOptions, type Membership } from './kafka-members.ts'
import { openReader } from './kafka-read.ts'
import { connectionOptions, type KafkaSecurity } from './kafka-security.ts'
import { openTenantTopics, type TenantTopics } from './kafka-tenants.ts'
import { dropBefore, ensureTopic, findTopic, type Topic, type TopicSettings, topicName } from './kafka-topics.ts'
import { type Api, leavesWhole, sendsWhole } from './kafka-whole-batches.ts'
import { partitionOf as partitionOfKey } from './partition-of.ts'
import type { Log } from './port.ts'

export interface KafkaSettings extends Omit<TopicSettings, 'partitions'>, KafkaSecurity {
  readonly brokers: readonly string[]
  /** Before the name of every topic and group. */
  readonly prefix: string
  readonly sessionMs: number
}

export interface KafkaLog {
  readonly log: Log
  /** Topics that others write to. */
  readonly tenants: TenantTopics
  readonly sessionMs: number
  /** null where it is not there. */
  find(topic: string): Promise<Topic | null>
  /** Found, or made as it is configured. @throws StartError where it has other partitions than the epoch */
  ensure(topic: string): Promise<Topic>
  /** Has the brokers drop what stands before these offsets, by partition. */
  letGo(topic: string, before: readonly number[]): Promise<void>
  /** Shares a topic's partitions with the other members of the group. */
  join(group: string, topic: string, member: Omit<MemberOptions, 'topic' | 'sessionMs'>): Membership
  close(): Promise<void>
}

/** A broker may be started again, or another become the leader: half a minute, then the caller is told. */
const [retries, retryDelayMs] = [60, 500]
/** Reads are asked again by themselves. */
const readRetries = 4
const requestTimeoutMs = 15_000
const connectTimeoutMs = 3_000

/**
 * A connection that breaks while it says who it is tells of it twice, and the driver listens once: an error that nobody listens to ends the process.
 * Whoever waits for the connection is told by the driver itself.
 */
instancesChannel.subscribe((told) => {
  const { type, instance } = told as { type: string; instance: NodeJS.EventEmitter }
  if (type === 'connection') instance.on('error', () => {})
})

const encoding = { writer: () => Writer.create(), crc32c }
const codecs: Codecs = {
  crc32c,
  decompress(codec, bytes) {
    const found = compressionsAlgorithmsByBitmask[codec as keyof typeof compressionsAlgorithmsByBitmask]
    if (!found) throw new Error(`a batch is packed in a way that has the number ${codec}, which nobody knows`)
    return found.decompressSync(bytes)
  },
}

/** The driver leaves open to who extends it which version of an API is taken, and what that is. */
function withApi<C extends Base>(client: C, name: string, instead: (api: Api) => Api): C {
  const get = client[kGetApi].bind(client) as (name: string, callback: (error: Error | null, api?: Api) => void) => void
  const own: typeof get = (asked, callback) =>
    get(asked, (error, api) => {
      if (!api || asked !== name) return callback(error, api)
      try {
        callback(error, instead(api))
      } catch (refusal) {
        callback(refusal as Error)
      }
    })
  return Object.assign(client, { [kGetApi]: own })
}

/** @throws StartError for files that cannot be read; brokers that are away are met by whoever asks them */
export async function openKafka(
  settings: KafkaSettings,
  { epoch, partitions }: { epoch: number; partitions: number },
): Promise<KafkaLog> {
  const { prefix, brokers } = settings
  const name = (topic: string) => topicName(topic, prefix, epoch)
  const common: BaseOptions = {
    clientId: 'assay',
    bootstrapBrokers: [...brokers],
    connectTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retries: readRetries,
    retryDelay: retryDelayMs,
    ...(await connectionOptions(settings)),
  }
  const admin = new Admin(common)
  const consumer = (groupId: string, options: GroupOptions = {}) =>
    new Consumer({ ...common, groupId, groupProtocol: 'classic', autocommit: false, ...options })
  const reading = withApi(consumer(`${prefix}assay.reading`), 'Fetch', leavesWhole)
  const reader = openReader(reading, codecs, name)
  // Whoever writes what takes long to read keeps nobody else waiting.
  const tenants = withApi(consumer(`${prefix}assay.inbound`), 'Fetch', leavesWhole)
  // What is no product id can only have been written by someone else.
  const partitionOf = (key: string) => partitionOfKey(key, partitions) || 0
  const sender = openSender(
    () => withApi(new Producer({ ...common, retries, idempotent: true }), 'Produce', sendsWhole(encoding)),
    partitionOf,
  )
  const made = new Map<string, Promise<Topic>>()

  const ensure = (topic: string): Promise<Topic> => {
    const known = made.get(topic)
    if (known) return known
    const making = ensureTopic(admin, topic, name(topic), { ...settings, partitions }).catch((error: unknown) => {
      made.delete(topic)
      throw told(error)
    })
    made.set(topic, making)
    return making
  }

  const offsets = async (topic: string, of: 'first' | 'end') => {
    const found = await reader.offsets(topic, of)
    return Array.from({ length: partitions }, (_, partition) => found[partition] ?? 0)
  }

  const log: Log = {
    epoch,
    partitions,
    transactional: false,
    partitionOf,
    async append(topic, records) {
      if (records.length === 0) return []
      await ensure(topic)
      return sender.append(name(topic), records)
    },
    read: reader.read,
    readKeys: (topic, keys, below, from) => scanForKeys(reader, topic, keys, below, partitionOf, from),
    begins: (topic) => offsets(topic, 'first'),
    ends: (topic) => offsets(topic, 'end'),
  }

  return {
    log,
    tenants: openTenantTopics(admin, tenants, codecs, prefix, settings),
    sessionMs: settings.sessionMs,
    ensure,
    find: (topic) =>
      findTopic(admin, name(topic)).catch((error: unknown) => {
        throw told(error)
      }),
    letGo: (topic, before) =>
      dropBefore(admin, name(topic), before).catch((error: unknown) => {
        throw told(error)
      }),
    join: (group, topic, member) =>
      joinGroup((options) => consumer(topicName(group, `${prefix}assay.`, epoch), options), {
        ...member,
        topic: name(topic),
        sessionMs: settings.sessionMs,
      }),
    async close() {
      await sender.close()
      await Promise.all([reading.close(), tenants.close(), admin.close()])
    },
  }
}
