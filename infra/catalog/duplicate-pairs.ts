/** Reads the blocks that products stand in and keeps which pairs are twins: the second step in which duplicates are found. */
import type { PoolClient } from 'pg'
import type { BlockingKey } from '../../transforms/duplicates/blocking-keys.ts'
import type { Traits } from '../../transforms/duplicates/traits.ts'

export interface WaitingProduct {
  readonly id: string
  readonly keys: readonly number[]
  readonly finer: readonly number[]
  readonly traits: Traits
}

/** @param after where to begin to look, so that nobody steps over what is done */
export async function nextToCompare(
  tx: PoolClient,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<WaitingProduct[]> {
  const { rows } = await tx.query<WaitingProduct>(
    `select product_id as id, keys, finer, traits from duplicate_product
      where catalog_id = $1 and step = 1 and product_id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by product_id limit $3`,
    [catalog, after, limit],
  )
  return rows
}

export interface Block extends BlockingKey {
  readonly ids: readonly string[]
}

const blockSql = (finer: boolean) => `
  select b.key, b.finer, x.ids
    from unnest($2::bigint[], $3::int[]) b (key, finer)
    cross join lateral (
      select array(select product_id from duplicate_key
                    where catalog_id = $1 and key = b.key ${finer ? 'and finer = b.finer' : ''} limit $4 + 1) as ids) x
   where cardinality(x.ids) > 1`

/** Blocks with two members or more; of a larger one than `largest` one member more than that. @param finer by their finer keys too */
export async function readBlocks(
  tx: PoolClient,
  catalog: string,
  blocks: readonly BlockingKey[],
  largest: number,
  finer: boolean,
): Promise<Block[]> {
  if (blocks.length === 0) return []
  const { rows } = await tx.query<Block>(blockSql(finer), [
    catalog,
    blocks.map(({ key }) => key),
    blocks.map((block) => block.finer),
    largest,
  ])
  return rows
}

export interface Mate {
  readonly id: string
  readonly traits: Traits
}

/** But for those that wait themselves: they will compare when it is their turn, so that each pair is compared once. */
export async function findMates(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<Mate[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.query<Mate>(
    `select d.product_id as id, d.traits from unnest($2::uuid[]) i (id)
      cross join lateral (select * from duplicate_product where catalog_id = $1 and product_id = i.id limit 1) d
      where d.step <> 1`,
    [catalog, ids],
  )
  return rows
}

export interface PairRow {
  readonly a: string
  readonly b: string
  readonly reasons: number
  readonly confidence: number
}

/** By each of the two keys of a pair: asked for either at once, the planner reads the whole table. */
const partSql = `
  delete from duplicate_pair where ctid = any (array(
    select x.ctid from unnest($2::uuid[]) i (id) cross join lateral (
      (select ctid from duplicate_pair where catalog_id = $1 and a = i.id offset 0)
      union all (select ctid from duplicate_pair where catalog_id = $1 and b = i.id offset 0)) x))
  returning a, b`

/** @returns whose pairs these products were in, they themselves among them */
export async function partPairs(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ a: string; b: string }>(partSql, [catalog, ids])
  return rows.flatMap(({ a, b }) => [a, b])
}

/** Those that are settled wait to be grouped anew. */
export async function groupAnew(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.query(
    'update duplicate_product set step = 2 where catalog_id = $1 and product_id = any ($2::uuid[]) and step = 0',
    [catalog, ids],
  )
}

const settleSql = `
  update duplicate_product d set step = i.step, skipped = i.skipped
    from unnest($2::uuid[], $3::smallint[], $4::smallint[]) i (id, step, skipped)
   where d.catalog_id = $1 and d.product_id = i.id and d.product_id = any ($2::uuid[])`

/** The pairs of these products are these and no others; whom that concerns is grouped anew. */
export async function keepPairs(
  tx: PoolClient,
  catalog: string,
  compared: readonly { readonly id: string; readonly skipped: number }[],
  pairs: readonly PairRow[],
): Promise<void> {
  const ids = compared.map(({ id }) => id)
  await tx.query('update duplicate_state set compared = true where catalog_id = $1 and not compared', [catalog])
  const grouped = await tx.query<{ id: string }>(
    'select product_id as id from duplicate_member where catalog_id = $1 and product_id = any ($2::uuid[])',
    [catalog, ids],
  )
  const near = new Set([
    ...(await partPairs(tx, catalog, ids)),
    ...pairs.flatMap(({ a, b }) => [a, b]),
    ...grouped.rows.map(({ id }) => id),
  ])
  const steps = ids.map((id) => (near.has(id) ? 2 : 0))
  await tx.query(settleSql, [catalog, ids, steps, compared.map(({ skipped }) => skipped)])
  for (const id of ids) near.delete(id)
  await groupAnew(tx, catalog, [...near])
  if (pairs.length === 0) return
  await tx.query(
    `insert into duplicate_pair (catalog_id, a, b, reasons, confidence)
     select $1, * from unnest($2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[])`,
    [
      catalog,
      pairs.map(({ a }) => a),
      pairs.map(({ b }) => b),
      pairs.map(({ reasons }) => reasons),
      pairs.map(({ confidence }) => confidence),
    ],
  )
}
