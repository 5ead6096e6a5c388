/** Published content of one version, by key pages; each page is its own transaction, so that a slow reader holds nothing back. */
import type { PoolClient } from 'pg'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'

export interface PublishedRow {
  readonly id: string
  readonly content: {
    readonly kind: ProductKind
    readonly family: string | null
    /** The SKU, where no other product had the same when this was published. */
    readonly feedId: string | null
    readonly product: RefinedProduct
  }
}

/** Rows of a page: 2,000 keep first line and memory small and lose nothing in rate. */
export const feedPageRows = 2_000

export async function publishedPage(
  tx: PoolClient,
  catalog: string,
  version: number,
  after: string | null,
  limit: number,
): Promise<PublishedRow[]> {
  // As in listProducts: without statistics every page would sort the rest of the version.
  await tx.query('set local enable_bitmapscan = off')
  const { rows } = await tx.query<PublishedRow>(
    `select product_id as id, content from published
      where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
      order by product_id limit $4`,
    [catalog, version, after, limit],
  )
  return rows
}

/** The paths of all categories of a version, in order: for platforms that list them before their products. */
export async function categoryPaths(tx: PoolClient, catalog: string, version: number): Promise<string[][]> {
  const { rows } = await tx.query<{ path: string[] }>(
    `select distinct content -> 'product' -> 'categoryPath' as path from published
      where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null order by 1`,
    [catalog, version],
  )
  return rows.map(({ path }) => path).filter((path) => path.length > 0)
}
