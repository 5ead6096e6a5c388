/** Brands of a workspace; under policy, so that a principal meets its own alone. */
import type { Pool, PoolClient } from 'pg'
import type { Platform } from '../../schemas/feeds/profile.ts'
import { deleteDashboards } from './dashboards.ts'
import { deleteTargets } from './feed-targets.ts'
import { forgetTold } from './search-told.ts'
import { deleteWebhooks } from './webhooks.ts'

export interface BrandRow {
  readonly id: string
  readonly name: string
  /** Those that a feed-ready product must be valid for; none: Google. */
  readonly platforms: readonly Platform[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const brandColumns = `brand_id as id, name, platforms, created_at as "createdAt", updated_at as "updatedAt"`

export async function listBrands(tx: PoolClient, after: string | null, limit: number): Promise<BrandRow[]> {
  const { rows } = await tx.query<BrandRow>(
    `select ${brandColumns} from brand
      where deleted_at is null and ($1::uuid is null or brand_id > $1) order by brand_id limit $2`,
    [after, limit],
  )
  return rows
}

export const findBrand = (tx: PoolClient, id: string) => brandFor(tx, id, '')

/** Keeps it from being removed until the transaction ends: for who puts something under it. */
export const holdBrand = (tx: PoolClient, id: string) => brandFor(tx, id, 'for key share')

/** For who changes it; waits for those who hold it. */
export const lockBrand = (tx: PoolClient, id: string) => brandFor(tx, id, 'for update')

async function brandFor(tx: PoolClient, id: string, lock: string): Promise<BrandRow | null> {
  const sql = `select ${brandColumns} from brand where brand_id = $1 and deleted_at is null ${lock}`
  const { rows } = await tx.query<BrandRow>(sql, [id])
  return rows[0] ?? null
}

/** What is not given stays. */
export async function updateBrand(
  tx: PoolClient,
  id: string,
  { name, platforms }: { name?: string | undefined; platforms?: readonly Platform[] | undefined },
): Promise<BrandRow | null> {
  const { rows } = await tx.query<BrandRow>(
    `update brand set name = coalesce($2, name), platforms = coalesce($3, platforms), updated_at = now()
      where brand_id = $1 and deleted_at is null returning ${brandColumns}`,
    [id, name ?? null, platforms ?? null],
  )
  return rows[0] ?? null
}

/** Of any brand, for who has checked that it is the caller's. */
export async function platformsOf(pool: Pool, id: string): Promise<readonly Platform[]> {
  const sql = 'select platforms from brand where brand_id = $1'
  const { rows } = await pool.query<Pick<BrandRow, 'platforms'>>(sql, [id])
  return rows[0]?.platforms ?? []
}

/** One that is being brought back is one of them. */
export async function hasCatalogs(tx: PoolClient, id: string): Promise<boolean> {
  const sql = `select from catalog c where brand_id = $1
    and (deleted_at is null or exists (select from job j where j.job_id = c.undelete_job and j.status in ('queued', 'active'))) limit 1`
  return (await tx.query(sql, [id])).rowCount === 1
}

/** Its keys end with it, its dashboards, its webhooks, its synonyms and rules of search. @returns the keys' prefixes */
export async function removeBrand(tx: PoolClient, id: string): Promise<string[]> {
  await deleteDashboards(tx, id)
  await deleteWebhooks(tx, id)
  await deleteTargets(tx, id)
  await forgetTold(tx, id)
  await tx.query('update brand set deleted_at = now(), updated_at = now() where brand_id = $1', [id])
  const { rows } = await tx.query<{ prefix: string }>(
    'update api_key set revoked_at = now() where brand_id = $1 and revoked_at is null returning prefix',
    [id],
  )
  return rows.map(({ prefix }) => prefix)
}

/** Of any brand that there is, for who asks without being anyone's. */
export async function workspaceOf(pool: Pool, brand: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    'select workspace_id as id from brand where brand_id = $1 and deleted_at is null',
    [brand],
  )
  return rows[0]?.id ?? null
}

/** @param name `main` for the workspace's own brand */
export async function brandNamed(client: Pool | PoolClient, workspace: string, name: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    'select brand_id as id from brand where workspace_id = $1 and name = $2 and deleted_at is null',
    [workspace, name],
  )
  return rows[0]?.id ?? null
}

/** Of these the ones that there are. */
export async function knownBrands(tx: PoolClient, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const sql = 'select brand_id as id from brand where brand_id = any ($1::uuid[]) and deleted_at is null for key share'
  const { rows } = await tx.query<{ id: string }>(sql, [ids])
  return new Set(rows.map(({ id }) => id))
}
