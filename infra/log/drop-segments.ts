/** Drops segments of the embedded log that the archive has and that are older than the log need be. */
import type { Pool } from 'pg'
import { inTransaction } from '../catalog/in-transaction.ts'
import { closeSegment } from './close-segment.ts'

/** What was in the open one for as long as that goes with it. */
export async function closeOldSegment(pool: Pool, days: number): Promise<void> {
  const { rows } = await pool.query<{ old: boolean }>(
    'select min(opened_at) < now() - make_interval(days => $1) as old from log_segment where closed_at is null',
    [days],
  )
  if (rows[0]?.old) await closeSegment(pool)
}

/**
 * Segments are closed in order, so what is kept stays without a hole: one that cannot go yet holds those after it. All epochs of the
 * embedded log stand in its tables one behind the other, so an offset is one of them, and files of any of them have it.
 */
const retireSql = `
  with judged as (
    select segment, bool_and(indexed_at is not null and not exists (
             select from log l where l.segment = s.segment and l.n > coalesce((
               select sum(least(a.to_offset, l.base_offset + l.n) - greatest(a.from_offset, l.base_offset))
                 from log_archive a
                where a.epoch = any (array(select epoch from log_epoch where engine = 'postgres'))
                  and a.topic = l.topic and a.partition = l.partition and a.kept_at is not null
                  and a.from_offset < l.base_offset + l.n and a.to_offset > l.base_offset), 0))) over (order by segment) as may_go
      from log_segment s
     where retired_at is null and closed_at < now() - make_interval(days => $1))
  update log_segment set retired_at = now() where segment in (select segment from judged where may_go)`

/** From now on the log says that it begins behind them. @param days since the segment was closed @returns how many */
export async function retireSegments(pool: Pool, days: number): Promise<number> {
  const { rowCount } = await pool.query(retireSql, [days])
  return rowCount ?? 0
}

/** Longer than anyone reads who began before: what still does is told, and begins again (`read-keys.ts`). */
const graceMinutes = 60
const lockNotAvailable = '55P03'

/** @returns the segments that have gone; one that someone has locked is left for the next time */
export async function dropSegments(pool: Pool, afterMinutes = graceMinutes): Promise<number[]> {
  const { rows } = await pool.query<{ segment: number }>(
    'select segment from log_segment where retired_at <= now() - make_interval(mins => $1) order by segment',
    [afterMinutes],
  )
  const dropped: number[] = []
  for (const { segment } of rows) {
    if (!(await dropOne(pool, segment))) break
    dropped.push(segment)
  }
  // Their index goes after them, with what a process that died here has left: nobody looks there for a segment that is not listed.
  if (dropped.length > 0) await pool.query('delete from log_key where segment < (select min(segment) from log_segment)')
  return dropped
}

/** Readers wait while this waits, so it does not wait long. */
async function dropOne(pool: Pool, segment: number): Promise<boolean> {
  try {
    await inTransaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = '500ms'`)
      const { rowCount } = await tx.query('delete from log_segment where segment = $1', [segment])
      // Another process was faster.
      if (rowCount === 1) await tx.query(`drop table log_${segment}`)
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return false
    throw error
  }
}
