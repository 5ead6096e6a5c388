import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { openPipeline } from '../../../infra/catalog/postgres.ts'
import { openLeaseTurns } from '../../../infra/system/lease-turns.ts'
import { freshDatabase } from '../../harness.ts'

test('leases of one process have a turn at once, and then all of them in one statement a second', async () => {
  const database = await freshDatabase()
  const member = randomUUID()
  const pool = openPipeline(database.url, { maxConnections: 1, member })
  const asked = vi.spyOn(pool, 'query')
  const turns = openLeaseTurns(pool)
  const had = new Map<string, number>()
  const groups = ['products', 'events', 'inbound']
  const fail = (error: unknown) => {
    throw error
  }
  try {
    const stops = groups.map((group, i) =>
      turns.take(
        { group, epoch: 0, topic: 't', partitions: i + 1, member },
        ({ share, held }) => {
          expect({ group, share, held }).toEqual({ group, share: i + 1, held: [0, 1, 2].slice(0, i + 1) })
          had.set(group, (had.get(group) ?? 0) + 1)
        },
        fail,
      ),
    )
    const turnsOf = () => groups.map((group) => had.get(group) ?? 0)
    await vi.waitFor(() => expect(turnsOf()).toEqual([1, 1, 1]), { timeout: 900, interval: 5 })
    await vi.waitFor(() => expect(Math.min(...turnsOf())).toBe(3), { timeout: 10_000, interval: 5 })
    expect(asked.mock.calls.length).toBe(groups.length + 2)
    // Who has left has none.
    await stops.pop()?.()
    const [, , left] = turnsOf()
    await vi.waitFor(() => expect(turnsOf()[0]).toBe(4), { timeout: 10_000, interval: 5 })
    expect(turnsOf()[2]).toBe(left)
    await Promise.all(stops.map((stop) => stop()))
  } finally {
    await pool.end()
    await database.drop()
  }
})
