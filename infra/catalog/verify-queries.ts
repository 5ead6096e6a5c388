/** Products as they stand in the catalog, whole rows with their scores, for who compares them with the log; those that are gone are among them. */
import type { Pool, PoolClient } from 'pg'
import type { RefinedProduct, Stage } from '../../schemas/product.ts'
import type { StoredRow } from '../../transforms/refresh.ts'

export interface RowToVerify extends Omit<StoredRow, 'layers' | 'product'> {
  readonly kind: string
  readonly family: string | null
  readonly stage: Stage
  /** Settings that it was last refined with; 0 where it never was. */
  readonly settings: number
  /** As it was written, whatever stands there by now. */
  readonly layers: Buffer
  readonly refined: RefinedProduct
  readonly repeated: Readonly<Record<(typeof repeatedColumns)[number], unknown>>
  readonly points: Buffer | null
  readonly valid: number | null
  readonly rubric: number | null
  readonly scoredAt: string | null
}

/** Each says again what stands in `refined`. */
export const repeatedColumns = ['sku', 'gtin', 'title', 'price_minor', 'currency', 'availability'] as const

const rowsSql = `
  select p.workspace_id as workspace, p.brand_id as brand, p.catalog_id as catalog, p.product_id as id, p.rev, p.alive,
         encode(p.content_hash, 'hex') as content, encode(p.source_identifier, 'hex') as sid,
         p.created_at::text as "createdAt", p.updated_at::text as "updatedAt", p.kind, p.family_id as family, p.stage,
         p.settings_number as settings, p.layers, p.refined,
         json_build_object(${repeatedColumns.map((name) => `'${name}', p.${name}`).join(', ')}) as repeated,
         case when s.product_id is null then null else json_build_array(s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7) end as sub,
         s.rule_points as points, s.valid, s.rubric_version as rubric, s.scored_at::text as "scoredAt"
    from unnest($2::uuid[]) as i (id)
    join products p on p.catalog_id = $1 and p.product_id = i.id
    left join product_score s on s.catalog_id = $1 and s.product_id = i.id`

export async function rowsToVerify(
  client: Pool | PoolClient,
  catalog: string,
  products: readonly string[],
): Promise<RowToVerify[]> {
  return (await client.query<RowToVerify>(rowsSql, [catalog, products])).rows
}

/** Ids in order, after the one and up to the other. */
export async function idsBetween(
  pool: Pool,
  catalog: string,
  { after, upTo }: { readonly after: string | null; readonly upTo: string | null },
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select product_id as id from products
      where catalog_id = $1 and product_id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
        and product_id <= coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
      order by product_id limit $4`,
    [catalog, after, upTo, limit],
  )
  return rows.map(({ id }) => id)
}

export async function countRows(pool: Pool, catalog: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*) as n from products where catalog_id = $1', [
    catalog,
  ])
  return rows[0]?.n ?? 0
}

/** Products that identifiers lead to and the catalog has no row of, in order of their ids: each is on the log, or about to be. */
export async function idsWithoutRow(pool: Pool, catalog: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct i.product_id as id from product_identity i
      where i.catalog_id = $1 and i.product_id > $2
        and not exists (select from products p where p.catalog_id = i.catalog_id and p.product_id = i.product_id)
      order by i.product_id limit $3`,
    [catalog, after, limit],
  )
  return rows.map(({ id }) => id)
}

/** @returns those of them that have a row by now */
export async function idsWithRow(pool: Pool, catalog: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(
    'select product_id as id from products where catalog_id = $1 and product_id = any ($2::uuid[])',
    [catalog, ids],
  )
  return new Set(rows.map(({ id }) => id))
}
