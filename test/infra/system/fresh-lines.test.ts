import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOf } from '../../../infra/events/place.ts'
import { partitionOf as partitionOfKey } from '../../../infra/log/partition-of.ts'
import { openFreshLines } from '../../../infra/system/fresh-lines.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { decodeEvent } from '../../../transforms/events/decode.ts'
import { eventLines } from '../../event-lines.ts'

const epoch = 3
const partitions = 3
const partitionOf = (key: string) => partitionOfKey(key, partitions)
const time = '2026-11-29T10:00:00.000Z'
const event = (more: Partial<AgentEvent> = {}): AgentEvent => ({
  ...{ v: 1, id: randomUUID(), type: 'order', time, received: time, workspace: 'ws_one', brand: randomUUID() },
  ...more,
})

/** A log that keeps what it is given, and what others bring. */
function someLog() {
  const kept = Array.from({ length: partitions }, () => [] as Buffer[])
  return {
    append(events: readonly AgentEvent[]) {
      const from = kept.map(({ length }) => length)
      for (const one of events) kept[partitionOf(one.id)]?.push(Buffer.from(JSON.stringify(one)))
      return kept.flatMap(({ length }, partition) =>
        length > (from[partition] ?? 0) ? [{ partition, from: from[partition] ?? 0, to: length }] : [],
      )
    },
    end: (partition: number) => kept[partition]?.length ?? 0,
    lines: (partition: number, from: number, to: number) =>
      (kept[partition] ?? []).slice(from, to).map((value, i) => {
        const read = decodeEvent(value)
        if ('unread' in read) throw new Error(read.unread)
        return Buffer.concat(eventLines([read], placeOf(epoch, partition, from + i))).toString()
      }),
  }
}

const step = fc.oneof(
  fc.record({ by: fc.constantFrom('us', 'us late', 'others'), events: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ read: fc.nat(partitions - 1), most: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ lose: fc.nat(partitions - 1) }),
)

test('what is taken, and between it what is read, is the log line by line, whoever else appends', () => {
  let taken = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const [log, fresh] = [someLog(), openFreshLines({ epoch, partitionOf })]
      const seen = Array.from({ length: partitions }, () => [] as string[])
      const next = seen.map(() => 0)
      const late: (() => void)[] = []
      const read = (partition: number, most: number) => {
        const [from, end] = [next[partition] ?? 0, log.end(partition)]
        if (from === end) return
        const run = fresh.take(partition, from, end)
        if (run) taken += run.to - from
        next[partition] = run?.to ?? Math.min(end, from + most)
        const lines = run?.lines.map((some) => Buffer.from(some).toString()) ?? log.lines(partition, from, from + most)
        seen[partition]?.push(...lines)
      }
      for (const partition of next.keys()) fresh.follow(partition)
      for (const one of steps) {
        if ('read' in one) read(one.read, one.most)
        else if ('lose' in one) {
          fresh.leave(one.lose)
          fresh.follow(one.lose)
        } else {
          const events = Array.from({ length: one.events }, () => event({ product: "a'b\tc", metadata: { a: '🧦' } }))
          const appended = log.append(events)
          const keep = () => fresh.keep(events, appended)
          if (one.by === 'us late') late.push(keep)
          if (one.by === 'us') for (const told of [keep, ...late.splice(0)]) told()
        }
      }
      for (const partition of next.keys()) while ((next[partition] ?? 0) < log.end(partition)) read(partition, 7)
      for (const [partition, lines] of seen.entries())
        expect(lines.join('')).toBe(log.lines(partition, 0, log.end(partition)).join(''))
    }),
  )
  expect(taken).toBeGreaterThan(200)
})

test('of each workspace the earliest times are told, by which it is seen whether all are kept', () => {
  const fresh = openFreshLines({ epoch, partitionOf: () => 0 })
  fresh.follow(0)
  const times = ['2026-11-29T10:00:00.001Z', '2026-11-28T10:00:00.000Z', '2026-11-29T10:00:00.000Z']
  const events = ['ws_a', 'ws_b'].flatMap((workspace) =>
    times.map((time, i) => event({ workspace, time, received: times.at(-i) ?? time })),
  )
  fresh.keep(events, [{ partition: 0, from: 0, to: events.length }])
  const earliest = ['ws_a', 'ws_b'].map((workspace) => ({ workspace, time: times[1], received: times[1] }))
  expect(fresh.take(0, 0, events.length)?.earliest).toEqual(earliest)
})

test('a run that is short is left to the log where more stands behind it', () => {
  const fresh = openFreshLines({ epoch, partitionOf: () => 0 })
  fresh.follow(0)
  fresh.keep([event()], [{ partition: 0, from: 5, to: 6 }])
  expect(fresh.take(0, 5, 9)).toBeNull()
  fresh.keep([event()], [{ partition: 0, from: 9, to: 10 }])
  expect(fresh.take(0, 9, 10)?.to).toBe(10)
})

test('no more is kept than memory may hold, and what was taken makes room', () => {
  const fresh = openFreshLines({ epoch, partitionOf: () => 0 }, 150_000)
  fresh.follow(0)
  const many = Array.from({ length: 40 }, () => event({ metadata: { note: 'x'.repeat(2_000) } }))
  const kept = (at: number) => fresh.keep(many, [{ partition: 0, from: at, to: at + many.length }])
  for (let i = 0; i < 5; i++) kept(i * many.length)
  let next = 0
  for (let run = fresh.take(0, next, next); run; run = fresh.take(0, next, next)) next = run.to
  expect([many.length * 2, many.length * 3]).toContain(next)
  kept(next)
  expect(fresh.take(0, next, next)?.to).toBe(next + many.length)
})
