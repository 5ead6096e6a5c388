/** Removes lines of feeds that nobody can read any more, in bounded steps; and says which feeds have lines yet to be made. */
import type { Pool } from 'pg'
import { configColumns, type FeedConfig } from './feed-configs.ts'
import { inTransaction } from './in-transaction.ts'

const stepRows = 5_000
const rounds = 1_000_000

/** Of feeds that were read lately, lines are made when a version is published, and not only when somebody reads. */
const behind = `
  from feed_fill f join feed_config c on c.config_id = f.config_id join catalog g on g.catalog_id = c.catalog_id
 where c.retired_at is null and g.deleted_at is null and f.read_at > now() - interval '2 days'
   and (f.edition is null or f.edition < g.published_version * ${rounds})`

/** See \`startWhenDue\`. */
export const areFeedsDue = `exists (select ${behind})`

export async function feedsBehind(pool: Pool): Promise<FeedConfig[]> {
  return (await pool.query<FeedConfig>(`select ${configColumns} ${behind} order by f.read_at desc limit 100`)).rows
}

/** What has not been read for this long is made anew, should somebody come. */
export async function retireUnread(pool: Pool, days: number): Promise<void> {
  await pool.query(
    `update feed_config c set retired_at = now() from feed_fill f
      where f.config_id = c.config_id and c.retired_at is null and f.read_at < now() - $1 * interval '1 day'`,
    [days],
  )
}

/** Ended by a version whose forerunners are all gone, or the mark of a product that went by then. */
const endedSql = `
  delete from feed_line where ctid = any (array(
    select l.ctid from feed_config c
     cross join lateral (select min(version) * ${rounds} as kept from publish where catalog_id = c.catalog_id and state = 'published') k
     cross join lateral (
       (select ctid from feed_line where config_id = c.config_id and valid_to < 9223372036854775807 and valid_to <= k.kept limit ${stepRows})
       union all
       (select ctid from feed_line where config_id = c.config_id and not ok and problems is null and valid_from <= k.kept limit ${stepRows})) l
     limit ${stepRows}))`

/** @returns whether there may be more to do */
export async function sweepFeedLines(pool: Pool): Promise<boolean> {
  const ended = await pool.query(endedSql)
  if ((ended.rowCount ?? 0) > 0) return true
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(
      'select config_id as id from feed_config where retired_at is not null limit 1 for update skip locked',
    )
    const [one] = rows
    if (!one) return false
    const gone = await tx.query(
      `delete from feed_line where ctid = any (array(select ctid from feed_line where config_id = $1 limit ${stepRows}))`,
      [one.id],
    )
    if ((gone.rowCount ?? 0) > 0) return true
    await tx.query('delete from feed_fill where config_id = $1', [one.id])
    await tx.query('delete from feed_config where config_id = $1', [one.id])
    return true
  })
}
