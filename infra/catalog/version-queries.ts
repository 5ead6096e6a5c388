/** Published versions of a catalog as the API reads them: which are kept, what stood in one, what differs between two. Under policy. */
import type { PoolClient } from 'pg'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'

export interface VersionRow {
  readonly version: number
  readonly publishedAt: Date
  readonly publishedBy: string | null
  readonly added: number
  readonly modified: number
  readonly removed: number
  readonly unrefined: number
  readonly changelog: string | null
}

const columns = `version, published_at as "publishedAt", published_by as "publishedBy", added, modified, removed, unrefined, changelog`

/** Most recent first. @param below the version that the page before ended with */
export async function listVersions(
  tx: PoolClient,
  catalog: string,
  below: number | null,
  limit: number,
): Promise<VersionRow[]> {
  const { rows } = await tx.query<VersionRow>(
    `select ${columns} from publish
      where catalog_id = $1 and state = 'published' and ($2::bigint is null or version < $2) order by version desc limit $3`,
    [catalog, below, limit],
  )
  return rows
}

/** @returns `dropped` where it is no longer kept, null where there never was such a version */
export async function findVersion(
  tx: PoolClient,
  catalog: string,
  version: number,
): Promise<VersionRow | 'dropped' | null> {
  const { rows } = await tx.query<VersionRow & { state: string }>(
    `select ${columns}, state from publish where catalog_id = $1 and version = $2 and state in ('published', 'dropped')`,
    [catalog, version],
  )
  const [row] = rows
  if (!row) return null
  const { state, ...kept } = row
  return state === 'dropped' ? 'dropped' : kept
}

export interface PublishedContent {
  readonly kind: ProductKind
  readonly family: string | null
  readonly feedId: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly product: RefinedProduct
}

export interface VersionProductRow {
  readonly id: string
  readonly content: PublishedContent
}

export async function listVersionProducts(
  tx: PoolClient,
  catalog: string,
  version: number,
  after: string | null,
  limit: number,
): Promise<VersionProductRow[]> {
  // As in listProducts: without statistics every page would sort the rest of the version.
  await tx.query('set local enable_bitmapscan = off')
  const { rows } = await tx.query<VersionProductRow>(
    `select product_id as id, content from published
      where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
      order by product_id limit $4`,
    [catalog, version, after, limit],
  )
  return rows
}

export async function findVersionProduct(
  tx: PoolClient,
  catalog: string,
  version: number,
  product: string,
): Promise<VersionProductRow | null> {
  const { rows } = await tx.query<VersionProductRow>(
    `select product_id as id, content from published
      where catalog_id = $1 and product_id = $3 and valid_from <= $2 and valid_to > $2 and content is not null`,
    [catalog, version, product],
  )
  return rows[0] ?? null
}

export interface ComparedRow {
  readonly id: string
  readonly before: PublishedContent | null
  readonly after: PublishedContent | null
  readonly differs: boolean
}

/** Of each version after the earlier up to the later one the first products; together the first that can differ. */
const compareSql = `
  with touched as (
    select distinct t.product_id as id from publish v
     cross join lateral (
       select product_id from published
        where catalog_id = $1 and valid_from = v.version and ($4::uuid is null or product_id > $4)
        order by product_id limit $5) t
     where v.catalog_id = $1 and v.version > least($2::bigint, $3::bigint) and v.version <= greatest($2::bigint, $3::bigint)
     order by 1 limit $5)
  select t.id, b.content as before, a.content as after,
         (b.content is null) <> (a.content is null) or (b.content is not null and b.hash <> a.hash) as differs
    from touched t
    left join lateral (
      select hash, content from published
       where catalog_id = $1 and product_id = t.id and valid_from + 0 <= $2 and valid_to > $2 limit 1) b on true
    left join lateral (
      select hash, content from published
       where catalog_id = $1 and product_id = t.id and valid_from + 0 <= $3 and valid_to > $3 limit 1) a on true
   order by t.id`

/**
 * Products that were written between two versions, in order of id; those that came back to what they were do not differ.
 * @returns fewer than `limit` at the end alone
 */
export async function compareVersions(
  tx: PoolClient,
  catalog: string,
  [from, to]: readonly [number, number],
  after: string | null,
  limit: number,
): Promise<ComparedRow[]> {
  await tx.query('set local enable_bitmapscan = off; set local enable_seqscan = off')
  const { rows } = await tx.query<ComparedRow>(compareSql, [catalog, from, to, after, limit])
  return rows
}
