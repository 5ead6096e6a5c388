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
  readonly updatedAt: Date
  readonly sub: readonly number[] | null
  readonly points: Buffer | null
  readonly valid: number | null
  readonly rubric: number | null
  /** The settings it was last refined under; 0: never. */
  readonly settings: number
  /** Under which silver last changed; null where the workspace is out of sight. */
  readonly silverNumber: number | null
  /** Of products in bronze alone: what their sources say. */
  readonly layers: Buffer | null
}

const columns = `
  p.product_id as id, p.workspace_id as "workspaceId", p.brand_id as "brandId", p.catalog_id as "catalogId", p.kind, p.family_id as "familyId",
  p.stage, p.alive, p.rev, p.refined, encode(p.source_identifier, 'hex') as sid, p.created_at as "createdAt", p.updated_at as "updatedAt",
  case when s.product_id is null then null else array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7] end as sub,
  s.rule_points as points, s.valid, s.rubric_version as rubric,
  p.settings_number as settings, (select w.silver_number from workspace w where w.workspace_id = p.workspace_id) as "silverNumber",
  case when p.stage = 'bronze' then p.layers end as layers`
const from = `products p left join product_score s on s.catalog_id = p.catalog_id and s.product_id = p.product_id`

export interface ProductFilter {
  readonly catalog: string
  readonly kind?: ProductKind | undefined
  readonly sku?: string | undefined
  readonly family?: string | undefined
}

/**
 * Before a new table has statistics the planner would gather and sort the whole rest of the catalog for every page.
 * @param after the last product id of the page before
 */
export async function listProducts(
  tx: PoolClient,
  filter: ProductFilter,
  after: string | null,
  limit: number,
): Promise<ProductRow[]> {
  await tx.query('set local enable_bitmapscan = off')
  const { rows } = await tx.query<ProductRow>(
    `select ${columns} from ${from}
      where p.catalog_id = $1 and p.alive and ($2::uuid is null or p.product_id > $2)
        and ($3::text is null or p.kind = $3) and ($4::text is null or p.sku = $4) and ($5::uuid is null or p.family_id = $5)
      order by p.product_id limit $6`,
    [filter.catalog, after, filter.kind ?? null, filter.sku ?? null, filter.family ?? null, limit],
  )
  return rows
}

/**
 * One product by id, of one catalog where the second value is not null. The catalogs come first, since the products' key leads
 * with them: behind `limit 1` the planner has no choice of order.
 */
export const findProductSql = `
  select ${columns}
    from catalog c
    join lateral (select * from products where catalog_id = c.catalog_id and product_id = $1 and alive limit 1) p on true
    left join product_score s on s.catalog_id = p.catalog_id and s.product_id = p.product_id
   where c.deleted_at is null and ($2::uuid is null or c.catalog_id = $2)`

export async function findProduct(tx: Reading, id: string, catalog: string | null): Promise<ProductRow | null> {
  const { rows } = await tx.query<ProductRow>({ name: 'product', text: findProductSql, values: [id, catalog] })
  return rows[0] ?? null
}

/** Products of a selection, present or not, in no order. */
export async function findProducts(tx: PoolClient, catalog: string, ids: readonly string[]): Promise<ProductRow[]> {
  const { rows } = await tx.query<ProductRow>(
    `select ${columns} from ${from} where p.catalog_id = $1 and p.product_id = any ($2::uuid[]) and p.alive`,
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
