/** Brings the sorted lists of a catalog up to date after a big import: in order of keys, not product by product. */
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from './in-transaction.ts'
import { scoreSql, shareRank } from './rank-sql.ts'
import { isUniqueViolation } from './sql-errors.ts'

/** 300,000 products take 8 s so, and 24 s product by product. */
const chunkRows = 50_000
const leastProducts = 50_000
/** Where fewer than this share of a catalog is due, the rest is not worth a look. */
const leastShare = 0.1

export interface Behind {
  readonly catalog: string
  /** The due rows that a walk through the catalog settles. */
  readonly due: readonly string[]
}

/** Sizes are read of the rows' heads: an id takes 16 bytes. */
const behindSql = `
  select d.catalog_id as catalog, array_agg(d.due_id) as due, sum(pg_column_size(d.product_ids)) / 16 as products
    from rank_due d
   where not exists (select from import i where i.catalog_id = d.catalog_id and i.state in ('appending', 'settling'))
   group by d.catalog_id having sum(pg_column_size(d.product_ids)) / 16 >= $1
   order by d.catalog_id limit 1`

/** @returns a catalog that is so far behind that walking through all of it is the shorter way */
export async function farBehind(pool: Pool): Promise<Behind | null> {
  const { rows } = await pool.query<Behind & { products: number }>(behindSql, [leastProducts])
  const [found] = rows
  if (!found) return null
  const most = Math.ceil(found.products / leastShare)
  const { rowCount } = await pool.query('select from product_score where catalog_id = $1 offset $2 limit 1', [
    found.catalog,
    most,
  ])
  return rowCount === 0 ? found : null
}

const numbers = `
  select v.number, v.w from catalog c join workspace w using (workspace_id)
    join weights_version v on v.workspace_id = w.workspace_id and v.number in (w.weights_number, w.rank_number)
   where c.catalog_id = $1`
const within = (row: string) =>
  `${row}.catalog_id = $1 and ${row}.product_id > $2 and ($3::uuid is null or ${row}.product_id <= $3)`

const rankSql = `
  insert into product_rank (catalog_id, product_id, workspace_id, brand_id, score, weights_number)
  select s.catalog_id, s.product_id, s.workspace_id, s.brand_id, ${scoreSql}, v.number
    from product_score s, (${numbers}) v where ${within('s')} order by v.number, s.product_id`
const rankKnown = `on conflict (catalog_id, weights_number, product_id) do update set score = excluded.score
   where product_rank.score <> excluded.score`
const rankGoneSql = `
  delete from product_rank r using (${numbers}) v
   where r.weights_number = v.number and ${within('r')}
     and not exists (select from product_score s where s.catalog_id = $1 and s.product_id = r.product_id)`

const recentSql = `
  insert into product_recent (catalog_id, product_id, workspace_id, brand_id, updated_at)
  select p.catalog_id, p.product_id, p.workspace_id, p.brand_id, p.updated_at
    from products p where ${within('p')} and p.alive order by p.product_id`
const recentKnown = `on conflict (catalog_id, product_id) do update set updated_at = excluded.updated_at
   where product_recent.updated_at <> excluded.updated_at`
const recentGoneSql = `
  delete from product_recent r where ${within('r')}
     and not exists (select from products p where p.catalog_id = $1 and p.product_id = r.product_id and p.alive)`

/** After a first import nothing of a chunk is there, and its rows are inserted twice as fast; what is removed is nothing. */
const fresh = [rankSql, recentSql]
const known = [`${rankSql} ${rankKnown}`, rankGoneSql, `${recentSql} ${recentKnown}`, recentGoneSql]

/**
 * What was cut off is done again: the due rows go last.
 * @param between called after each chunk, so that an edit elsewhere waits for one chunk only
 */
export async function catchUp(
  pool: Pool,
  { catalog, due }: Behind,
  between: () => Promise<unknown>,
  chunk = chunkRows,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (let last: string | null = after; last !== null; ) {
    last = await lastOf(pool, catalog, after, chunk)
    await writeChunk(pool, [catalog, after, last])
    if (last !== null) after = last
    await between()
  }
  await pool.query('delete from rank_due where due_id = any ($1::bigint[])', [due])
}

/** By the narrow table: most of the time of a walk is spent on reading rows of `products`. */
async function lastOf(pool: Pool, catalog: string, after: string, chunk: number): Promise<string | null> {
  return inTransaction(pool, async (tx) => {
    await byIndex(tx)
    const { rows } = await tx.query<{ last: string }>(
      `select product_id as last from product_score where catalog_id = $1 and product_id > $2 order by product_id offset $3 limit 1`,
      [catalog, after, chunk - 1],
    )
    return rows[0]?.last ?? null
  })
}

async function writeChunk(pool: Pool, chunk: readonly [string, string, string | null]): Promise<void> {
  const write = (statements: readonly string[]) =>
    inTransaction(pool, async (tx) => {
      await tx.query(shareRank)
      await byIndex(tx)
      for (const sql of statements) await tx.query(sql, [...chunk])
    })
  if (await isKnown(pool, chunk)) return write(known)
  try {
    await write(fresh)
  } catch (error) {
    // An edit of one of them was followed meanwhile.
    if (!isUniqueViolation(error)) throw error
    await write(known)
  }
}

async function isKnown(pool: Pool, chunk: readonly [string, string, string | null]): Promise<boolean> {
  const { rows } = await pool.query<{ known: boolean }>(
    `select exists (select from product_rank r where ${within('r')}) or exists (select from product_recent r where ${within('r')}) as known`,
    [...chunk],
  )
  return rows[0]?.known === true
}

/** Before a table has statistics the planner would gather and sort the whole rest of the catalog for every chunk. */
const byIndex = (tx: PoolClient) => tx.query('set local enable_bitmapscan = off; set local enable_seqscan = off')
