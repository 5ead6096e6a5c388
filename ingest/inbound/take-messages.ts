/** Takes a batch of one inbound partition in: appends what its messages make, with the position, so that each has its effect once. */
import type { Pool, PoolClient } from 'pg'
import type { InboundPlace } from '../../infra/catalog/inbound-queries.ts'
import type { Sender, Unsent } from '../../infra/catalog/unsent.ts'
import type { Log, NewRecord } from '../../infra/log/port.ts'
import { workspaceOfTopic } from '../../schemas/inbound.ts'
import { topics } from '../../schemas/topics.ts'
import type { DeadRecord, LogPlace } from '../../transforms/ports.ts'
import { derivedId } from './derived-id.ts'
import type { InboundMessage } from './judge-message.ts'
import { placesOf } from './places.ts'
import { type ResolvePorts, resolveMessages, type Taken } from './resolve-messages.ts'

export interface InboundPorts extends ResolvePorts {
  readonly pool: Pool
  readonly inTransaction: <T>(pool: Pool, work: (tx: PoolClient) => Promise<T>) => Promise<T>
  readonly log: Pick<Log, 'append' | 'ends' | 'epoch' | 'partitionOf' | 'transactional'>
  /** First statement of the batch's transaction. @returns false where another process has done this batch */
  readonly advance: (tx: PoolClient, place: InboundPlace, from: number, to: number) => Promise<boolean>
  readonly writeDead: (tx: PoolClient, topic: string, dead: readonly DeadRecord[]) => Promise<void>
  /** What is made of a batch, until a log apart from the catalog has it. */
  readonly unsent: {
    keep(tx: PoolClient, sender: Sender, count: number, make: () => Made): Promise<Unsent<Made>>
    find(sender: string): Promise<Unsent<Made> | null>
    markSent(tx: PoolClient, sender: string, unsent: Unsent<unknown>): Promise<boolean>
  }
}

/** What a batch becomes; JSON. */
interface Made {
  readonly records: readonly { readonly key: string; readonly value: string }[]
  /** The key of each message's record, or of its records; null of one that made none. */
  readonly keys: readonly (string | null | readonly string[])[]
  /** By place among the messages; the value in base64. */
  readonly dead: readonly { readonly at: number; readonly letter: Omit<DeadRecord, 'value' | 'place'>; value: string }[]
}

/** @returns the next offset; null where another process has taken it on */
export async function takeMessages(
  place: InboundPlace,
  from: number,
  messages: readonly InboundMessage[],
  ports: InboundPorts,
): Promise<number | null> {
  const made = madeOf(place, await resolveMessages(place, messages, ports))
  const to = (messages.at(-1)?.offset ?? from - 1) + 1
  const { log } = ports
  const apart = !log.transactional && made.records.length > 0
  const taken = await ports.inTransaction(ports.pool, async (tx) => {
    if (!(await ports.advance(tx, place, from, to))) return null
    if (apart) return { unsent: await ports.unsent.keep(tx, senderOf(place), made.records.length, () => made) }
    await bury(place, made, await append(log, made.records, tx), ports, tx)
    return { unsent: null }
  })
  if (taken?.unsent) await send(place, taken.unsent, ports)
  return taken && to
}

/** Sends what was made of the batch before; the worker knows a repeat by its import and seq. */
export async function sendMade(place: InboundPlace, ports: InboundPorts): Promise<void> {
  const unsent = await ports.unsent.find(senderOf(place).id)
  if (unsent) await send(place, unsent, ports)
}

async function send(place: InboundPlace, unsent: Unsent<Made>, ports: InboundPorts): Promise<void> {
  const ranges = await append(ports.log, unsent.what.records)
  await ports.inTransaction(ports.pool, async (tx) => {
    if (await ports.unsent.markSent(tx, senderOf(place).id, unsent)) await bury(place, unsent.what, ranges, ports, tx)
  })
}

function senderOf({ topic, epoch, partition }: InboundPlace): Sender {
  const workspace = workspaceOfTopic(topic) ?? ''
  return { id: derivedId(['unsent', topic, epoch, partition]), workspace, brand: null }
}

const append = async (log: InboundPorts['log'], records: readonly NewRecord[], tx?: PoolClient) =>
  records.length > 0 ? log.append(topics.bronze, records, tx) : []

/** Each at its place: after the records of the messages before it. */
async function bury(
  { topic }: InboundPlace,
  { keys, dead }: Made,
  ranges: Awaited<ReturnType<typeof append>>,
  { log, writeDead }: InboundPorts,
  tx: PoolClient,
): Promise<void> {
  if (dead.length === 0) return
  const partitions = keys.map((own) => [own ?? []].flat().map((key) => log.partitionOf(key)))
  const places = placesOf(partitions, { epoch: log.epoch, ends: await log.ends(topics.bronze), ranges })
  const letters = dead.map(({ at, letter, value }): DeadRecord => {
    const place: LogPlace | undefined = places[at]
    return { ...letter, value: Buffer.from(value, 'base64'), ...(place && { place }) }
  })
  await writeDead(tx, topic, letters)
}

function madeOf(place: InboundPlace, taken: readonly Taken[]): Made {
  const made = taken.map(({ beside, record }) => (record ? [...beside, record] : beside))
  return {
    records: made.flat().map((record) => ({ key: record.product, value: JSON.stringify(record) })),
    keys: made.map((records) => records.map(({ product }) => product)),
    dead: taken.flatMap(({ message, outcome, target }, at) => {
      if (outcome.kind !== 'dead') return []
      const { partition, offset, key, value } = message
      const claims = {
        workspace: workspaceOfTopic(place.topic),
        brand: target?.brand ?? null,
        catalog: target?.catalog ?? null,
        import: null,
        source: null,
      }
      const position = { epoch: place.epoch, partition, offset }
      const letter = { position, claims, key, reason: outcome.reason, as: outcome.as, attempts: 1 }
      return [{ at, letter, value: Buffer.from(value).toString('base64') }]
    }),
  }
}
