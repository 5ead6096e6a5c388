/** What any log must keep to, whatever engine is behind it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Log, NewRecord, StoredRecord } from '../../infra/log/port.ts'
import { enough } from '../enough.ts'

export interface OpenLog {
  readonly log: Log
  close(): Promise<void>
}

/** @param open a log with at least two partitions; called once */
export function logContract(name: string, open: () => Promise<OpenLog>): void {
  describe(`${name}, as a log,`, () => {
    let opened: OpenLog
    let log: Log

    beforeAll(async () => {
      opened = await open()
      log = opened.log
    })
    afterAll(() => opened.close())

    /** A topic that no other test writes to. */
    const newTopic = () => `contract.${randomUUID()}`
    const some = (count: number, value: (i: number) => string | Buffer = (i) => `value ${i}`): NewRecord[] =>
      Array.from({ length: count }, (_, i) => ({ key: randomUUID(), value: value(i) }))
    const keysIn = (partition: number, count: number): string[] => {
      const keys: string[] = []
      while (keys.length < count) {
        const key = randomUUID()
        if (log.partitionOf(key) === partition) keys.push(key)
      }
      return keys
    }

    async function readAll(topic: string, limit = 1_000): Promise<StoredRecord[]> {
      const all: StoredRecord[] = []
      const ends = await log.ends(topic)
      for (const [partition, end] of ends.entries()) {
        for (let from = 0; from < end; ) {
          const records = await log.read(topic, partition, from, limit)
          expect(records.length).toBeGreaterThan(0)
          all.push(...records)
          from = (records.at(-1)?.offset ?? end) + 1
        }
      }
      return all
    }

    async function readKeys(topic: string, keys: readonly string[], below: readonly number[]): Promise<StoredRecord[]> {
      const all: StoredRecord[] = []
      for await (const record of log.readKeys(topic, keys, below)) all.push(record)
      return all
    }

    test('spreads keys over all partitions, and each key always to the same', () => {
      const used = new Set<number>()
      for (const { key } of some(500)) {
        expect(log.partitionOf(key)).toBe(log.partitionOf(key))
        used.add(log.partitionOf(key))
      }
      expect([...used].sort()).toEqual(Array.from({ length: log.partitions }, (_, i) => i))
    })

    test('gives back each record once, with its key and bytes, in order of the append within its partition', async () => {
      const topic = newTopic()
      const sent = some(2_500)
      await log.append(topic, sent.slice(0, 2_000))
      await log.append(topic, sent.slice(2_000))
      const got = await readAll(topic)
      expect(got).toHaveLength(sent.length)
      for (let partition = 0; partition < log.partitions; partition++) {
        const here = sent.filter(({ key }) => log.partitionOf(key) === partition)
        const there = got.filter((record) => record.partition === partition)
        expect(there.map(({ offset }) => offset)).toEqual(here.map((_, i) => i))
        expect(there.map(({ key, value }) => [key, value.toString()])).toEqual(
          here.map(({ key, value }) => [key, value]),
        )
      }
    })

    test('answers an append with the offsets it gave, and ends with one past the last', async () => {
      const topic = newTopic()
      const [a, b] = [keysIn(0, 3), keysIn(1, 2)]
      const records = [...a, ...b].map((key) => ({ key, value: 'x' }))
      expect(await log.append(topic, [])).toEqual([])
      expect(await log.ends(topic)).toEqual(new Array(log.partitions).fill(0))
      expect([...(await log.append(topic, records))].sort((x, y) => x.partition - y.partition)).toEqual([
        { partition: 0, from: 0, to: 3 },
        { partition: 1, from: 0, to: 2 },
      ])
      expect(await log.append(topic, records.slice(3))).toEqual([{ partition: 1, from: 2, to: 4 }])
      expect((await log.ends(topic)).slice(0, 2)).toEqual([3, 4])
      expect(await log.begins(topic)).toEqual(new Array(log.partitions).fill(0))
    })

    test('tells each of several writers at once where its own records stand', async () => {
      const topic = newTopic()
      const told = await Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          const records = some(400, (i) => `${writer}/${i}`)
          return { records, ranges: await log.append(topic, records) }
        }),
      )
      const standing = new Map(
        (await readAll(topic)).map(({ partition, offset, value }) => [`${partition}/${offset}`, value.toString()]),
      )
      expect(standing.size).toBe(told.length * 400)
      for (const { records, ranges } of told)
        for (let partition = 0; partition < log.partitions; partition++) {
          const places = ranges
            .filter((range) => range.partition === partition)
            .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => `${partition}/${from + i}`))
          const own = records.filter(({ key }) => log.partitionOf(key) === partition)
          expect(places.map((place) => standing.get(place))).toEqual(own.map(({ value }) => value))
        }
    })

    test('is read from any offset, and at its end answers nothing', async () => {
      const topic = newTopic()
      const keys = keysIn(0, 50)
      for (const size of [1, 7, 30, 12])
        await log.append(
          topic,
          keys.splice(0, size).map((key) => ({ key, value: key })),
        )
      const all = await log.read(topic, 0, 0, 1_000)
      expect(all.map(({ offset }) => offset)).toEqual(Array.from({ length: 50 }, (_, i) => i))
      for (let from = 0; from < 50; from++) {
        expect(await log.read(topic, 0, from, 1_000)).toEqual(all.slice(from))
        const few = await log.read(topic, 0, from, 5)
        expect(few.length).toBeGreaterThanOrEqual(Math.min(5, 50 - from))
        expect(few).toEqual(all.slice(from, from + few.length))
      }
      expect(await log.read(topic, 0, 50, 10)).toEqual([])
      expect(await log.read(topic, 0, 5_000, 10)).toEqual([])
      expect(await log.read(newTopic(), 0, 0, 10)).toEqual([])
    })

    test('stops a read near its limit', async () => {
      const topic = newTopic()
      for (let i = 0; i < 20; i++)
        await log.append(
          topic,
          keysIn(0, 10).map((key) => ({ key, value: 'x' })),
        )
      expect((await log.read(topic, 0, 3, 25)).length).toBeLessThanOrEqual(25 + 2 * 10)
    })

    test('keeps any bytes: empty values, what looks like JSON or a header, text of any language', async () => {
      const values = [
        Buffer.alloc(0),
        Buffer.from([0x7b, 0x22]),
        Buffer.from([0]),
        Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
      ]
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), async (random) => {
          const topic = newTopic()
          const all = [...values, ...random.map((bytes) => Buffer.from(bytes)), Buffer.from('größe 在庫 🧲')]
          const keys = keysIn(0, 1)
          await log.append(
            topic,
            all.map((value) => ({ key: keys[0] ?? '', value })),
          )
          expect((await log.read(topic, 0, 0, 100)).map(({ value }) => value)).toEqual(all)
        }),
        { numRuns: enough(5, 15) },
      )
      const topic = newTopic()
      await log.append(
        topic,
        keysIn(0, 1).map((key) => ({ key, value: 'größe 在庫 🧲' })),
      )
      expect((await log.read(topic, 0, 0, 1))[0]?.value.toString()).toBe('größe 在庫 🧲')
    })

    test('keeps a value of five megabytes among small ones', async () => {
      const topic = newTopic()
      const large = Buffer.alloc(5_000_000)
      for (let i = 0; i < large.length; i++) large[i] = (i * 2_654_435_761) >>> 24
      const [a = '', b = '', c = ''] = keysIn(0, 3)
      await log.append(topic, [
        { key: a, value: 'small' },
        { key: b, value: large },
        { key: c, value: 'small' },
      ])
      const values = (await log.read(topic, 0, 0, 10)).map(({ value }) => value)
      expect(values.map((value) => value.length)).toEqual([5, 5_000_000, 5])
      expect(values[1]?.equals(large)).toBe(true)
    })

    test('shows four writers to a polling reader without a hole and never out of order', async () => {
      const topic = newTopic()
      const appends = 25
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; i < appends; i++)
          await log.append(
            topic,
            some(1 + (i % 9), (k) => `${writer}/${i}/${k}`),
          )
      })
      let writing = true
      const done = Promise.all(writers).finally(() => {
        writing = false
      })
      const next = new Array<number>(log.partitions).fill(0)
      const lastOf = new Map<string, number>()
      let seen = 0
      for (let idle = false; !idle; ) {
        idle = !writing
        for (const [partition, from] of next.entries()) {
          for (const { offset, value } of await log.read(topic, partition, from, 100)) {
            expect(offset).toBe(next[partition])
            next[partition] = offset + 1
            const [writer, append, place] = value.toString().split('/').map(Number) as [number, number, number]
            const order = append * 100 + place
            expect(order).toBeGreaterThan(lastOf.get(`${writer}/${partition}`) ?? -1)
            lastOf.set(`${writer}/${partition}`, order)
            seen++
            idle = false
          }
        }
        await sleep(2)
      }
      await done
      expect(await log.ends(topic)).toEqual(next)
      expect(seen).toBe(4 * Array.from({ length: appends }, (_, i) => 1 + (i % 9)).reduce((a, b) => a + b))
    })

    test('reads by key what a filter over everything gives, in order of position within each key', async () => {
      const topic = newTopic()
      const keys = some(60).map(({ key }) => key)
      for (let i = 0; i < 12; i++) {
        const records = Array.from({ length: 40 }, (_, k) => ({
          key: keys[(i * 7 + k * k) % keys.length] ?? '',
          value: `${i}/${k}`,
        }))
        await log.append(topic, records)
      }
      const all = await readAll(topic)
      const ends = await log.ends(topic)
      await fc.assert(
        fc.asyncProperty(
          fc.subarray(keys),
          fc.array(fc.integer({ min: 0, max: 100 }), {
            minLength: log.partitions,
            maxLength: log.partitions,
          }),
          async (wanted, shares) => {
            const below = ends.map((end, partition) => Math.round((end * (shares[partition] ?? 100)) / 100))
            const got = await readKeys(topic, [...wanted, randomUUID()], below)
            const byKey = Map.groupBy(got, ({ key }) => key)
            const expected = all.filter(
              ({ key, partition, offset }) => wanted.includes(key) && offset < (below[partition] ?? 0),
            )
            expect(got).toHaveLength(expected.length)
            for (const [key, records] of byKey) expect(records).toEqual(expected.filter((record) => record.key === key))
            // All of one key, then all of the next.
            expect(got.map(({ key }) => key)).toEqual([...byKey].flatMap(([key, records]) => records.map(() => key)))
          },
        ),
        { numRuns: enough(5, 15) },
      )
    })
  })
}
