/** Puts pending weights in force, builds their ranks beside the former ones, and takes those away in steps. */
import type { Pool } from 'pg'
import { flipWeights } from './flip-weights.ts'
import { inTransaction } from './in-transaction.ts'
import { lockRank, scoreSql } from './rank-sql.ts'
import { isUniqueViolation } from './sql-errors.ts'

/** At about 400,000 rows a second: who follows ranks waits a tenth of a second for each. */
const chunkRows = 50_000
const sweepRows = 20_000

const chunkSql = (onConflict: string) => `
  with part as (
    select catalog_id, product_id, workspace_id, brand_id, s1, s2, s3, s4, s5, s6, s7 from product_score s
     where s.catalog_id = $1 and s.product_id > $2 order by s.product_id limit ${chunkRows}),
  built as (
    insert into product_rank (catalog_id, product_id, workspace_id, brand_id, score, weights_number)
    select s.catalog_id, s.product_id, s.workspace_id, s.brand_id, ${scoreSql}, v.number
      from part s join weights_version v on v.workspace_id = s.workspace_id and v.number = $3 ${onConflict})
  select product_id as last from part order by product_id desc limit 1`

/** Twice as fast, and right for nearly all chunks: few have ranks already, from who follows or from a build that was cut off. */
const plainSql = chunkSql('')
const knownSql = chunkSql('on conflict (catalog_id, weights_number, product_id) do nothing')

/** See `startWhenDue`. */
export const areWeightsDue = `exists (
  select from workspace where weights_pending is not null or rank_sweep or rank_number <> weights_number and deleted_at is null)`

/**
 * DESIGN 5.8 flips when the ranks are built, which took 11.7 s for a million products on two cores; the score is a formula over
 * `product_score`, so all that needs ranks is a list by score, and that is sorted at reading until they are there.
 * Work that was cut off is done again; what is there already is left.
 * @returns whether there may be more to do
 */
export async function reweigh(pool: Pool): Promise<boolean> {
  await flipWeights(pool)
  const { rows } = await pool.query<{ workspace: string; number: number }>(
    `select workspace_id as workspace, weights_number as number from workspace
      where rank_number <> weights_number and deleted_at is null`,
  )
  for (const { workspace, number } of rows) {
    for (const catalog of await catalogsOf(pool, workspace)) {
      const first = '00000000-0000-0000-0000-000000000000'
      for (let after: string | null = first; after !== null; ) {
        after = await buildChunk(pool, workspace, catalog, after, number)
        // Nobody's new weights wait for another workspace's million.
        await flipWeights(pool)
      }
    }
    await pool.query(
      'update workspace set rank_number = $2, rank_sweep = true where workspace_id = $1 and weights_number = $2',
      [workspace, number],
    )
  }
  return (await sweep(pool)) || rows.length > 0
}

async function catalogsOf(pool: Pool, workspace: string): Promise<string[]> {
  const sql = 'select catalog_id as id from catalog where workspace_id = $1 order by 1'
  return (await pool.query<{ id: string }>(sql, [workspace])).rows.map(({ id }) => id)
}

/** @returns the last product of the chunk; null where none was left, or other weights are in force by now */
async function buildChunk(pool: Pool, ...chunk: Chunk): Promise<string | null> {
  try {
    return await writeChunk(pool, plainSql, ...chunk)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return writeChunk(pool, knownSql, ...chunk)
  }
}

type Chunk = [workspace: string, catalog: string, after: string, number: number]

const writeChunk = (pool: Pool, sql: string, ...[workspace, catalog, after, number]: Chunk) =>
  inTransaction(pool, async (tx): Promise<string | null> => {
    await tx.query(lockRank)
    // Before a table has statistics the planner would gather and sort the whole rest of the catalog for every chunk.
    await tx.query('set local enable_bitmapscan = off; set local enable_seqscan = off')
    const inForce = await tx.query('select from workspace where workspace_id = $1 and weights_number = $2', [
      workspace,
      number,
    ])
    if (inForce.rowCount === 0) return null
    const { rows } = await tx.query<{ last: string }>(sql, [catalog, after, number])
    return rows[0]?.last ?? null
  })

const sweepSql = `
  delete from product_rank where ctid = any (array(
    select r.ctid from product_rank r join workspace w on w.workspace_id = $1
     where r.catalog_id = $2 and r.weights_number not in (w.weights_number, w.rank_number)
     limit ${sweepRows}))`

/** One step of each workspace that has ranks of former weights. */
async function sweep(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ id: string }>('select workspace_id as id from workspace where rank_sweep')
  for (const { id } of rows) {
    let gone = 0
    for (const catalog of await catalogsOf(pool, id)) gone += (await pool.query(sweepSql, [id, catalog])).rowCount ?? 0
    if (gone === 0) await pool.query('update workspace set rank_sweep = false where workspace_id = $1', [id])
  }
  return rows.length > 0
}
