/** Workspaces, brands and catalogs. */
import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { defaultWeights } from '../../schemas/score.ts'
import { inTransaction } from './in-transaction.ts'
import { defaultSilver } from './settings.ts'

export interface BrandRow {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

export interface CatalogRow {
  readonly id: string
  readonly workspaceId: string
  readonly brandId: string
  readonly name: string
  readonly isDefault: boolean
  readonly autoPublish: 'off' | 'after_gold'
  readonly publishedVersion: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const catalogColumns = `catalog_id as id, workspace_id as "workspaceId", brand_id as "brandId", name, is_default as "isDefault",
  auto_publish as "autoPublish", published_version as "publishedVersion", created_at as "createdAt", updated_at as "updatedAt"`

/** A workspace comes with its brand `main`, that brand's default catalog, and settings and weights number 1. @returns whether it was made */
export async function ensureWorkspace(pool: Pool, id: string, name: string): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const made = await tx.query('insert into workspace (workspace_id, name) values ($1, $2) on conflict do nothing', [
      id,
      name,
    ])
    if (made.rowCount === 0) return false
    await tx.query('insert into settings_version (workspace_id, number, body) values ($1, 1, $2)', [
      id,
      JSON.stringify(defaultSilver),
    ])
    await tx.query('insert into weights_version (workspace_id, number, w) values ($1, 1, $2)', [id, defaultWeights])
    const brand = randomUUID()
    await tx.query('insert into brand (brand_id, workspace_id, name) values ($1, $2, $3)', [brand, id, 'main'])
    await insertCatalog(tx, {
      workspace: id,
      brand,
      name: 'Main catalog',
      isDefault: true,
      autoPublish: 'off',
      by: 'assay',
    })
    return true
  })
}

export async function insertCatalog(
  tx: Pool | PoolClient,
  c: {
    workspace: string
    brand: string
    name: string
    isDefault: boolean
    autoPublish: 'off' | 'after_gold'
    by: string
  },
): Promise<CatalogRow> {
  const { rows } = await tx.query<CatalogRow>(
    `insert into catalog (catalog_id, workspace_id, brand_id, name, is_default, auto_publish, created_by)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${catalogColumns}`,
    [randomUUID(), c.workspace, c.brand, c.name, c.isDefault, c.autoPublish, c.by],
  )
  const row = rows[0]
  if (!row) throw new Error('the catalog was not made')
  return row
}

export async function setAutoPublish(pool: Pool, catalog: string, mode: 'off' | 'after_gold'): Promise<void> {
  await pool.query('update catalog set auto_publish = $2 where catalog_id = $1', [catalog, mode])
}

/** Under policy: sees only what the transaction's principal may. */
export async function listBrands(tx: PoolClient, after: string | null, limit: number): Promise<BrandRow[]> {
  const { rows } = await tx.query<BrandRow>(
    `select brand_id as id, name, created_at as "createdAt" from brand
      where $1::uuid is null or brand_id > $1 order by brand_id limit $2`,
    [after, limit],
  )
  return rows
}

export async function findBrand(tx: PoolClient, id: string): Promise<BrandRow | null> {
  const { rows } = await tx.query<BrandRow>(
    'select brand_id as id, name, created_at as "createdAt" from brand where brand_id = $1',
    [id],
  )
  return rows[0] ?? null
}

export async function listCatalogs(tx: PoolClient, after: string | null, limit: number): Promise<CatalogRow[]> {
  const { rows } = await tx.query<CatalogRow>(
    `select ${catalogColumns} from catalog where deleted_at is null and ($1::uuid is null or catalog_id > $1) order by catalog_id limit $2`,
    [after, limit],
  )
  return rows
}

export async function findCatalog(tx: PoolClient, id: string): Promise<CatalogRow | null> {
  const { rows } = await tx.query<CatalogRow>(
    `select ${catalogColumns} from catalog where catalog_id = $1 and deleted_at is null`,
    [id],
  )
  return rows[0] ?? null
}

/** The brand's default catalog. */
export async function defaultCatalog(tx: PoolClient, brand: string): Promise<CatalogRow | null> {
  const { rows } = await tx.query<CatalogRow>(
    `select ${catalogColumns} from catalog where brand_id = $1 and is_default and deleted_at is null`,
    [brand],
  )
  return rows[0] ?? null
}

/** @param name `main` for the workspace's own brand */
export async function brandNamed(client: Pool | PoolClient, workspace: string, name: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    'select brand_id as id from brand where workspace_id = $1 and name = $2',
    [workspace, name],
  )
  return rows[0]?.id ?? null
}
