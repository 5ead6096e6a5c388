/** Closes the log's open segment and builds its key index, so that reading by product stays cheap and a segment can be dropped. */
import type { Pool } from 'pg'
import { copyRows } from '../catalog/copy.ts'
import { inTransaction } from '../catalog/in-transaction.ts'
import { readUuid } from '../uuid.ts'
import { keyBytes } from './batch.ts'
import { scanKeys } from './read-keys.ts'

const columns = [
  { name: 'segment', type: 'int4' },
  { name: 'topic', type: 'text' },
  { name: 'product_id', type: 'uuid' },
  { name: 'partition', type: 'int4' },
  { name: 'base_offset', type: 'int8' },
] as const

/** About a million product records, compressed. */
const fullBytes = 256 * 1024 * 1024

export async function segmentIsFull(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ full: boolean }>(
    `select pg_total_relation_size(format('log_%s', max(segment))::regclass) >= $1 as full
       from log_segment where closed_at is null`,
    [fullBytes],
  )
  return rows[0]?.full === true
}

/**
 * Also indexes what an earlier call closed and did not live to index.
 * @returns the segment it closed, null where the open one is empty
 */
export async function closeSegment(pool: Pool): Promise<number | null> {
  const closed = await switchSegment(pool)
  const { rows } = await pool.query<{ segment: number }>(
    'select segment from log_segment where closed_at is not null and indexed_at is null order by segment',
  )
  for (const { segment } of rows) await buildIndex(pool, segment)
  return closed
}

/** `log_append` holds the shared lock until its transaction ends: with the lock, no append to the old segment is under way. */
async function switchSegment(pool: Pool): Promise<number | null> {
  return inTransaction(pool, async (tx) => {
    await tx.query('lock table log_segment in share row exclusive mode')
    const { rows } = await tx.query<{ open: number }>(
      'select max(segment) as open from log_segment where closed_at is null',
    )
    const open = rows[0]?.open ?? 0
    const { rowCount } = await tx.query('select from log where segment = $1 limit 1', [open])
    if (rowCount === 0) return null
    // Attaching, unlike making it as a partition, lets reads and appends go on.
    await tx.query(`create table log_${open + 1} (like log including storage)`)
    await tx.query(`alter table log attach partition log_${open + 1} for values in (${open + 1})`)
    await tx.query('select pg_advisory_xact_lock(1634956409, 2)')
    await tx.query('update log_segment set closed_at = now() where segment = $1', [open])
    await tx.query('insert into log_segment (segment) values ($1)', [open + 1])
    return open
  })
}

async function buildIndex(pool: Pool, segment: number): Promise<void> {
  const { rows } = await pool.query<{ topic: string; partition: number }>('select topic, partition from log_counter')
  await inTransaction(pool, async (tx) => {
    // Another process may be at it: the second waits here and finds nothing to do.
    const { rowCount } = await tx.query(
      'select from log_segment where segment = $1 and indexed_at is null for update',
      [segment],
    )
    if (rowCount === 0) return
    for (const { topic, partition } of rows) {
      for await (const { base, n, keys } of scanKeys(pool, topic, partition, [segment])) {
        const distinct = new Set<string>()
        for (let i = 0; i < n; i++) distinct.add(readUuid(keys, i * keyBytes))
        const lines = [...distinct].sort().map((key) => [segment, topic, key, partition, base])
        await copyRows(tx, 'log_key', columns, lines)
      }
    }
    await tx.query('update log_segment set indexed_at = now() where segment = $1', [segment])
  })
}
