/** Which event store the positions of its consumer are about, and whether it has what they say. */
import type { Pool } from 'pg'
import { sinkPlaces } from './advance-position.ts'
import { inTransaction } from './in-transaction.ts'

type Place = Awaited<ReturnType<typeof sinkPlaces>>[number]

/** What a store says of itself. */
export interface Told {
  identity(): Promise<string>
  /** How far the log stands in it; null where it is from before it kept that. */
  passed(): Promise<readonly Place[] | null>
  pass(places: readonly Place[]): Promise<void>
}

/** Whether anything was ever written there. */
export async function hasWritten(pool: Pool, group: string): Promise<boolean> {
  const sql = 'select from sink_position where consumer_group = $1 and next_offset > 0 limit 1'
  return (await pool.query(sql, [group])).rowCount === 1
}

/**
 * Another store than before has nothing of what was written, and an earlier copy of it not all: its consumer begins where the store
 * ends, in every epoch, and who has such a partition loses it.
 * @returns whether any position went back
 */
export async function matchStore(pool: Pool, group: string, topic: string, store: Told): Promise<boolean> {
  const known = await knowStore(pool, group, await store.identity())
  if (known === 'another') return true
  // First of all: a block is told to the store before its position moves, so that none is behind that is only being written.
  const positions = await sinkPlaces(pool, group, topic)
  const passed = await store.passed()
  // All that was passed until there was any store had nothing for it.
  if (passed === null || known === 'first') {
    await store.pass(positions)
    return false
  }
  const ends = new Map(passed.map(({ epoch, partition, next }) => [`${epoch}:${partition}`, next]))
  const behind = positions.flatMap(({ next, ...one }) => {
    const end = ends.get(`${one.epoch}:${one.partition}`) ?? 0
    return end < next ? [{ ...one, end, next }] : []
  })
  let moved = 0
  for (const { epoch, partition, end, next } of behind) {
    const { rowCount } = await pool.query(
      `update sink_position s set owner_epoch = s.owner_epoch + 1, next_offset = greatest($5, ${beginSql})
        where consumer_group = $1 and topic = $2 and epoch = $3 and partition = $4 and next_offset >= $6
          and next_offset > greatest($5, ${beginSql})`,
      [group, topic, epoch, partition, end, next],
    )
    moved += rowCount ?? 0
  }
  return moved > 0
}

/** Where each epoch begins: what stands before that in the same partition is another's, and a position before it would count as lag. */
const beginSql =
  'coalesce((select (e.begins -> s.topic ->> s.partition)::bigint from log_epoch e where e.epoch = s.epoch), 0)'

function knowStore(pool: Pool, group: string, id: string): Promise<'first' | 'same' | 'another'> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ known: string; isFirst: boolean }>(
      `insert into event_store as s (id) values ($1) on conflict (one) do update set one = s.one returning id as known, xmax = 0 as "isFirst"`,
      [id],
    )
    if (rows[0]?.isFirst) return 'first'
    if (rows[0]?.known === id) return 'same'
    await tx.query('update event_store set id = $1', [id])
    const anew = `update sink_position s set owner_epoch = s.owner_epoch + 1, next_offset = ${beginSql} where s.consumer_group = $1`
    await tx.query(anew, [group])
    return 'another'
  })
}
