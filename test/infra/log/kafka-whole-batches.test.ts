import type { Connection } from '@platformatic/kafka'
import { expect, test } from 'vitest'
import { openEncoder } from '../../../infra/log/kafka-encode.ts'
import { type Api, leavesWhole, sendsWhole } from '../../../infra/log/kafka-whole-batches.ts'

const encode = openEncoder()
/** Of a number of records: what a broker counts places by. */
const batchOf = (records: number) =>
  encode(
    Array.from({ length: records }, () => ({ key: '', value: '' })),
    0,
  )

/** An API of the driver's as far as it is looked at: it sends what it makes over the connection. */
const apiOf = (key: number, version: number): Api =>
  Object.assign(
    (connection: Connection) =>
      connection.send(
        key,
        version,
        () => 'by the driver' as never,
        () => 'read by the driver' as never,
        true,
        true,
        () => {},
      ),
    { key, version, async: async () => null },
  )

/** What a stand-in has the connection send. */
function sent(api: Api, ...args: unknown[]): Parameters<Connection['send']>[] {
  const requests: Parameters<Connection['send']>[] = []
  api({ send: (...request: Parameters<Connection['send']>) => requests.push(request) } as never, ...args)
  return requests
}

/** All that is asked of a writer. */
function fakeWriter(): never {
  const writer: unknown = new Proxy(
    {},
    {
      get: (_, name) => (list: unknown, each: unknown) => {
        if (name === 'appendArray')
          for (const one of list as unknown[]) (each as (w: unknown, one: unknown) => void)(writer, one)
        return writer
      },
    },
  )
  return writer as never
}

const places = (batch: Buffer) => [Number(batch.readBigInt64BE(43)), batch.readInt32BE(53)]

test('each batch has its place among the records of its producer, keeps it when it is sent again, and begins anew with another producer', () => {
  const produce = sendsWhole({ writer: fakeWriter, crc32c: () => 0 })(apiOf(0, 11))
  const send = (producerId: bigint, ...batches: [partition: number, value: Buffer][]) => {
    const messages = batches.map(([partition, value]) => ({ topic: 't', partition, value }))
    for (const [, , create] of sent(produce, -1, 1_000, messages, { producerId, producerEpoch: 0 })) create()
    return batches.map(([, value]) => places(value))
  }
  const [a, b, c] = [batchOf(5), batchOf(7), batchOf(2)]
  expect(send(1n, [0, a], [1, b])).toEqual([
    [1, 0],
    [1, 0],
  ])
  expect(send(1n, [0, c])).toEqual([[1, 5]])
  expect(send(1n, [0, a], [0, batchOf(1)])).toEqual([
    [1, 0],
    [1, 7],
  ])
  expect(send(2n, [0, a], [0, c])).toEqual([
    [2, 0],
    [2, 5],
  ])
})

test('a driver that reads answers otherwise than it did is told from one that leaves them whole', () => {
  const bytes = Buffer.from('whole batches')
  const answer = (records: unknown[]) => ({ responses: [{ partitions: [{ records }] }] })
  const read = (parse: (reader: { buffer: { subarray(from: number, to: number): Buffer } }) => unknown) => {
    const api = Object.assign(
      (connection: Connection) =>
        connection.send(
          1,
          17,
          () => null as never,
          ((_: number, __: number, ___: number, reader: never) => parse(reader)) as never,
          true,
          true,
          () => {},
        ),
      { key: 1, version: 17, async: async () => null },
    )
    const [request] = sent(leavesWhole(api))
    return request?.[3](0, 1, 17, {
      buffer: { slice: (from: number, to: number) => bytes.subarray(from, to) },
    } as never)
  }
  const whole = read(({ buffer }) => answer([...buffer.subarray(0, 5)]))
  expect(whole).toEqual({ responses: [{ partitions: [{ records: [], whole: Buffer.from('whole') }] }] })
  expect(() => read(() => answer(['a record']))).toThrow(
    'the driver reads answers of the brokers otherwise than it did',
  )
})

test('brokers whose requests have the older form are refused', () => {
  expect(() => leavesWhole(apiOf(1, 11))).toThrow('older than Kafka 2.8')
  expect(() => sendsWhole({ writer: fakeWriter, crc32c: () => 0 })(apiOf(0, 8))).toThrow('older than Kafka 2.8')
})

test('a stand-in that is asked for once more is the same: twice changed, a request would be another', () => {
  const own = leavesWhole(apiOf(1, 17))
  expect(leavesWhole(own)).toBe(own)
})

test('two producers count apart', () => {
  const [one, other] = [1n, 2n].map((producerId) => {
    const produce = sendsWhole({ writer: fakeWriter, crc32c: () => 0 })(apiOf(0, 11))
    return (value: Buffer) => {
      const messages = [{ topic: 't', partition: 0, value }]
      for (const [, , create] of sent(produce, -1, 1_000, messages, { producerId, producerEpoch: 0 })) create()
      return places(value)
    }
  })
  expect([one, other, one].map((send) => send?.(batchOf(3)))).toEqual([
    [1, 0],
    [2, 0],
    [1, 3],
  ])
})
