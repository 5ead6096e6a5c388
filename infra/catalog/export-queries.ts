/** Products as exports and files of edits need them: a catalog by key pages, and single ones as silver has them. */
import type { Pool, PoolClient } from 'pg'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'

export interface ExportedRow {
  readonly id: string
  readonly kind: ProductKind
  readonly family: string | null
  readonly product: RefinedProduct
}

/** Rows of a page; see `feedPageRows`. */
export const exportPageRows = 2_000

/** @param after the last product id of the page before */
export async function workingPage(
  tx: PoolClient,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<ExportedRow[]> {
  // As in listProducts: without statistics every page would sort the rest of the catalog.
  await tx.query('set local enable_bitmapscan = off')
  const { rows } = await tx.query<ExportedRow>(
    `select product_id as id, kind, family_id as family, refined as product from products
      where catalog_id = $1 and alive and ($2::uuid is null or product_id > $2) order by product_id limit $3`,
    [catalog, after, limit],
  )
  return rows
}

export interface PresentRow {
  readonly id: string
  readonly kind: ProductKind
  readonly alive: boolean
  readonly sid: string
  readonly product: RefinedProduct
}

export async function presentProducts(
  pool: Pool,
  catalog: string,
  ids: readonly string[],
): Promise<Map<string, PresentRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<PresentRow>(
    `select p.product_id as id, p.kind, p.alive, encode(p.source_identifier, 'hex') as sid, p.refined as product
       from unnest($2::uuid[]) as w (id) join products p on p.catalog_id = $1 and p.product_id = w.id`,
    [catalog, [...new Set(ids)]],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
