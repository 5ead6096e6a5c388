/** What access is decided by: keys by prefix, memberships by subject, a workspace's policy, whether it has a brand. Asked before a principal is known, so by the pipeline's role. */
import type { Pool } from 'pg'
import type { Action, Role } from '../../schemas/access.ts'

export interface KeyFacts {
  readonly id: string
  readonly workspace: string
  /** null: the whole workspace. */
  readonly brand: string | null
  readonly secretHash: Buffer
  readonly scopes: readonly Action[]
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

export interface Membership {
  readonly workspace: string
  readonly subject: string
  readonly role: Role
  readonly allBrands: boolean
  readonly brands: readonly string[]
}

export interface Policy {
  /** CIDR texts; empty: from everywhere. */
  readonly ipAllow: readonly string[]
  readonly sessionMinutes: number | null
  readonly requireSecondFactor: boolean
}

export async function findKey(pool: Pool, prefix: string): Promise<KeyFacts | null> {
  const { rows } = await pool.query<KeyFacts>(
    `select k.key_id as id, k.workspace_id as workspace, k.brand_id as brand, k.secret_hash as "secretHash", k.scopes,
            k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
       from api_key k join workspace w on w.workspace_id = k.workspace_id and w.deleted_at is null
      where k.prefix = $1`,
    [prefix],
  )
  return rows[0] ?? null
}

/** Once a minute at most: a busy key must not make its row hot. */
export async function touchKey(pool: Pool, id: string): Promise<void> {
  await pool.query(
    `update api_key set last_used_at = now() where key_id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [id],
  )
}

export async function findMemberships(pool: Pool, subject: string): Promise<Membership[]> {
  const { rows } = await pool.query<Membership>(
    `select m.workspace_id as workspace, m.subject, m.role, m.all_brands as "allBrands", m.brand_ids as brands
       from member m join workspace w on w.workspace_id = m.workspace_id and w.deleted_at is null
      where m.subject = $1 order by m.workspace_id limit 1000`,
    [subject],
  )
  return rows
}

/** @returns null where there is no such workspace */
export async function findPolicy(pool: Pool, workspace: string): Promise<Policy | null> {
  const { rows } = await pool.query<Policy & { known: boolean }>(
    `select coalesce(p.ip_allow, '{}') as "ipAllow", p.session_minutes as "sessionMinutes",
            coalesce(p.require_second_factor, false) as "requireSecondFactor"
       from workspace w left join workspace_policy p on p.workspace_id = w.workspace_id
      where w.workspace_id = $1 and w.deleted_at is null`,
    [workspace],
  )
  return rows[0] ?? null
}

export async function hasBrand(pool: Pool, workspace: string, brand: string): Promise<boolean> {
  const sql = 'select from brand where workspace_id = $1 and brand_id = $2 and deleted_at is null'
  return (await pool.query(sql, [workspace, brand])).rowCount === 1
}
