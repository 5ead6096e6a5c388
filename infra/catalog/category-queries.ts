/** The categories of a catalog: every shop path and Google category that its products have together, and how many have them. */
import type { PoolClient } from 'pg'

export interface CategoryRow {
  readonly path: readonly string[]
  /** As the products have it; null where they have none. */
  readonly google: string | null
  /** The workspace's map gave it, and no source. */
  readonly mapped: boolean
  readonly products: number
}

/** A catalog has some hundreds; one with more tells those with the most products. */
const mostCategories = 5_000

/** Of singles and parents, most products first. Reads the catalog once: 3 s of a million products. */
export async function findCategories(tx: PoolClient, catalog: string): Promise<CategoryRow[]> {
  const { rows } = await tx.query<CategoryRow & { path: string[] | null }>(
    `select refined->'categoryPath' as path, refined->>'googleProductCategory' as google,
            coalesce(refined->'defaulted' ? 'google_product_category', false) as mapped, count(*)::int as products
       from products where catalog_id = $1 and alive and kind <> 'variant' and stage <> 'bronze'
      group by 1, 2, 3 order by 4 desc, 1, 2 limit ${mostCategories}`,
    [catalog],
  )
  return rows.map((row) => ({ ...row, path: row.path ?? [] }))
}
