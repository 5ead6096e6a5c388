/** Has the driver send batches as they are, and leave those that it is answered for who reads them; all else of both requests stays its own. */
import type { API, Connection, Consumer, Writer } from '@platformatic/kafka'
import { countOf, stamp } from './kafka-encode.ts'

/** One version of a request, as the driver has it. */
export type Api = API<unknown[], unknown>
type Send = Connection['send']
type Parse = Parameters<Send>[3]

/** A message of the driver, whose value is a whole batch. */
interface WholeBatch {
  readonly topic: string
  readonly partition: number
  readonly value: Buffer
}

interface Producing {
  readonly producerId: bigint
  readonly producerEpoch: number
}

export interface Encoding {
  readonly writer: () => Writer
  readonly crc32c: (bytes: Buffer) => number
}

type Answer = Awaited<ReturnType<Consumer['fetch']>>
type AnsweredPartition = Answer['responses'][number]['partitions'][number]
/** `whole`: what the broker sent of it, where it sent something. */
export type WholePartition = AnsweredPartition & { readonly whole?: Buffer }

/** From these versions on strings and lengths have their newer form: Kafka has had both since 2.8. */
const oldest = { produce: 9, fetch: 12 } as const

/** The driver asks for an API once more where it had to ask the brokers first, and is given what it was given. */
const standIns = new WeakSet<Api>()

/** @param change of a request: what is sent, and how the answer is read */
function standIn(
  api: Api,
  since: number,
  change: (args: unknown[]) => (...request: Parameters<Send>) => Parameters<Send>,
): Api {
  if (api.version < since) throw new Error('the brokers are older than Kafka 2.8')
  if (standIns.has(api)) return api
  const through = (connection: Connection, args: unknown[]) => {
    const changed = change(args)
    const send = (...request: Parameters<Send>) => connection.send(...changed(...request))
    return { send } as Connection
  }
  const own: Api = Object.assign(
    (connection: Connection, ...args: unknown[]) => api(through(connection, args), ...args),
    { async: api.async, key: api.key, version: api.version },
  )
  standIns.add(own)
  return own
}

/** Of one producer. The driver counts messages where it gives batches their places; here each is a batch, and records count. */
export function sendsWhole({ writer, crc32c }: Encoding): (api: Api) => Api {
  const sequenceOf = openSequences()
  return (api) =>
    standIn(api, oldest.produce, ([acks, timeoutMs, messages, options]) => {
      const { producerId, producerEpoch } = options as Producing
      const create = () => {
        const topics = [...Map.groupBy(messages as readonly WholeBatch[], ({ topic }) => topic)]
        return writer()
          .appendString(null)
          .appendInt16(acks as number)
          .appendInt32(timeoutMs as number)
          .appendArray(topics, (w, [topic, batches]) => {
            w.appendString(topic).appendArray(batches, (w, { partition, value }) => {
              const sequence = sequenceOf(options as Producing, `${topic}/${partition}`, value)
              stamp(value, { producerId, producerEpoch, sequence }, crc32c)
              w.appendInt32(partition).appendBytes(value)
            })
          })
          .appendTaggedFields()
      }
      return (key, version, _create, ...rest) => [key, version, create, ...rest]
    })
}

/** A batch that is sent again keeps its number: by it the broker knows that it has it. */
function openSequences() {
  let of = ''
  let next = new Map<string, number>()
  let given = new WeakMap<Buffer, number>()
  return ({ producerId, producerEpoch }: Producing, place: string, batch: Buffer): number => {
    const who = `${producerId}/${producerEpoch}`
    if (who !== of) [of, next, given] = [who, new Map(), new WeakMap()]
    const sequence = given.get(batch) ?? next.get(place) ?? 0
    if (!given.has(batch)) next.set(place, (sequence + countOf(batch)) % 2 ** 31)
    given.set(batch, sequence)
    return sequence
  }
}

export const leavesWhole = (api: Api): Api =>
  standIn(api, oldest.fetch, () => (key, version, create, parse, ...rest) => [
    key,
    version,
    create,
    leaving(parse),
    ...rest,
  ])

/** Records are all that the driver takes a part of an answer for; it is given an empty one. One partition is asked for at a time. */
function leaving(parse: Parse): Parse {
  return (correlationId, key, version, reader) => {
    const { buffer } = reader
    const whole: Buffer[] = []
    buffer.subarray = (from, to) => {
      whole.push(buffer.slice(from, to))
      return nothing as unknown as typeof buffer
    }
    const answer = parse(correlationId, key, version, reader) as Answer
    const partitions = answer.responses.flatMap((topic) => topic.partitions)
    if (whole.length > 1 || partitions.some(({ records }) => records?.length))
      throw new Error('the driver reads answers of the brokers otherwise than it did')
    if (whole[0] && partitions[0]) Object.assign(partitions[0], { whole: whole[0] })
    return answer
  }
}
const nothing = Buffer.alloc(0)
