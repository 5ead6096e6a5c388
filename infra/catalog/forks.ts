/** What a fork is made of: a version's products and their families, and the identifiers by which imports find them. */
import type { Pool, PoolClient } from 'pg'
import type { ProductKind, RefinedProduct } from '../../schemas/product.ts'

export interface SourceProduct {
  readonly id: string
  readonly kind: ProductKind
  readonly family: string | null
  readonly refined: RefinedProduct
}

export async function insertFork(
  tx: PoolClient,
  fork: { id: string; workspace: string; brand: string; name: string; by: string; base: string; version: number },
): Promise<void> {
  await tx.query(
    `insert into catalog (catalog_id, workspace_id, brand_id, name, created_by, base_catalog, base_version) values ($1, $2, $3, $4, $5, $6, $7)`,
    [fork.id, fork.workspace, fork.brand, fork.name, fork.by, fork.base, fork.version],
  )
}

/** Products of a version in order of id. */
export async function versionPage(
  pool: Pool,
  catalog: string,
  version: number,
  after: string | null,
  limit: number,
): Promise<SourceProduct[]> {
  const { rows } = await pool.query<SourceProduct>(
    `select product_id as id, content ->> 'kind' as kind, content ->> 'family' as family, content -> 'product' as refined
       from published
      where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
      order by product_id limit $4`,
    [catalog, version, after, limit],
  )
  return rows
}

/** A version holds what can be bought; the families of that are as they are now. */
const parentsSql = `
  select p.product_id as id, p.kind, p.family_id as family, p.refined
    from products p
   where p.catalog_id = $1 and p.kind = 'parent' and ($3::uuid is null or p.product_id > $3)
     and exists (
       select from products v
         join published b on b.catalog_id = v.catalog_id and b.product_id = v.product_id and b.valid_from <= $2 and b.valid_to > $2
        where v.catalog_id = $1 and v.family_id = p.product_id and v.product_id <> p.product_id and b.content is not null)
   order by p.product_id limit $4`

export async function parentPage(
  pool: Pool,
  catalog: string,
  version: number,
  after: string | null,
  limit: number,
): Promise<SourceProduct[]> {
  return (await pool.query<SourceProduct>(parentsSql, [catalog, version, after, limit])).rows
}

export async function insertForkProducts(
  client: Pool | PoolClient,
  fork: string,
  rows: readonly { id: string; origin: string; base: RefinedProduct }[],
): Promise<void> {
  await client.query(
    `insert into fork_product (catalog_id, product_id, origin_id, base)
     select $1, r.id, r.origin, r.base from unnest($2::uuid[], $3::uuid[], $4::jsonb[]) as r (id, origin, base)
     on conflict (catalog_id, product_id) do update set base = excluded.base`,
    [fork, rows.map((r) => r.id), rows.map((r) => r.origin), rows.map((r) => JSON.stringify(r.base))],
  )
}

/** Identifiers in order of their key, as hex. */
export interface IdentityPlace {
  readonly kind: number
  readonly hash: string
}

export interface CopiedIdentity extends IdentityPlace {
  readonly product: string
  readonly shared: boolean
  readonly options: string | null
}

export async function identityPage(
  pool: Pool,
  catalog: string,
  after: IdentityPlace | null,
  limit: number,
): Promise<CopiedIdentity[]> {
  const { rows } = await pool.query<CopiedIdentity>(
    `select kind, encode(value_hash, 'hex') as hash, product_id as product, shared, encode(options_hash, 'hex') as options
       from product_identity where catalog_id = $1 and (kind, value_hash) > ($2::smallint, decode($3, 'hex'))
      order by kind, value_hash limit $4`,
    [catalog, after?.kind ?? 0, after?.hash ?? '', limit],
  )
  return rows
}

/** Identifiers that the catalog has already stay as they are. @returns how many it had not */
export async function insertIdentities(
  client: Pool | PoolClient,
  catalog: string,
  rows: readonly CopiedIdentity[],
): Promise<number> {
  const { rowCount } = await client.query(
    `insert into product_identity (catalog_id, kind, value_hash, product_id, shared, options_hash)
     select $1, r.kind, decode(r.hash, 'hex'), r.product, r.shared, decode(r.options, 'hex')
       from unnest($2::smallint[], $3::text[], $4::uuid[], $5::bool[], $6::text[]) as r (kind, hash, product, shared, options)
     on conflict do nothing`,
    [
      catalog,
      rows.map((r) => r.kind),
      rows.map((r) => r.hash),
      rows.map((r) => r.product),
      rows.map((r) => r.shared),
      rows.map((r) => r.options),
    ],
  )
  return rowCount ?? 0
}

/** @returns false where another was quicker */
export const insertFreeIdentity = async (tx: PoolClient, catalog: string, row: CopiedIdentity): Promise<boolean> =>
  (await insertIdentities(tx, catalog, [row])) === 1

export interface CopiedGain {
  readonly product: string
  readonly sku: string | null
  readonly options: string | null
}

export async function gainedPage(
  pool: Pool,
  catalog: string,
  after: string | null,
  limit: number,
): Promise<CopiedGain[]> {
  const { rows } = await pool.query<CopiedGain>(
    `select product_id as product, encode(sku_hash, 'hex') as sku, encode(options_hash, 'hex') as options
       from identity_gained where catalog_id = $1 and ($2::uuid is null or product_id > $2) order by product_id limit $3`,
    [catalog, after, limit],
  )
  return rows
}

export async function insertGained(pool: Pool, catalog: string, rows: readonly CopiedGain[]): Promise<void> {
  await pool.query(
    `insert into identity_gained (catalog_id, product_id, sku_hash, options_hash)
     select $1, r.product, decode(r.sku, 'hex'), decode(r.options, 'hex')
       from unnest($2::uuid[], $3::text[], $4::text[]) as r (product, sku, options) on conflict do nothing`,
    [catalog, rows.map((r) => r.product), rows.map((r) => r.sku), rows.map((r) => r.options)],
  )
}
