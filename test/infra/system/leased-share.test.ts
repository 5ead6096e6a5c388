import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPipeline } from '../../../infra/catalog/postgres.ts'
import { openLeaseTurns } from '../../../infra/system/lease-turns.ts'
import { leasedShare } from '../../../infra/system/leased-share.ts'
import type { Membership } from '../../../transforms/ports.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

// Turns are seconds apart, and late on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

interface Worker {
  readonly pool: Pool
  /** Partitions that it is at work on. */
  readonly at: Set<number>
  readonly errors: unknown[]
  readonly member: Membership
}

let database: TestDatabase
const workers: Worker[] = []
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  for (const { pool, member } of workers.splice(0)) {
    if (pool.ended) continue
    await member.leave()
    await pool.end()
  }
  await database.drop()
})

/** At work by name on whatever it is given. @param atOnce partitions that more than one was at work on */
const atOnce: number[] = []
const working = new Map<number, number>()

function worker(more: (partition: number, signal: AbortSignal) => Promise<void> = async () => {}): Worker {
  const id = randomUUID()
  const pool = openPipeline(database.url, { maxConnections: 1, member: id })
  const lease = { group: 'products', epoch: 1, topic: 't', partitions: 4, member: id }
  const [at, errors] = [new Set<number>(), [] as unknown[]]
  const member = leasedShare(openLeaseTurns(pool), lease, (error) => errors.push(error)).join(
    async (partition, signal) => {
      at.add(partition)
      const others = working.get(partition) ?? 0
      if (others > 0) atOnce.push(partition)
      working.set(partition, others + 1)
      try {
        await more(partition, signal)
        if (!signal.aborted) await once(signal, 'abort')
      } finally {
        at.delete(partition)
        working.set(partition, (working.get(partition) ?? 1) - 1)
      }
    },
  )
  const one = { pool, at, errors, member }
  workers.push(one)
  return one
}

const soon = { timeout: 15_000, interval: 20 }
const share = (...each: Worker[]) => each.map(({ at }) => at.size)

test('alone a worker has every partition; one that joins gets half; when it leaves, the first has all again; none had one at once', async () => {
  const first = worker()
  await vi.waitFor(() => expect(share(first)).toEqual([4]), soon)
  expect(first.member.isMember()).toBe(true)
  const second = worker()
  await vi.waitFor(() => expect(share(first, second)).toEqual([2, 2]), soon)
  const third = worker()
  await vi.waitFor(() => expect(share(first, second, third).toSorted()).toEqual([1, 1, 2]), soon)
  await second.member.leave()
  await third.member.leave()
  await vi.waitFor(() => expect(share(first, second, third)).toEqual([4, 0, 0]), soon)
  expect(atOnce).toEqual([])
  expect([...first.errors, ...second.errors, ...third.errors]).toEqual([])
})

test('of more workers than partitions each has one or none, and those with none wait to take over', async () => {
  const all = Array.from({ length: 5 }, () => worker())
  await vi.waitFor(() => expect(share(...all).toSorted()).toEqual([0, 1, 1, 1, 1]), soon)
  const leaving = all.find(({ at }) => at.size === 1)
  await leaving?.member.leave()
  await vi.waitFor(() => expect(share(...all.filter((one) => one !== leaving))).toEqual([1, 1, 1, 1]), soon)
})

test('work that ends by itself is begun anew, and work that fails is told and begun anew', async () => {
  let begun = 0
  const one = worker(async (partition) => {
    if (partition === 3 && ++begun < 3) throw new Error('the store is away')
  })
  await vi.waitFor(() => expect([begun, one.at.size]).toEqual([3, 4]), soon)
  expect(one.errors).toHaveLength(2)
})

test('a worker whose batch does not end keeps that partition and no other beyond its share', async () => {
  const stuck = Promise.withResolvers<void>()
  const slow = worker(async (partition, signal) => {
    if (!signal.aborted) await once(signal, 'abort')
    if (partition === 3) await stuck.promise
  })
  await vi.waitFor(() => expect(share(slow)).toEqual([4]), soon)
  const other = worker()
  await vi.waitFor(() => expect(share(slow, other)).toEqual([3, 1]), soon)
  stuck.resolve()
  await vi.waitFor(() => expect(share(slow, other)).toEqual([2, 2]), soon)
  expect(atOnce).toEqual([])
})
