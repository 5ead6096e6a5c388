/** What a merge plans of each product: pages of what changed in the source, and of what was planned. */
import type { Pool, PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'
import type { MergeField } from '../../transforms/versions/fields.ts'
import type { Conflict, Merge } from '../../transforms/versions/merge.ts'
import type { MergeRow } from './merges.ts'

/** A product of the base that the source has changed or removed; of others only the place. */
export interface MappedRow {
  /** Id in the fork, which orders the pages. */
  readonly place: string
  readonly changed: boolean
  readonly from: string
  readonly into: string
  readonly base: RefinedProduct | null
  readonly source: RefinedProduct | null
  readonly target: RefinedProduct | null
  readonly kind: ProductKind | null
  readonly family: string | null
  readonly sid: string | null
  readonly layers: Layers | null
}

/** Both sides of a product, and which is which by whether the fork is the source. */
const mappedSql = (forkIsSource: boolean) => {
  const [from, into] = forkIsSource ? ['f.product_id', 'f.origin_id'] : ['f.origin_id', 'f.product_id']
  return `
    select f.product_id as place, w.changed, ${from} as "from", ${into} as "into",
           case when w.changed then f.base end as base, case when w.changed and s.alive then s.refined end as source,
           case when w.changed and t.alive then t.refined end as target, coalesce(t.kind, s.kind) as kind, t.family_id as family,
           encode(t.source_identifier, 'hex') as sid, case when w.changed then convert_from(t.layers, 'UTF8') end as layers
      from (select * from fork_product where catalog_id = $1 and ($4::uuid is null or product_id > $4) order by product_id limit $5) f
      left join lateral (select * from products where catalog_id = $2 and product_id = ${from} limit 1) s on true
      left join lateral (select * from products where catalog_id = $3 and product_id = ${into} limit 1) t on true
     cross join lateral (select (case when s.alive then s.refined end) is distinct from f.base as changed) w
     order by f.product_id`
}

type Text<T extends { layers: unknown }> = Omit<T, 'layers'> & { layers: string | null }
const parsed = <T extends { layers: Layers | null }>(row: Text<T>): T =>
  ({ ...row, layers: row.layers === null ? null : JSON.parse(row.layers) }) as T

export async function mappedPage(pool: Pool, m: MergeRow, after: string | null, limit: number): Promise<MappedRow[]> {
  const values = [m.fork, m.source, m.target, after, limit]
  const { rows } = await pool.query<Text<MappedRow>>(mappedSql(m.fork === m.source), values)
  return rows.map(parsed<MappedRow>)
}

export interface AddedRow {
  readonly id: string
  readonly kind: ProductKind
  readonly family: string | null
  /** What the family's parent is in the target, where it is there or planned. */
  readonly targetFamily: string | null
  readonly refined: RefinedProduct
}

const addedSql = (forkIsSource: boolean) => {
  const [own, other] = forkIsSource ? ['product_id', 'origin_id'] : ['origin_id', 'product_id']
  return `
    select p.product_id as id, p.kind, p.family_id as family, p.refined,
           coalesce((select f.${other} from fork_product f where f.catalog_id = $1 and f.${own} = p.family_id),
                    (select i.product_id from merge_item i where i.merge_id = $3 and i.source_product_id = p.family_id limit 1)) as "targetFamily"
      from products p
     where p.catalog_id = $2 and p.alive and (p.kind = 'parent') = $4 and ($5::uuid is null or p.product_id > $5)
       and not exists (select from fork_product f where f.catalog_id = $1 and f.${own} = p.product_id)
     order by p.product_id limit $6`
}

/** Products that only the source has: parents first, since their variants name them. */
export async function addedPage(
  pool: Pool,
  m: MergeRow,
  parents: boolean,
  after: string | null,
  limit: number,
): Promise<AddedRow[]> {
  const values = [m.fork, m.source, m.id, parents, after, limit]
  return (await pool.query<AddedRow>(addedSql(m.fork === m.source), values)).rows
}

/** Of these products of the target those that stand for another product of the source already. */
export async function takenTargets(pool: Pool, m: MergeRow, ids: readonly string[]): Promise<Set<string>> {
  const own = m.fork === m.source ? 'origin_id' : 'product_id'
  const { rows } = await pool.query<{ id: string }>(
    `select ${own} as id from fork_product where catalog_id = $1 and ${own} = any ($3::uuid[])
     union select product_id from merge_item where merge_id = $2 and product_id = any ($3::uuid[])`,
    [m.fork, m.id, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export interface TargetRow {
  readonly id: string
  readonly alive: boolean
  readonly refined: RefinedProduct
  readonly family: string | null
  readonly sid: string
  readonly layers: Layers | null
}

export async function targetRows(pool: Pool, catalog: string, ids: readonly string[]): Promise<Map<string, TargetRow>> {
  const { rows } = await pool.query<Text<TargetRow>>(
    `select product_id as id, alive, refined, family_id as family, encode(source_identifier, 'hex') as sid, convert_from(layers, 'UTF8') as layers
       from products where catalog_id = $1 and product_id = any ($2::uuid[])`,
    [catalog, ids],
  )
  return new Map(rows.map((row) => [row.id, parsed<TargetRow>(row)]))
}

/** A product of the target to which the merge gives a SKU, or none. */
export interface SkuItem {
  readonly product: string
  readonly wanted: string | null
  /** When it was planned. */
  readonly was: string | null
  readonly has: string | null
}

/** Of these products those whose SKU the merge changes. */
export async function skuItems(pool: Pool, m: MergeRow, products: readonly string[]): Promise<SkuItem[]> {
  const { rows } = await pool.query<SkuItem>(
    `select i.product_id as product, i.source ->> 'sku' as wanted, i.target ->> 'sku' as was, p.refined ->> 'sku' as has
       from unnest($3::uuid[]) as w (id)
       join merge_item i on i.merge_id = $1 and i.product_id = w.id and i.source is not null and i.target is not null
       join products p on p.catalog_id = $2 and p.product_id = w.id and p.alive
      where 'sku' = any (i.fields) or exists (
        select from merge_conflict c where c.merge_id = $1 and c.product_id = w.id and c.field = 'sku' and c.take = 'from')`,
    [m.id, m.target, products],
  )
  return rows
}

/** Of these ids those under which there is a product, or was one. */
export async function existingOf(pool: Pool, catalog: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    'select product_id as id from products where catalog_id = $1 and product_id = any ($2::uuid[])',
    [catalog, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export interface MergeItem {
  readonly product: string
  readonly from: string
  readonly action: Merge['action']
  readonly fields: readonly MergeField[]
  readonly kind: ProductKind
  readonly family: string | null
  readonly sid: string
  readonly rev: number | null
  /** Of `rev`; null too where it was planned before the log was ever moved. */
  readonly epoch: number | null
  readonly base: RefinedProduct | null
  readonly source: RefinedProduct | null
  readonly target: RefinedProduct | null
}

export async function insertItems(
  tx: PoolClient,
  m: MergeRow,
  items: readonly (MergeItem & { readonly conflicts: readonly Conflict[] })[],
): Promise<void> {
  const rows = items.map(({ conflicts: _, ...item }) => item)
  await tx.query(
    `insert into merge_item (merge_id, product_id, source_product_id, action, fields, kind, family_id, source_identifier, target_rev, target_epoch, base, source, target)
     select $1, i.product, i."from", i.action, i.fields, i.kind, i.family, i.sid, i.rev, i.epoch, i.base, i.source, i.target
       from jsonb_to_recordset($2::jsonb) as i (product uuid, "from" uuid, action text, fields text[], kind text, family uuid, sid text, rev bigint, epoch int,
                                                base jsonb, source jsonb, target jsonb)`,
    [m.id, JSON.stringify(rows)],
  )
  const conflicts = items.flatMap(({ product, conflicts }) => conflicts.map((one) => ({ ...one, product })))
  await tx.query(
    `insert into merge_conflict (merge_id, product_id, field, workspace_id, brand_id, base, source, target)
     select $1, c.product, c.field, $3, $4, c.base, c."from", c."into"
       from jsonb_to_recordset($2::jsonb) as c (product uuid, field text, base jsonb, "from" jsonb, "into" jsonb)`,
    [m.id, JSON.stringify(conflicts), m.workspace, m.brand],
  )
}

export interface PlannedItem extends MergeItem {
  /** Fields of conflicts in which the source was chosen; `product` is the whole product. */
  readonly taken: readonly string[]
}

export async function itemPage(pool: Pool, merge: string, after: string | null, limit: number): Promise<PlannedItem[]> {
  const { rows } = await pool.query<PlannedItem>(
    `select product_id as product, source_product_id as "from", action, fields, kind, family_id as family, source_identifier as sid,
            target_rev as rev, target_epoch as epoch, base, source, target,
            array(select field from merge_conflict c where c.merge_id = i.merge_id and c.product_id = i.product_id and c.take = 'from') as taken
       from merge_item i where merge_id = $1 and ($2::uuid is null or product_id > $2) order by product_id limit $3`,
    [merge, after, limit],
  )
  return rows
}

/** Of these products those of which a record was refused since the log was this long. */
export async function refusedSince(
  pool: Pool,
  epoch: number,
  ends: readonly number[],
  products: readonly string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `select product_id as id from refused
      where epoch = $1 and product_id = any ($3::uuid[]) and "offset" >= ($2::bigint[])[partition + 1]`,
    [epoch, ends, products],
  )
  return new Set(rows.map(({ id }) => id))
}

/** What was merged is the base of the next merge; a product that the source has no more has none. */
export async function moveBases(tx: PoolClient, m: MergeRow, items: readonly MergeItem[]): Promise<void> {
  const forkIsSource = m.fork === m.source
  const own = (i: MergeItem) => (forkIsSource ? i.from : i.product)
  const gone = items.filter(({ source }) => source === null)
  await tx.query('delete from fork_product where catalog_id = $1 and product_id = any ($2::uuid[])', [
    m.fork,
    gone.map(own),
  ])
  const kept = items.filter(({ source }) => source !== null)
  await tx.query(
    `insert into fork_product (catalog_id, product_id, origin_id, base)
     select $1, r.id, r.origin, r.base from unnest($2::uuid[], $3::uuid[], $4::jsonb[]) as r (id, origin, base)
     on conflict (catalog_id, product_id) do update set base = excluded.base`,
    [
      m.fork,
      kept.map(own),
      kept.map((i) => (forkIsSource ? i.product : i.from)),
      kept.map((i) => JSON.stringify(i.source)),
    ],
  )
}
