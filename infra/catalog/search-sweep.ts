/** Removes segments of the index that nobody reads any more, in bounded steps. */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { forgetWords } from './search-words.ts'

const stepRows = 5_000
const endless = '9223372036854775807'

/** Who goes on from a cursor keeps to the segments of its first page: so long they are there. */
export const cursorMinutes = 60

const ended = `search_segment where ended_at < now() - interval '${cursorMinutes} minutes'`

/** See `DueWork`. */
export const areSegmentsEnded = `exists (select from ${ended})`

/** @returns whether there may be more to do */
export async function sweepSegments(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: number; catalog: string }>(
      `select segment_id as id, catalog_id as catalog from ${ended} order by ended_at limit 1 for update skip locked`,
    )
    const [first] = rows
    if (!first) return false
    const { id, catalog } = first
    if (await forgetWords(tx, catalog, id)) return true
    for (const table of ['search_posting', 'search_column', 'search_document']) {
      const { rowCount } = await tx.query(
        `delete from ${table} where ctid = any (array(select ctid from ${table} where segment_id = $1 limit ${stepRows}))`,
        [id],
      )
      if ((rowCount ?? 0) > 0) return true
    }
    await tx.query('delete from search_segment where segment_id = $1', [id])
    return true
  })
}

/** What a version that is taken back has ended stands again, and what it has written is nobody's. @returns whether there is more to do */
export async function takeBackIndex(tx: PoolClient, catalog: string, version: number): Promise<boolean> {
  const open = await tx.query(
    `update search_document set ended_at = ${endless} where ctid = any (array(
       select ctid from search_document where catalog_id = $1 and ended_at = $2 limit ${stepRows}))`,
    [catalog, version],
  )
  if ((open.rowCount ?? 0) > 0) return true
  await tx.query(
    `update search_segment set until = 0, ended_at = '-infinity' where catalog_id = $1 and born = $2 and ended_at is null`,
    [catalog, version],
  )
  return false
}
