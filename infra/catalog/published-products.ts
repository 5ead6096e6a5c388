/** Published products by their ids, of the versions that are asked for, with the score that they have now. */
import type { PoolClient } from 'pg'
import { type ProductKind, type RefinedProduct, unrefined } from '../../schemas/product.ts'

export interface PublishedProduct {
  readonly id: string
  readonly catalog: string
  readonly workspace: string
  readonly brand: string
  readonly version: number
  readonly kind: ProductKind
  readonly family: string | null
  readonly product: RefinedProduct
  readonly createdAt: string
  readonly updatedAt: string
  readonly sub: readonly number[] | null
  readonly valid: number | null
  readonly rubric: number | null
}

/** Each by its key, whatever statistics say. */
const sql = `
  select i.id, i.catalog, p.workspace_id as workspace, p.brand_id as brand, p.valid_from as version, p.content ->> 'kind' as kind,
         p.content ->> 'family' as family, p.content -> 'product' as product,
         p.content ->> 'createdAt' as "createdAt", p.content ->> 'updatedAt' as "updatedAt",
         case when s.product_id is null then null else array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7] end as sub, s.valid, s.rubric_version as rubric
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) with ordinality as i (id, catalog, version, place)
   cross join lateral (
     select * from published
      where catalog_id = i.catalog and product_id = i.id and valid_from + 0 <= i.version and valid_to > i.version and content is not null limit 1) p
    left join lateral (select * from product_score where catalog_id = i.catalog and product_id = i.id limit 1) s on true
   order by i.place`

export interface PublishedAt {
  readonly id: string
  readonly catalog: string
  readonly version: number
}

/** In the order asked for; what a version does not have is left out. */
export async function readPublished(
  tx: Pick<PoolClient, 'query'>,
  asked: readonly PublishedAt[],
): Promise<PublishedProduct[]> {
  const values = [asked.map(({ id }) => id), asked.map(({ catalog }) => catalog), asked.map(({ version }) => version)]
  const { rows } = await tx.query<PublishedProduct>({ name: 'published_products', text: sql, values })
  // What was published before a field was known has none of it.
  return rows.map((row) => ({ ...row, product: { ...unrefined, ...row.product } }))
}

/** In any published catalog. */
const anywhereSql = `
  select c.catalog_id as catalog, c.published_version as version from catalog c
   cross join lateral (
     select from published where catalog_id = c.catalog_id and product_id = $1 and valid_from + 0 <= c.published_version
        and valid_to > c.published_version and content is not null limit 1) p
   where c.deleted_at is null and c.published_version > 0 and ($2::uuid is null or c.brand_id = $2) limit 1`

export async function findPublished(
  tx: PoolClient,
  id: string,
  brand: string | null,
): Promise<PublishedProduct | null> {
  const { rows } = await tx.query<Omit<PublishedAt, 'id'>>(anywhereSql, [id, brand])
  const [at] = rows
  return at ? ((await readPublished(tx, [{ id, ...at }]))[0] ?? null) : null
}
