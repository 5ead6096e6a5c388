/** Products as exports and files of edits need them: a catalog by key pages, and single ones as silver has them. */
import type { Pool, PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
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
  /** Of one that is gone only: they are long. */
  readonly former: Layers | null
}

export async function presentProducts(
  pool: Pool,
  catalog: string,
  ids: readonly string[],
): Promise<Map<string, PresentRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<Omit<PresentRow, 'former'> & { former: Buffer | null }>(
    `select p.product_id as id, p.kind, p.alive, encode(p.source_identifier, 'hex') as sid, p.refined as product,
            case when not p.alive then p.layers end as former
       from unnest($2::uuid[]) as w (id) join products p on p.catalog_id = $1 and p.product_id = w.id`,
    [catalog, [...new Set(ids)]],
  )
  return new Map(
    rows.map(({ former, ...row }) => [row.id, { ...row, former: former && JSON.parse(former.toString()) }]),
  )
}
