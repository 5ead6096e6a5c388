/** Products as the API reads them: under policy, by key pages. */
import type { PoolClient } from 'pg'
import type { ProductKind, RefinedProduct, Stage } from '../../schemas/product.ts'
import type { Reading } from './postgres.ts'

export interface ProductRow {
  readonly id: string
  readonly workspaceId: string
  readonly brandId: string
  readonly catalogId: string
  readonly kind: ProductKind
  readonly familyId: string | null
  readonly stage: Stage
  readonly alive: boolean
  readonly rev: number
  readonly refined: RefinedProduct
  readonly sid: string
  readonly createdAt: Date
  /** null where a file, a fork or a hub brought it. */
  readonly createdBy: string | null
  readonly updatedAt: Date
  readonly sub: readonly number[] | null
  readonly points: Buffer | null
  readonly valid: number | null
  readonly rubric: number | null
  /** When the score was made; null where there is none. */
  readonly scoredAt: Date | null
  /** Settings that it was last refined with; 0 where it never was. */
  readonly settings: number
  /** Under which silver last changed; null where the workspace is out of sight. */
  readonly silverNumber: number | null
  /** What its sources said, as JSON: of bronze products, and of one that is read alone. */
  readonly layers: Buffer | null
  /** Of products that are held to be one thing; null where it is in none. */
  readonly duplicateGroup: string | null
}

/** Of `readFrom`. */
export const readColumns = `
  p.product_id as id, p.workspace_id as "workspaceId", p.brand_id as "brandId", p.catalog_id as "catalogId", p.kind, p.family_id as "familyId",
  p.stage, p.alive, p.rev, p.refined, encode(p.source_identifier, 'hex') as sid, p.created_at as "createdAt", p.created_by as "createdBy", p.updated_at as "updatedAt",
  case when s.product_id is null then null else array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7] end as sub,
  s.rule_points as points, s.valid, s.rubric_version as rubric, s.scored_at as "scoredAt",
  p.settings_number as settings, (select w.silver_number from workspace w where w.workspace_id = p.workspace_id) as "silverNumber",
  case when p.stage = 'bronze' then p.layers end as layers,
  (select m.group_id from duplicate_member m where m.catalog_id = p.catalog_id and m.product_id = p.product_id) as "duplicateGroup"`
/** With what its sources said, in every stage. */
export const wholeColumns = readColumns.replace("case when p.stage = 'bronze' then p.layers end", 'p.layers')
export const readFrom = `products p left join product_score s on s.catalog_id = p.catalog_id and s.product_id = p.product_id`

/**
 * All of a catalog by key pages. Before a new table has statistics the planner would gather and sort the whole rest of the
 * catalog for every page.
 * @param after the last product id of the page before
 */
export async function listProducts(
  tx: PoolClient,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<ProductRow[]> {
  await tx.query('set local enable_bitmapscan = off')
  const { rows } = await tx.query<ProductRow>(
    `select ${readColumns} from ${readFrom}
      where p.catalog_id = $1 and p.alive and ($2::uuid is null or p.product_id > $2) order by p.product_id limit $3`,
    [catalog, after, limit],
  )
  return rows
}

/**
 * One product by id. The catalogs come first, since the products' key leads with them: behind `limit 1` the planner has no
 * choice of order.
 */
export const findProductSql = `
  select ${wholeColumns}
    from catalog c
    join lateral (select * from products where catalog_id = c.catalog_id and product_id = $1 and alive = $2 limit 1) p on true
    left join product_score s on s.catalog_id = p.catalog_id and s.product_id = p.product_id
   where c.deleted_at is null`

/** @param gone one that was deleted, or that no source lists any more, instead of one that is there */
export async function findProduct(
  tx: Reading,
  id: string,
  { gone = false }: { gone?: boolean } = {},
): Promise<(ProductRow & { readonly layers: Buffer }) | null> {
  const values = [id, !gone]
  const { rows } = await tx.query<ProductRow & { layers: Buffer }>({ name: 'product', text: findProductSql, values })
  return rows[0] ?? null
}

/** Products of a selection, present or not, in no order. */
export async function findProducts(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<ProductRow[]> {
  const { rows } = await tx.query<ProductRow>(
    `select ${readColumns} from ${readFrom} where p.catalog_id = $1 and p.product_id = any ($2::uuid[]) and p.alive`,
    [catalog, ids],
  )
  return rows
}

export async function skuIsTaken(tx: PoolClient, catalog: string, sku: string): Promise<boolean> {
  const { rowCount } = await tx.query('select 1 from products where catalog_id = $1 and sku = $2 and alive limit 1', [
    catalog,
    sku,
  ])
  return rowCount === 1
}

export interface CatalogCounts {
  readonly products: number
  readonly variants: number
}

/** "Products" counts single + parent, "variants" single + variant. */
export async function countProducts(tx: PoolClient, catalog: string): Promise<CatalogCounts> {
  const { rows } = await tx.query<CatalogCounts>(
    `select count(*) filter (where kind <> 'variant') as products, count(*) filter (where kind <> 'parent') as variants
       from products where catalog_id = $1 and alive`,
    [catalog],
  )
  return rows[0] ?? { products: 0, variants: 0 }
}
