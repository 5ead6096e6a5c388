/** Workspaces and brands with what they come with, and catalogs. */
import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Platform } from '../../schemas/feeds/profile.ts'
import type { PlanName } from '../../schemas/plan.ts'
import { defaultWeights } from '../../schemas/score.ts'
import { defaultSettings } from '../../schemas/settings.ts'
import { type BrandRow, brandColumns } from './brands.ts'
import { ensureDefaultDashboard } from './dashboards.ts'
import { inTransaction } from './in-transaction.ts'
import { kept } from './kept.ts'

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

/** The operator's own workspaces, which their own machine bounds. @returns whether it was made */
export const ensureWorkspace = (pool: Pool, id: string, name: string): Promise<boolean> =>
  inTransaction(pool, (tx) => insertWorkspace(tx, { id, name, plan: 'business', by: 'assay' }))

/** A workspace comes with its brand `main`, that brand's default catalog, and settings and weights number 1. @returns false where it exists */
export async function insertWorkspace(
  tx: PoolClient,
  { id, name, plan, by }: { id: string; name: string; plan: PlanName; by: string },
): Promise<boolean> {
  const sql = 'insert into workspace (workspace_id, name, plan) values ($1, $2, $3) on conflict do nothing'
  const made = await tx.query(sql, [id, name, plan])
  if (made.rowCount === 0) return false
  await tx.query('insert into settings_version (workspace_id, number, body) values ($1, 1, $2)', [
    id,
    JSON.stringify(defaultSettings),
  ])
  await tx.query('insert into weights_version (workspace_id, number, w) values ($1, 1, $2)', [id, defaultWeights])
  await insertBrand(tx, { workspace: id, name: 'main', by })
  return true
}

/** A brand comes with its default catalog and its default dashboard. */
export async function insertBrand(
  tx: PoolClient,
  {
    workspace,
    name,
    platforms = [],
    by,
  }: { workspace: string; name: string; platforms?: readonly Platform[] | undefined; by: string },
): Promise<BrandRow> {
  const { rows } = await tx.query<BrandRow>(
    `insert into brand (brand_id, workspace_id, name, platforms) values ($1, $2, $3, $4) returning ${brandColumns}`,
    [randomUUID(), workspace, name, platforms],
  )
  const row = rows[0]
  if (!row) throw new Error('the brand was not made')
  const title = name === 'main' ? 'Main catalog' : `${name} catalog`
  await insertCatalog(tx, { workspace, brand: row.id, name: title, isDefault: true, autoPublish: 'off', by })
  await ensureDefaultDashboard(tx, row.id)
  return row
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

/** What is not given stays. A brand has one default: it must have given it up before. */
export async function updateCatalog(
  tx: PoolClient,
  id: string,
  to: { name?: string | undefined; autoPublish?: 'off' | 'after_gold' | undefined; isDefault?: boolean | undefined },
): Promise<CatalogRow | null> {
  const { rows } = await tx.query<CatalogRow>(
    `update catalog set name = coalesce($2, name), auto_publish = coalesce($3, auto_publish), is_default = coalesce($4, is_default), updated_at = now()
      where catalog_id = $1 and deleted_at is null returning ${catalogColumns}`,
    [id, to.name ?? null, to.autoPublish ?? null, to.isDefault ?? null],
  )
  return rows[0] ?? null
}

/** A deleted one is only seen by who brings it back. */
export async function isDeletedCatalog(tx: PoolClient, id: string): Promise<boolean> {
  const sql = 'select from catalog where catalog_id = $1 and deleted_at is not null'
  return (await tx.query(sql, [id])).rowCount === 1
}

export async function setAutoPublish(pool: Pool, catalog: string, mode: 'off' | 'after_gold'): Promise<void> {
  await pool.query('update catalog set auto_publish = $2 where catalog_id = $1', [catalog, mode])
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
    kept(`select ${catalogColumns} from catalog where catalog_id = $1 and deleted_at is null`, [id]),
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
