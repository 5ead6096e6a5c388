/** Keeps traits and blocks of products behind the products: the first of the three steps in which duplicates are found. */
import type { Pool, PoolClient } from 'pg'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import type { BlockingKey } from '../../transforms/duplicates/blocking-keys.ts'
import type { Traits } from '../../transforms/duplicates/traits.ts'
import { copyRows } from './copy.ts'
import { groupAnew, partPairs } from './duplicate-pairs.ts'
import { kept } from './kept.ts'

export interface DuplicateScope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

/** One step of a catalog at a time, whoever does it. @returns false where another process is at it */
export async function holdDuplicates(tx: PoolClient, catalog: string): Promise<boolean> {
  const sql = `select pg_try_advisory_xact_lock(hashtextextended('duplicates:' || $1, 0)) as held`
  const { rows } = await tx.query<{ held: boolean }>(kept(sql, [catalog]))
  await tx.query('set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off')
  return rows[0]?.held === true
}

/** The size of an array of ids tells how many it has, unread. */
const takeSql = `
  delete from duplicate_due where due_id in (
    select due_id from (
      select due_id, sum(pg_column_size(product_ids)) over (order by due_id) - pg_column_size(product_ids) as before
        from (select * from duplicate_due where catalog_id = $1 order by due_id limit 500) d) d
     where before < 16 * $2)
  returning product_ids as ids`

/** @returns products of the oldest due rows, each once; some more than asked for where a row has more */
export async function takeDue(tx: PoolClient, catalog: string, products: number): Promise<string[]> {
  const { rows } = await tx.query<{ ids: string[] }>(kept(takeSql, [catalog, products]))
  return [...new Set(rows.flatMap(({ ids }) => ids))]
}

