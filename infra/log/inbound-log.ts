/** Topics that tenants write to, as the resolver reads them: on brokers, or in the embedded log where nobody but this process writes. */
import type { Pool } from 'pg'
import type { DeadPlace } from '../../schemas/dead-letter.ts'
import { inboundTopic, workspaceOfTopic } from '../../schemas/inbound.ts'
import { inboundEpoch, inboundTopics } from '../catalog/inbound-queries.ts'
import type { TenantTopics } from './kafka-tenants.ts'
import { type Found, lookUpInbound } from './look-up-inbound.ts'
import type { Log } from './port.ts'
import { postgresLog } from './postgres.ts'

export interface InboundTopic {
  /** Its name says of which workspace it is (`schemas/inbound.ts`). */
  readonly topic: string
  readonly partitions: number
  /** The topic's own, whatever epoch the log is in: one that was made anew has others' messages at the same offsets. */
  readonly epoch: number
}

export interface InboundLog {
  topics(): Promise<readonly InboundTopic[]>
  /** Of the topic as it is now. */
  epoch(topic: string): Promise<number | null>
  readonly read: Log['read']
  /** The message of a dead letter, of whichever engine and epoch it was. */
  lookUp(place: DeadPlace): Promise<Found>
  /** First offset that each partition keeps. */
  begins(topic: string): Promise<readonly number[]>
  ends(topic: string): Promise<readonly number[]>
  /** As the workspace's clients name it. */
  nameOf(workspace: string): string
  /** Found, or made with as many partitions. null where there are no brokers on which others could write to it. */
  make(workspace: string, partitions: number): Promise<{ readonly partitions: number } | null>
}

const embeddedPlace = 'postgres'

/** @param tenants of the brokers that keep a former epoch of the log */
export function embeddedInbound(pool: Pool, log: Log, tenants: TenantTopics | null): InboundLog {
  const own: InboundLog = {
    async topics() {
      const found = await inboundTopics(pool)
      const epochs = await Promise.all(found.map((topic) => inboundEpoch(pool, topic, embeddedPlace)))
      return found.map((topic, i) => ({ topic, partitions: log.partitions, epoch: epochs[i] ?? 0 }))
    },
    epoch: (topic) => inboundEpoch(pool, topic, embeddedPlace),
    read: log.read,
    lookUp: (place) => lookUpInbound(pool, place, { embedded: own.read, tenants }),
    begins: log.begins,
    ends: log.ends,
    nameOf: inboundTopic,
    make: async () => null,
  }
  return own
}

export function kafkaInbound(pool: Pool, log: Log, tenants: TenantTopics): InboundLog {
  const { read: embedded } = postgresLog(pool, { epoch: log.epoch, partitions: log.partitions })
  const known = new Map<string, Promise<number>>()
  const epochOf = (topic: string, id: string) => {
    const name = `${topic} ${id}`
    const found = known.get(name) ?? inboundEpoch(pool, topic, id)
    known.set(name, found)
    found.catch(() => known.delete(name))
    return found
  }
  return {
    async topics() {
      const found = (await tenants.list()).filter(({ topic }) => workspaceOfTopic(topic) !== null)
      const epochs = await Promise.all(found.map(({ topic, id }) => epochOf(topic, id)))
      return found.map(({ topic, partitions }, i) => ({ topic, partitions, epoch: epochs[i] ?? 0 }))
    },
    async epoch(topic) {
      const found = await tenants.find(topic)
      return found && epochOf(topic, found.id)
    },
    read: tenants.read,
    lookUp: (place) => lookUpInbound(pool, place, { embedded, tenants }),
    begins: tenants.begins,
    ends: tenants.ends,
    nameOf: (workspace) => tenants.name(inboundTopic(workspace)),
    make: (workspace, partitions) => tenants.make(inboundTopic(workspace), partitions),
  }
}
