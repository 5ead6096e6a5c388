import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { type EmbeddedEvents, embeddedEvents } from '../../../infra/events/embedded.ts'
import { applyMigrations } from '../../../infra/events/migrate.ts'
import { placeOf, upToBound, upToSql } from '../../../infra/events/place.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { eventLines } from '../../event-lines.ts'

const limits = { seconds: 10, memoryBytes: 2e9 }

let folder: string
let embedded: EmbeddedEvents
let store: EventStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  embedded = embeddedEvents(join(folder, 'events'))
  store = clickhouseEvents(embedded.address, embedded)
})
afterAll(async () => {
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Past the client, which lets questions write nothing. */
async function run(on: EmbeddedEvents, statement: string): Promise<string> {
  const { origin, username, password } = new URL(await on.address())
  const authorization = `Basic ${Buffer.from(`${username}:${decodeURIComponent(password)}`).toString('base64')}`
  const answer = await fetch(origin, { method: 'POST', body: statement, headers: { authorization } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text.trim()
}

const event = (more: Partial<AgentEvent> = {}): AgentEvent => ({
  ...{ v: 1, id: randomUUID(), type: 'order', time: '2026-11-20T10:00:00.123Z', received: '2026-11-20T10:00:01.000Z' },
  ...{ workspace: 'ws_one', brand: randomUUID() },
  ...more,
})

const put = (one: AgentEvent, epoch: number, partition: number, offset: number) =>
  store.insert(eventLines([one], placeOf(epoch, partition, offset)), randomUUID())

const countSql = `select count() as n, ifNull(sum(amount), 0) as sum from events final where brand = {brand:UUID} and ${upToSql}`
async function upTo(brand: string, ...passed: readonly (readonly [epoch: number, partition: number, next: number])[]) {
  const places = passed.map(([epoch, partition, next]) => ({ epoch, partition, next }))
  const { rows } = await store.ask<{ n: string; sum: string }>(countSql, { brand, ...upToBound(places) }, limits)
  return rows.map(({ n, sum }) => [Number(n), Number(sum)])[0]
}

test('a rank falls by one from place to place, and all of an epoch are below those of the one before', () => {
  const offset = fc
    .oneof(fc.nat(100), fc.constantFrom(3_709_551_614, 3_709_551_615, 3_709_551_616, 1e10), fc.maxSafeNat())
    .map((one) => one % 2 ** 48)
  fc.assert(
    fc.property(fc.nat(0xffff), offset, (epoch, offset) => {
      const expected = 2n ** 64n - 1n - ((BigInt(epoch) << 48n) | BigInt(offset))
      expect(BigInt(placeOf(epoch, 0, offset).rank)).toBe(expected)
    }),
  )
})

test('a question up to a place counts what stands before it, in each partition and epoch, whatever comes later', async () => {
  const brand = randomUUID()
  for (const [epoch, partition, offset] of [
    [1, 0, 0],
    [1, 0, 1],
    [1, 3, 2 ** 40],
    [2, 0, 0],
  ] as const)
    await put(event({ brand }), epoch, partition, offset)
  expect(await upTo(brand)).toEqual([0, 0])
  expect(await upTo(brand, [1, 0, 1])).toEqual([1, 0])
  expect(await upTo(brand, [1, 0, 2], [1, 3, 2 ** 40])).toEqual([2, 0])
  expect(await upTo(brand, [1, 0, 2], [1, 3, 2 ** 40 + 1], [2, 0, 0])).toEqual([3, 0])
  expect(await upTo(brand, [1, 0, 2], [1, 3, 2 ** 40 + 1], [2, 0, 1])).toEqual([4, 0])
})

test('a copy that comes later takes no event out of a snapshot, and changes nothing in it, before and after merges', async () => {
  const brand = randomUUID()
  const first = event({ brand, numbers: { amount: '10' } })
  await put(first, 1, 0, 5)
  const copy = { ...first, received: '2026-11-20T11:00:00.000Z', numbers: { amount: '99' } }
  await put(copy, 1, 0, 50)
  await put(copy, 2, 1, 0)
  const seen = async () => [await upTo(brand, [1, 0, 6]), await upTo(brand, [1, 0, 51], [2, 1, 1])]
  expect(await seen()).toEqual([
    [1, 10],
    [1, 10],
  ])
  await run(embedded, 'optimize table events final')
  expect(await run(embedded, `select count() from events where brand = '${brand}'`)).toBe('1')
  expect(await seen()).toEqual([
    [1, 10],
    [1, 10],
  ])
})

test('a store from before there were places is brought to them with all that is in it, wherever that breaks off', async () => {
  const old = embeddedEvents(join(folder, 'old'))
  const files = await readdir('infra/events/migrations')
  const brand = randomUUID()
  const count = () => run(old, `select count() from events final where brand = '${brand}'`)

  /** One file's statements, the first few of them. */
  async function apply(only: string, most = Number.POSITIVE_INFINITY): Promise<void> {
    let left = most
    const command = async (statement: string) => {
      if (/assay_migration/.test(statement) || left-- <= 0) return
      await run(old, statement)
    }
    const partitions = async (table: string) =>
      (await run(old, `select distinct _partition_id from ${table} order by _partition_id`)).split('\n').filter(Boolean)
    await applyMigrations({ command, names: async () => files.filter((name) => name !== only), partitions })
  }

  try {
    await apply('001-events.sql')
    await run(
      old,
      `insert into events (workspace, brand, time, id, type) select 'ws_one', '${brand}', now64(3), generateUUIDv4(), 'order' from numbers(1000)`,
    )
    // Of another month, which is copied by a statement of its own.
    await run(
      old,
      `insert into events (workspace, brand, time, id, type) select 'ws_one', '${brand}', now64(3) - interval 40 day, generateUUIDv4(), 'order' from numbers(10)`,
    )
    // What a later Assay had added stays.
    await run(old, `alter table events add column later String default 'kept'`)
    for (let most = 0; most <= 7; most++) {
      await apply('004-places.sql', most)
      expect([most, await count()]).toEqual([most, '1010'])
    }
    await apply('004-places.sql')
    const placed = `later = 'kept' and log_stream = 0 and log_rank = 18446744073709551615`
    expect(await run(old, `select count() from events final where ${placed}`)).toBe('1010')
    expect(await run(old, "select count() from system.tables where name = 'events_placed'")).toBe('0')
    expect(await run(old, 'show create table events')).toMatch(
      /ReplacingMergeTree\(log_rank\)[\s\S]*deduplication_window/,
    )
  } finally {
    await old.close()
  }
})
