/** Takes a batch of one inbound partition in: appends what its messages make, with the position, so that each has its effect once. */
import type { Pool, PoolClient } from 'pg'
import type { Log } from '../../infra/log/port.ts'
import { workspaceOfTopic } from '../../schemas/inbound.ts'
import { topics } from '../../schemas/topics.ts'
import type { DeadRecord, LogPlace } from '../../transforms/ports.ts'
import type { InboundMessage } from './judge-message.ts'
import { placesOf } from './places.ts'
import { type ResolvePorts, resolveMessages, type Taken } from './resolve-messages.ts'

export interface InboundPorts extends ResolvePorts {
  readonly pool: Pool
  readonly inTransaction: <T>(pool: Pool, work: (tx: PoolClient) => Promise<T>) => Promise<T>
  readonly log: Pick<Log, 'append' | 'ends' | 'epoch' | 'partitionOf'>
  /** First statement of the batch's transaction. @returns false where another process has done this batch */
  readonly advance: (tx: PoolClient, topic: string, partition: number, from: number, to: number) => Promise<boolean>
  readonly writeDead: (tx: PoolClient, topic: string, dead: readonly DeadRecord[]) => Promise<void>
}

/** @returns the next offset; null where another process has taken it on */
export async function takeMessages(
  topic: string,
  partition: number,
  from: number,
  messages: readonly InboundMessage[],
  ports: InboundPorts,
): Promise<number | null> {
  const taken = await resolveMessages(topic, messages, ports)
  const records = taken.flatMap(({ record }) => (record ? [record] : []))
  const { log } = ports
  const to = (messages.at(-1)?.offset ?? from - 1) + 1
  const done = await ports.inTransaction(ports.pool, async (tx) => {
    if (!(await ports.advance(tx, topic, partition, from, to))) return false
    // A log apart from this database may have them twice after a crash: the worker knows a repeat by its import and seq.
    const values = records.map((record) => ({ key: record.product, value: JSON.stringify(record) }))
    const ranges = values.length > 0 ? await log.append(topics.bronze, values, tx) : []
    if (taken.every(({ outcome }) => outcome.kind !== 'dead')) return true
    const made = taken.map(({ record }) => record && log.partitionOf(record.product))
    const places = placesOf(made, { epoch: log.epoch, ends: await log.ends(topics.bronze), ranges })
    await ports.writeDead(
      tx,
      topic,
      taken.flatMap((one, i) => deadRecord(topic, one, places[i])),
    )
    return true
  })
  return done ? to : null
}

function deadRecord(topic: string, { message, outcome, target }: Taken, place: LogPlace | undefined): DeadRecord[] {
  if (outcome.kind !== 'dead') return []
  const { partition, offset, key, value } = message
  return [
    {
      // Offsets of a tenant's topic are the topic's own, whatever epoch the log is in.
      position: { epoch: 0, partition, offset },
      claims: {
        workspace: workspaceOfTopic(topic),
        brand: target?.brand ?? null,
        catalog: target?.catalog ?? null,
        import: null,
        source: null,
      },
      ...{ key, value, reason: outcome.reason, as: outcome.as, attempts: 1, ...(place && { place }) },
    },
  ]
}
