import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advancePosition, claimPosition } from '../../../infra/catalog/advance-position.ts'
import { inTransaction } from '../../../infra/catalog/in-transaction.ts'
import { openPipeline } from '../../../infra/catalog/postgres.ts'
import { giveBack, type Lease, leaveGroup, type Share, takeShares } from '../../../infra/catalog/share-queries.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let watcher: Member
const members: Member[] = []
beforeAll(async () => {
  database = await freshDatabase()
  watcher = member('watchers', 1)
})
afterAll(async () => {
  await Promise.all(members.map(({ pool }) => pool.ended || pool.end()))
  await database.drop()
})

interface Member {
  readonly pool: Pool
  readonly lease: Lease
  held: readonly number[]
  share: number
}

function member(group: string, partitions: number): Member {
  const id = randomUUID()
  const pool = openPipeline(database.url, { maxConnections: 2, member: id })
  const one = { pool, lease: { group, epoch: 1, topic: 't', partitions, member: id }, held: [], share: 0 }
  members.push(one)
  return one
}

/** A turn in one group. */
async function takeShare(pool: Pool, lease: Lease, silentMs: number): Promise<Share> {
  const [share] = await takeShares(pool, [lease], silentMs)
  if (!share) throw new Error('no share was told')
  return share
}

/** A turn as a worker has it that ends its work at once. */
async function turn(one: Member, silentMs = 60_000): Promise<void> {
  const { share, held } = await takeShare(one.pool, one.lease, silentMs)
  await giveBack(one.pool, one.lease, held.slice(share))
  Object.assign(one, { share, held: held.slice(0, share) })
}

const leave = (one: Member) => leaveGroup(one.pool, one.lease).then(() => one.pool.end())
/** The server ends a session a moment after its client has gone. */
const kill = async (one: Member) => {
  await one.pool.end()
  const sql = 'select from pg_stat_activity where right(application_name, 36) = $1'
  while ((await watcher.pool.query(sql, [one.lease.member])).rowCount) await sleep(5)
}

test('whoever joins, leaves and dies: after two turns each the living have every partition once, and equal shares', async () => {
  const steps = fc.array(fc.constantFrom('join', 'leave', 'kill'), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), steps, async (partitions, order) => {
      const group = randomUUID()
      const living = [member(group, partitions)]
      for (const step of order) {
        if (step === 'join') living.push(member(group, partitions))
        else if (living.length > 1)
          await (step === 'leave' ? leave : kill)(living.splice(living.length >> 1, 1)[0] as Member)
        for (const one of living) await turn(one)
      }
      for (let round = 0; round < 2; round++) for (const one of living) await turn(one)
      const held = living.flatMap((one) => one.held)
      expect(held.toSorted((a, b) => a - b)).toEqual(Array.from({ length: partitions }, (_, i) => i))
      const sizes = living.map((one) => one.held.length)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      for (const one of living) await leave(one)
    }),
    { numRuns: 12 },
  )
})

test('what one has more than its share stays its own until it gives it back', async () => {
  const group = randomUUID()
  const [first, second] = [member(group, 4), member(group, 4)]
  await turn(first)
  await takeShare(second.pool, second.lease, 60_000)
  expect(await takeShare(first.pool, first.lease, 60_000)).toEqual({ share: 2, held: [0, 1, 2, 3] })
  expect(await takeShare(second.pool, second.lease, 60_000)).toEqual({ share: 2, held: [] })
  await giveBack(first.pool, first.lease, [2, 3])
  expect(await takeShare(second.pool, second.lease, 60_000)).toEqual({ share: 2, held: [2, 3] })
})

test('a partition is claimed by who leases it and by nobody else', async () => {
  const group = randomUUID()
  const [first, second] = [member(group, 1), member(group, 1)]
  await turn(first)
  await turn(second)
  const claim = (one: Member) => claimPosition(one.pool, group, 1, 't', 0, one.lease.member)
  expect(await claim(second)).toBeNull()
  const mine = await claim(first)
  expect(mine).toMatchObject({ nextOffset: 0 })
  await leave(first)
  await turn(second)
  const theirs = await claim(second)
  expect(theirs?.ownerEpoch).toBeGreaterThan(mine?.ownerEpoch ?? 0)
})

test('who falls silent in the middle of a commit holds nothing up: its sessions are ended and it commits nothing (KF-46)', async () => {
  const group = randomUUID()
  const [silent, other] = [member(group, 2), member(group, 2)]
  await turn(silent)
  const claimed = await claimPosition(silent.pool, group, 1, 't', 0, silent.lease.member)
  const stopped = Promise.withResolvers<void>()
  const moved = Promise.withResolvers<boolean>()
  const claim = { group, epoch: 1, topic: 't', partition: 0, ownerEpoch: claimed?.ownerEpoch ?? -1 }
  const commit = inTransaction(silent.pool, async (tx) => {
    moved.resolve(await advancePosition(tx, claim, 0, 10))
    await stopped.promise
  })
  expect(await moved.promise).toBe(true)
  await turn(other)
  expect(other.held).toEqual([])
  await sleep(30)
  await turn(other, 20)
  expect(other.held).toEqual([0, 1])
  stopped.resolve()
  await expect(commit).rejects.toThrow()
  expect(await claimPosition(other.pool, group, 1, 't', 0, other.lease.member)).toMatchObject({ nextOffset: 0 })
  await turn(silent)
  expect(silent.held).toEqual([])
})
