/** A catalog's working state beside one of its versions, and a publish that a restore began. */
import type { Pool } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'

export interface RestoreRow {
  readonly id: string
  /** What the version has of it; null where it is not in it. */
  readonly was: { readonly kind: ProductKind; readonly family: string | null; readonly product: RefinedProduct } | null
  /** What it is now; null where it is not there. */
  readonly refined: RefinedProduct | null
  readonly kind: ProductKind | null
  readonly family: string | null
  readonly sid: string | null
  /** Of a product that was there and is gone: why it is. */
  readonly layers: Layers | null
  readonly same: boolean
}

/** Both are read in order of their keys; the page ends where the first of them does. */
const pageSql = `
  with ids as (
    (select product_id from published
      where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
      order by product_id limit $4)
    union
    (select product_id from products
      where catalog_id = $1 and alive and kind <> 'parent' and ($3::uuid is null or product_id > $3)
      order by product_id limit $4)
    order by 1 limit $4)
  select i.product_id as id, b.content as was, case when p.alive then p.refined end as refined, p.kind, p.family_id as family,
         encode(p.source_identifier, 'hex') as sid, case when not p.alive then convert_from(p.layers, 'UTF8') end as layers,
         coalesce(p.alive and b.hash = p.content_hash, false) as same
    from ids i
    left join lateral (
      select content, hash from published
       where catalog_id = $1 and product_id = i.product_id and valid_from <= $2 and valid_to > $2 and content is not null limit 1) b on true
    left join lateral (select * from products where catalog_id = $1 and product_id = i.product_id limit 1) p on true
   order by i.product_id`

export async function restorePage(
  pool: Pool,
  catalog: string,
  version: number,
  after: string | null,
  limit: number,
): Promise<RestoreRow[]> {
  const { rows } = await pool.query<Omit<RestoreRow, 'layers'> & { layers: string | null }>(pageSql, [
    catalog,
    version,
    after,
    limit,
  ])
  return rows.map((row) => ({ ...row, layers: row.layers === null ? null : JSON.parse(row.layers) }))
}

/** Parents of products that come back, which are gone themselves. */
export async function goneParents(
  pool: Pool,
  catalog: string,
  ids: readonly string[],
): Promise<{ id: string; sid: string; layers: Layers; refined: RefinedProduct }[]> {
  const { rows } = await pool.query<{ id: string; sid: string; layers: string; refined: RefinedProduct }>(
    `select product_id as id, encode(source_identifier, 'hex') as sid, convert_from(layers, 'UTF8') as layers, refined
       from products where catalog_id = $1 and product_id = any ($2::uuid[]) and kind = 'parent' and not alive`,
    [catalog, ids],
  )
  return rows.map((row) => ({ ...row, layers: JSON.parse(row.layers) }))
}

/** The newest publish of this changelog, which names its restore: one that was cut off finds its own by it. */
export async function publishWith(pool: Pool, catalog: string, changelog: string): Promise<string | null> {
  const { rows } = await pool.query<{ job: string }>(
    'select job_id as job from publish where catalog_id = $1 and changelog = $2 order by version desc limit 1',
    [catalog, changelog],
  )
  return rows[0]?.job ?? null
}
