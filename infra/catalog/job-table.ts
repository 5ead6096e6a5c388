/** The durable state of background jobs, as callers poll it. */
import type { Pool, PoolClient } from 'pg'

export type JobStatus = 'queued' | 'active' | 'completed' | 'failed'

export interface JobRow {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string | null
  readonly kind: string
  readonly status: JobStatus
  readonly input: Record<string, unknown>
  readonly done: number
  readonly total: number | null
  /** How far a job that appends records has come; null before its first step. */
  readonly cursor: unknown
  readonly result: unknown
  readonly error: { code: string; message: string } | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

const columns = `job_id as id, workspace_id as workspace, brand_id as brand, catalog_id as catalog, kind, status, input, done, total, cursor, result, error,
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"`

export async function insertJob(
  client: Pool | PoolClient,
  job: {
    id: string
    workspace: string
    brand: string
    catalog: string | null
    kind: string
    input: unknown
    by: string
  },
): Promise<void> {
  await client.query(
    'insert into job (job_id, workspace_id, brand_id, catalog_id, kind, input, created_by) values ($1, $2, $3, $4, $5, $6, $7)',
    [job.id, job.workspace, job.brand, job.catalog, job.kind, JSON.stringify(job.input), job.by],
  )
}

export async function findJob(client: Pool | PoolClient, id: string): Promise<JobRow | null> {
  const { rows } = await client.query<JobRow>(`select ${columns} from job where job_id = $1`, [id])
  return rows[0] ?? null
}

/** A finished job stays as it ended. @returns false where it had ended already */
export async function startJob(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update job set status = 'active', started_at = coalesce(started_at, now()) where job_id = $1 and status in ('queued', 'active')`,
    [id],
  )
  return rowCount === 1
}

export async function jobProgress(pool: Pool, id: string, done: number, total: number | null): Promise<void> {
  await pool.query(
    `update job set done = $2, total = coalesce($3, total) where job_id = $1 and status = 'active' and (done, total) is distinct from ($2, coalesce($3, total))`,
    [id, done, total],
  )
}

/**
 * Moves a running job on in the transaction of what it did.
 * @returns false where it does not stand at `from`, or has ended
 */
export async function moveJob(
  tx: PoolClient,
  id: string,
  { from, to, done, total }: { from: unknown; to: unknown; done: number; total: number | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update job set cursor = $3, done = $4, total = coalesce($5, total)
      where job_id = $1 and status = 'active' and cursor is not distinct from $2::jsonb`,
    [id, from === null ? null : JSON.stringify(from), JSON.stringify(to), done, total],
  )
  return rowCount === 1
}

export async function completeJob(client: Pool | PoolClient, id: string, result: unknown): Promise<void> {
  await client.query(
    `update job set status = 'completed', result = $2, done = coalesce(total, done), finished_at = now() where job_id = $1 and status <> 'completed'`,
    [id, JSON.stringify(result)],
  )
}

export async function failJob(client: Pool | PoolClient, id: string, code: string, message: string): Promise<void> {
  await client.query(
    `update job set status = 'failed', error = $2, finished_at = now() where job_id = $1 and status in ('queued', 'active')`,
    [id, JSON.stringify({ code, message })],
  )
}
