import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clickhouseEvents } from '../../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../../infra/events/embedded.ts'
import { expireEvents } from '../../../infra/events/expire.ts'
import type { EventStore } from '../../../infra/events/port.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { eventLines } from '../../event-lines.ts'

let folder: string
let store: EventStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-expire-'))
  const embedded = embeddedEvents(join(folder, 'events'))
  store = clickhouseEvents(embedded.address, embedded)
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const dayMs = 86_400_000
const start = Date.UTC(2026, 10, 20, 15)
const at = (days: number) => new Date(start + days * dayMs)
const many = Array.from({ length: 450 }, (_, i) => `ws_many${i}`)

async function daysOf(): Promise<Record<string, number[]>> {
  const sql = `select workspace, groupArray(dateDiff('day', time, toDateTime64({now:String}, 3, 'UTC'), 'UTC')) as days
    from (select workspace, time from events final order by workspace, time desc) group by workspace`
  const bound = { now: '2026-11-20 15:00:00.000' }
  const { rows } = await store.ask<{ workspace: string; days: string[] }>(sql, bound, { seconds: 10, memoryBytes: 1e9 })
  return Object.fromEntries(rows.map(({ workspace, days }) => [workspace, days.map(Number)]))
}

const insert = (workspace: string, ...days: number[]) =>
  days.map((ago): AgentEvent => {
    const time = at(-ago).toISOString()
    return { v: 1, id: randomUUID(), type: 'order', time, received: time, workspace, brand: randomUUID() }
  })

test('each workspace keeps its events for its own time, by a clock that goes on', async () => {
  const rows = [
    ...insert('ws_usual', 1, 399, 400, 401, 500),
    ...insert('ws_short', 0, 1, 7, 8, 40),
    ...insert('ws_long', 1, 401, 900),
    ...many.flatMap((name) => insert(name, 3, 4)),
  ]
  await store.insert(eventLines(rows), 'all')
  const own = new Map<string, number>([
    ['ws_short', 7],
    ['ws_long', 800],
    ...many.map((name) => [name, 3] as [string, number]),
  ])
  await expireEvents(store, own, at(0))
  const { ws_usual, ws_short, ws_long, ...others } = await daysOf()
  expect({ ws_usual, ws_short, ws_long }).toEqual({
    ...{ ws_usual: [1, 399, 400], ws_short: [0, 1, 7], ws_long: [1, 401] },
  })
  expect(Object.values(others)).toEqual(many.map(() => [3]))

  await expireEvents(store, own, at(1))
  expect((await daysOf()).ws_short).toEqual([0, 1])
  own.set('ws_usual', 30)
  await expireEvents(store, own, at(1))
  expect((await daysOf()).ws_usual).toEqual([1])
})

test('nothing is written anew where there is nothing to remove', async () => {
  await store.insert(eventLines(insert('ws_idle', 5, 20)), 'idle')
  const removed: string[] = []
  const watched = {
    ask: store.ask,
    remove: async (workspaces: readonly string[], before: Date) => {
      removed.push(...workspaces)
      await store.remove(workspaces, before)
    },
  }
  const own = new Map([...many.map((name) => [name, 3] as const), ['ws_idle', 7], ['ws_long', 800]])
  await expireEvents(watched, own, at(0))
  expect(removed).toEqual(['ws_idle'])
  await expireEvents(watched, own, at(0))
  expect(removed).toEqual(['ws_idle'])
})
