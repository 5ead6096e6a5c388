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

/** Groups wait for all that is to be compared, since any of it may belong to them. */
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
       join duplicate_product d on d.catalog_id = $1 and d.product_id = i.id
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

const settleSql = `
  with parted as (
    delete from duplicate_pair where catalog_id = $1 and (a = any ($2::uuid[]) or b = any ($2::uuid[])) returning a, b),
  near as (
    select a as id from parted union select b from parted union select unnest($4::uuid[])
    union select product_id from duplicate_member where catalog_id = $1 and product_id = any ($2::uuid[])),
  others as (
    update duplicate_product d set step = 2 from near n
     where d.catalog_id = $1 and d.product_id = n.id and d.step = 0 and n.id <> all ($2::uuid[]))
  update duplicate_product d
     set step = case when n.id is null then 0 else 2 end, skipped = i.skipped
    from unnest($2::uuid[], $3::smallint[]) i (id, skipped) left join near n on n.id = i.id
   where d.catalog_id = $1 and d.product_id = i.id`

/** The pairs of these products are these and no others; whom that concerns is grouped anew. */
export async function keepPairs(
  tx: PoolClient,
  catalog: string,
  compared: readonly { readonly id: string; readonly skipped: number }[],
  pairs: readonly PairRow[],
): Promise<void> {
  await tx.query('update duplicate_state set compared = true where catalog_id = $1 and not compared', [catalog])
  await tx.query(settleSql, [
    catalog,
    compared.map(({ id }) => id),
    compared.map(({ skipped }) => skipped),
    [...new Set(pairs.flatMap(({ a, b }) => [a, b]))],
  ])
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