/** All of a catalog in order of id. */
export async function productsAfter(
  pool: Pool,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select product_id as id from products
      where catalog_id = $1 and product_id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by product_id limit $3`,
    [catalog, after, limit],
  )
  return rows.map(({ id }) => id)
}

export interface Comparable {
  readonly id: string
  readonly kind: ProductKind
  readonly family: string | null
  readonly refined: RefinedProduct
}

/** Those that are there and were refined; of the others nothing is known to compare. Long texts are left where they are. */
export async function findComparable(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<Comparable[]> {
  const { rows } = await tx.query<Comparable>(
    `select p.product_id as id, p.kind, p.family_id as family,
            p.refined - array['description', 'images', 'attributes', 'seoDescription', 'tags'] as refined
       from unnest($2::uuid[]) i (id)
       cross join lateral (select * from products where catalog_id = $1 and product_id = i.id limit 1) p
      where p.alive and p.settings_number > 0`,
    [catalog, ids],
  )
  return rows
}

export interface KeyedProduct {
  readonly id: string
  readonly traits: Traits
  readonly keys: readonly BlockingKey[]
}

const stageColumns = [
  { name: 'product_id', type: 'uuid' },
  { name: 'keys', type: 'int8[]' },
  { name: 'finer', type: 'int4[]' },
  { name: 'traits', type: 'jsonb' },
] as const

const stageSql = `
  create temp table if not exists stage_duplicate (product_id uuid, keys bigint[], finer int[], traits jsonb) on commit delete rows;
  create temp table if not exists stage_block (key bigint, finer int, by int) on commit delete rows`

/** Behind `limit 1`, or as a value, the planner has no choice but the key: it does not know yet how much the tables hold. */
const unchangedSql = `
  delete from stage_duplicate s
   where (select d.traits = s.traits and d.keys = s.keys and d.finer = s.finer
            from duplicate_product d where d.catalog_id = $1 and d.product_id = s.product_id)`

const leaveSql = `
  with former as (
    select s.product_id, k.key, k.finer
      from (select product_id from stage_duplicate union all select unnest($2::uuid[])) s
      cross join lateral (
        select keys, finer from duplicate_product where catalog_id = $1 and product_id = s.product_id limit 1) d,
      unnest(d.keys, d.finer) k (key, finer)),
  gone as (
    delete from duplicate_key where ctid = any (array(
      select x.ctid from former f cross join lateral (
        select ctid from duplicate_key
         where catalog_id = $1 and key = f.key and finer = f.finer and product_id = f.product_id limit 1) x)))
  insert into stage_block (key, finer, by) select key, finer, -1 from former`

const enterSql = `
  with made as (
    insert into duplicate_key (catalog_id, product_id, key, finer)
    select $1, s.product_id, k.key, k.finer from stage_duplicate s, unnest(s.keys, s.finer) k (key, finer)
    returning key, finer)
  insert into stage_block (key, finer, by) select key, finer, 1 from made`

const keepSql = `
  insert into duplicate_product as d (catalog_id, product_id, step, keys, finer, traits)
  select $1, product_id, 1, keys, finer, traits from stage_duplicate
  on conflict (catalog_id, product_id) do update
    set step = 1, keys = excluded.keys, finer = excluded.finer, traits = excluded.traits`

/**
 * A block that passes the cap, up or down, is compared in another way from now on: all of it anew, so that the groups are those
 * of the catalog as it is, however it came to be so.
 */
const passedSql = (finer: boolean) => `
  select x.ids
    from (
      select key${finer ? ', finer' : ''}, sum(by)::int as by from stage_block group by key${finer ? ', finer' : ''} having sum(by) <> 0) t
    cross join lateral (
      select array(select product_id from duplicate_key where catalog_id = $1 and key = t.key ${finer ? 'and finer = t.finer' : ''}
                    limit $2 + abs(t.by) + 1) as ids) x
   where (cardinality(x.ids) > $2) <> (cardinality(x.ids) - t.by > $2)`

/**
 * @param gone products that are there no longer
 * @param largest the cap of a block
 */
export async function keepKeys(
  tx: PoolClient,
  scope: DuplicateScope,
  there: readonly KeyedProduct[],
  gone: readonly string[],
  largest: number,
): Promise<void> {
  const { catalog } = scope
  await tx.query(stageSql)
  await copyRows(tx, 'stage_duplicate', stageColumns, rowsOf(there))
  await tx.query(unchangedSql, [catalog])
  await tx.query(leaveSql, [catalog, gone])
  await tx.query(enterSql, [catalog])
  await tx.query(keepSql, [catalog])
  if (gone.length > 0) await leaveGroups(tx, catalog, gone)
  if (!(await isCompared(tx, scope))) return
  for (const finer of [false, true]) {
    const { rows } = await tx.query<{ ids: string[] }>(passedSql(finer), [catalog, largest])
    await tx.query(
      'update duplicate_product set step = 1 where catalog_id = $1 and product_id = any ($2::uuid[]) and step <> 1',
      [catalog, [...new Set(rows.flatMap(({ ids }) => ids))]],
    )
  }
}

function* rowsOf(there: readonly KeyedProduct[]) {
  for (const { id, traits, keys } of there)
    yield [id, keys.map(({ key }) => key), keys.map(({ finer }) => finer), JSON.stringify(traits)]
}

/** Whether blocks of the catalog were compared before; it is being worked on from now. */
async function isCompared(tx: PoolClient, { catalog, workspace, brand }: DuplicateScope): Promise<boolean> {
  const { rows } = await tx.query<{ compared: boolean }>(
    `insert into duplicate_state as s (catalog_id, workspace_id, brand_id, busy) values ($1, $2, $3, true)
     on conflict (catalog_id) do update set busy = true returning s.compared`,
    [catalog, workspace, brand],
  )
  return rows[0]?.compared === true
}

/** What goes leaves its group at once, and those that it leaves are grouped anew. */
async function leaveGroups(tx: PoolClient, catalog: string, gone: readonly string[]): Promise<void> {
  const values = [catalog, gone]
  await tx.query('delete from duplicate_product where catalog_id = $1 and product_id = any ($2::uuid[])', values)
  const others = await tx.query<{ id: string }>(
    `select o.product_id as id from duplicate_member m
       join duplicate_member o on o.catalog_id = $1 and o.group_id = m.group_id
      where m.catalog_id = $1 and m.product_id = any ($2::uuid[])`,
    values,
  )
  const parted = await partPairs(tx, catalog, gone)
  await groupAnew(tx, catalog, [...new Set([...parted, ...others.rows.map(({ id }) => id)])])
  const { rows } = await tx.query<{ id: string }>(
    `with parted as (
       delete from duplicate_member where catalog_id = $1 and product_id = any ($2::uuid[]) returning group_id)
     delete from duplicate_group g using (select distinct group_id from parted) p
      where g.catalog_id = $1 and g.group_id = p.group_id
        and (select count(*) from duplicate_member m
              where m.catalog_id = $1 and m.group_id = g.group_id and m.product_id <> all ($2::uuid[])) < 2
     returning g.group_id as id`,
    values,
  )
  const alone = rows.map(({ id }) => id)
  await tx.query('delete from duplicate_member where catalog_id = $1 and group_id = any ($2::uuid[])', [catalog, alone])
}
