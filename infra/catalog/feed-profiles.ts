/** Profiles of feeds that workspaces made of a platform's: numbered versions that never change. */
import type { Pool, PoolClient } from 'pg'
import type { OwnProfile } from '../../schemas/feeds/own-rules.ts'

export interface OwnProfileRow extends OwnProfile {
  readonly createdBy: string
  readonly createdAt: Date
}

const columns = `name, version, platform, platform_version as "platformVersion", rules, created_by as "createdBy", created_at as "createdAt"`

/** @param version the newest where none is named */
export async function findOwnProfile(
  client: Pool | PoolClient,
  workspace: string,
  name: string,
  version?: number,
): Promise<OwnProfileRow | null> {
  const { rows } = await client.query<OwnProfileRow>(
    `select ${columns} from feed_profile
      where workspace_id = $1 and name = $2 and ($3::int is null or version = $3) and withdrawn_at is null order by version desc limit 1`,
    [workspace, name, version ?? null],
  )
  return rows[0] ?? null
}

/** Under policy, which knows the workspace. */
export async function isOwnProfile(tx: PoolClient, name: string): Promise<boolean> {
  const sql = 'select from feed_profile where name = $1 and withdrawn_at is null limit 1'
  return (await tx.query(sql, [name])).rowCount === 1
}

/** The newest of each name, in order of names. */
export async function listOwnProfiles(
  tx: PoolClient,
  workspace: string,
  after: string | null,
  limit: number,
): Promise<OwnProfileRow[]> {
  const { rows } = await tx.query<OwnProfileRow>(
    `select distinct on (name) ${columns} from feed_profile
      where workspace_id = $1 and withdrawn_at is null and ($2::text is null or name > $2) order by name, version desc limit $3`,
    [workspace, after, limit],
  )
  return rows
}

/** The newest first. */
export async function ownVersions(tx: PoolClient, workspace: string, name: string): Promise<number[]> {
  const { rows } = await tx.query<{ version: number }>(
    'select version from feed_profile where workspace_id = $1 and name = $2 and withdrawn_at is null order by version desc',
    [workspace, name],
  )
  return rows.map(({ version }) => version)
}

export async function countOwnProfiles(tx: PoolClient, workspace: string): Promise<number> {
  const sql = 'select count(distinct name)::int as n from feed_profile where workspace_id = $1 and withdrawn_at is null'
  return (await tx.query<{ n: number }>(sql, [workspace])).rows[0]?.n ?? 0
}

/** Until the transaction ends nobody else changes it: two versions at once would take one number. */
export async function holdOwnProfile(tx: PoolClient, workspace: string, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`feed_profile ${workspace} ${name}`])
}

/** Numbers go on behind those of a withdrawn one. */
export async function insertOwnProfile(
  tx: PoolClient,
  workspace: string,
  p: Omit<OwnProfile, 'version'>,
  by: string,
): Promise<OwnProfileRow> {
  const { rows } = await tx.query<OwnProfileRow>(
    `insert into feed_profile (workspace_id, name, version, platform, platform_version, rules, created_by)
     select $1, $2, 1 + coalesce((select max(version) from feed_profile where workspace_id = $1 and name = $2), 0), $3, $4, $5, $6
     returning ${columns}`,
    [workspace, p.name, p.platform, p.platformVersion, JSON.stringify(p.rules), by],
  )
  const [row] = rows
  if (!row) throw new Error('the profile was not written')
  return row
}

/** Brands that are on it. */
export async function brandsOn(tx: PoolClient, workspace: string, name: string): Promise<string[]> {
  const sql = 'select brand_id as brand from feed_distribution where workspace_id = $1 and platform = $2 and enabled'
  return (await tx.query<{ brand: string }>(sql, [workspace, name])).rows.map(({ brand }) => brand)
}

/** @returns whether there was one */
export async function withdrawOwnProfile(tx: PoolClient, workspace: string, name: string): Promise<boolean> {
  const sql =
    'update feed_profile set withdrawn_at = now() where workspace_id = $1 and name = $2 and withdrawn_at is null'
  return ((await tx.query(sql, [workspace, name])).rowCount ?? 0) > 0
}
