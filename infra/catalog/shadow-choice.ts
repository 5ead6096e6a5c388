/** The products that a replay's range has chosen: put in once each however often its records name them, and read by key pages. */
import type { Pool, PoolClient } from 'pg'

/** @returns how many were not chosen before */
export async function choose(
  tx: PoolClient,
  replay: string,
  products: readonly { readonly catalog: string; readonly product: string }[],
): Promise<number> {
  if (products.length === 0) return 0
  const { rowCount } = await tx.query(
    `insert into shadow_choice (catalog_id, replay_id, product_id)
     select distinct catalog, $1::uuid, product from unnest($2::uuid[], $3::uuid[]) as c (catalog, product)
     on conflict do nothing`,
    [replay, products.map(({ catalog }) => catalog), products.map(({ product }) => product)],
  )
  return rowCount ?? 0
}

/** The next of all products of a catalog in order. @param keys these of them only @returns the last; null where none was left */
export async function choosePage(
  tx: PoolClient,
  replay: string,
  { catalog, after, keys }: { catalog: string; after: string | null; keys: readonly string[] | null },
  limit: number,
): Promise<{ last: string; n: number } | null> {
  // Without statistics the planner would gather and sort the whole rest of the catalog for every page.
  await tx.query('set local enable_bitmapscan = off')
  const { rows } = await tx.query<{ last: string | null; n: number }>(
    `with page as (
       select product_id from products
        where catalog_id = $2 and product_id > coalesce($3, '00000000-0000-0000-0000-000000000000')::uuid
          and ($4::uuid[] is null or product_id = any ($4))
        order by product_id limit $5),
     put as (
       insert into shadow_choice (catalog_id, replay_id, product_id) select $2, $1, product_id from page on conflict do nothing)
     select (select product_id from page order by product_id desc limit 1) as last, (select count(*) from page) as n`,
    [replay, catalog, after, keys, limit],
  )
  const { last = null, n = 0 } = rows[0] ?? {}
  return last === null ? null : { last, n }
}

export async function countChoice(client: Pool | PoolClient, replay: string, catalogs: readonly string[]) {
  const { rows } = await client.query<{ n: number }>(
    'select count(*) as n from shadow_choice where catalog_id = any ($1::uuid[]) and replay_id = $2',
    [catalogs, replay],
  )
  return rows[0]?.n ?? 0
}

/** A page of what was chosen, and those of it that have no shadow yet: a page that was cut off is gone on with. */
export async function pageOfChoice(
  pool: Pool,
  replay: string,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<{ id: string; done: boolean }[]> {
  const { rows } = await pool.query<{ id: string; done: boolean }>(
    `select c.product_id as id,
            exists (select from shadow_score s where s.catalog_id = $1 and s.replay_id = $2 and s.product_id = c.product_id) as done
       from shadow_choice c
      where c.catalog_id = $1 and c.replay_id = $2 and ($3::uuid is null or c.product_id > $3)
      order by c.product_id limit $4`,
    [catalog, replay, after, limit],
  )
  return rows
}
