/** Workspaces: those of a person, asked before any principal is known; and one, under policy. */
import type { Pool, PoolClient } from 'pg'
import type { PlanName } from '../../schemas/plan.ts'
import { kept } from './kept.ts'

export interface WorkspaceRow {
  readonly id: string
  readonly name: string
  readonly plan: PlanName
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `workspace_id as id, name, plan, created_at as "createdAt", updated_at as "updatedAt"`

/** @param own the workspace that a token of the local issuer names, whose bearer need be no member */
export async function listWorkspacesOf(
  pool: Pool,
  { subject, own }: { subject: string; own: string | null },
  after: string | null,
  limit: number,
): Promise<WorkspaceRow[]> {
  const { rows } = await pool.query<WorkspaceRow>(
    `select ${columns} from workspace
      where deleted_at is null and ($3::text is null or workspace_id collate "C" > $3)
        and (workspace_id = $2 or workspace_id in (select workspace_id from member where subject = $1))
      order by workspace_id collate "C" limit $4`,
    [subject, own, after, limit],
  )
  return rows
}

export async function findWorkspace(client: Pool | PoolClient, id: string): Promise<WorkspaceRow | null> {
  const sql = `select ${columns} from workspace where workspace_id = $1 and deleted_at is null`
  return (await client.query<WorkspaceRow>(kept(sql, [id]))).rows[0] ?? null
}

/** Whoever changes who is in it, its name or its policy follows one another; it goes before all other locks. */
export async function lockWorkspace(tx: PoolClient, id: string): Promise<void> {
  await tx.query('select from workspace where workspace_id = $1 for no key update', [id])
}

export async function renameWorkspace(tx: PoolClient, id: string, name: string): Promise<WorkspaceRow | null> {
  const { rows } = await tx.query<WorkspaceRow>(
    `update workspace set name = $2, updated_at = now() where workspace_id = $1 and deleted_at is null returning ${columns}`,
    [id, name],
  )
  return rows[0] ?? null
}

/** Its rows stay; nobody reaches them. @returns null where it was gone */
export async function removeWorkspace(tx: PoolClient, id: string): Promise<WorkspaceRow | null> {
  const { rows } = await tx.query<WorkspaceRow>(
    `update workspace set deleted_at = now(), updated_at = now() where workspace_id = $1 and deleted_at is null returning ${columns}`,
    [id],
  )
  return rows[0] ?? null
}

/** Singles and parents. Reads every row: ask seldom. */
export async function countWorkspaceProducts(pool: Pool, id: string): Promise<number> {
  const { rows } = await pool.query<{ products: number }>(
    `select count(*) as products from products p join catalog c on c.catalog_id = p.catalog_id
      where c.workspace_id = $1 and c.deleted_at is null and p.alive and p.kind <> 'variant'`,
    [id],
  )
  return rows[0]?.products ?? 0
}

export async function countUsage(pool: Pool, id: string): Promise<{ members: number; storedBytes: number }> {
  const { rows } = await pool.query<{ members: number; storedBytes: number }>(
    `select (select count(*) from member where workspace_id = $1) as members,
            ((select coalesce(sum(bytes), 0) from import where workspace_id = $1 and file_gone_at is null)
             + (select coalesce(sum(bytes), 0) from preview where workspace_id = $1 and import_job_id is null)
             + (select coalesce(sum(bytes), 0) from upload_part where workspace_id = $1)
             + (select coalesce(sum(bytes), 0) from feed_file where workspace_id = $1 and state <> 'refused'))::bigint as "storedBytes"`,
    [id],
  )
  return rows[0] ?? { members: 0, storedBytes: 0 }
}

/** Workspaces that a person owns; two that make one at once follow one another. */
export async function countOwned(tx: PoolClient, subject: string): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('owner:' || $1, 0))`, [subject])
  const { rows } = await tx.query<{ n: number }>(
    `select count(*) as n from member m join workspace w on w.workspace_id = m.workspace_id and w.deleted_at is null
      where m.subject = $1 and m.role = 'owner'`,
    [subject],
  )
  return rows[0]?.n ?? 0
}
