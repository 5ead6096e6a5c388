/** The durable state of background jobs, as callers poll it. */
import type { Pool, PoolClient } from 'pg'
import { type JobStatus, jobRules, statesBefore, unattended } from '../../schemas/job.ts'
import { jobSummary } from '../../schemas/job-summary.ts'
import { kept } from './kept.ts'

/** That the end is to be told by mail; null: nobody knows an address. */
export interface Notify {
  readonly to: string | null
}

/** It was cancelled or given up, or another process has ended it. */
export class JobEnded extends Error {
  constructor(id: string) {
    super(`job ${id} is not running`)
  }
}

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
  readonly by: string | null
  /** Cancelling was asked for; who runs it will end it. */
  readonly cancelling: boolean
  readonly notify: Notify | null
  /** `createdAt` to the microsecond, which a Date cannot hold. */
  readonly micros: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

const columns = `job_id as id, workspace_id as workspace, brand_id as brand, catalog_id as catalog, kind, status, input, done, total, cursor, result, error,
  created_by as by, cancel_asked_at is not null and status = 'active' as cancelling,
  case when notify_email then json_build_object('to', notify_to) end as notify, (extract(epoch from created_at) * 1000000)::bigint as micros,
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
    notify?: Notify | null | undefined
  },
): Promise<void> {
  await client.query(
    kept(
      `insert into job (job_id, workspace_id, brand_id, catalog_id, kind, input, created_by, notify_email, notify_to)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        job.id,
        job.workspace,
        job.brand,
        job.catalog,
        job.kind,
        JSON.stringify(job.input),
        job.by,
        Boolean(job.notify),
        job.notify?.to ?? null,
      ],
    ),
  )
}

export async function findJob(client: Pool | PoolClient, id: string): Promise<JobRow | null> {
  const { rows } = await client.query<JobRow>(kept(`select ${columns} from job where job_id = $1`, [id]))
  return rows[0] ?? null
}

export interface JobFilter {
  readonly kind?: string | undefined
  readonly status?: JobStatus | undefined
  readonly catalog?: string | undefined
  readonly since?: Date | undefined
}

/** Newest first. @param after the place that the page before ended with */
export async function listJobs(
  tx: PoolClient,
  { kind, status, catalog, since }: JobFilter,
  after: { readonly micros: number; readonly id: string } | null,
  limit: number,
): Promise<JobRow[]> {
  const { rows } = await tx.query<JobRow>(
    `select ${columns} from job
      where ($1::text is null or kind = $1) and ($2::text is null or status = $2) and ($3::uuid is null or catalog_id = $3)
        and ($4::timestamptz is null or created_at >= $4)
        and ($5::bigint is null or (created_at, job_id) < (to_timestamp(0) + $5 * interval '1 microsecond', $6::uuid))
      order by created_at desc, job_id desc limit $7`,
    [kind ?? null, status ?? null, catalog ?? null, since ?? null, after?.micros ?? null, after?.id ?? null, limit],
  )
  return rows
}

/** Held until the transaction ends, so that nobody picks it up meanwhile. */
export async function holdJob(tx: PoolClient, id: string): Promise<JobRow | null> {
  const { rows } = await tx.query<JobRow>(`select ${columns} from job where job_id = $1 for update`, [id])
  return rows[0] ?? null
}

/** A failed job is repeated once: whoever wants more repeats the repeat. */
export class RetriedBefore extends Error {
  readonly by: string
  constructor(by: string) {
    super(`job ${by} repeats it already`)
    this.by = by
  }
}

/** Held until the transaction ends, in which its repeat begins. @throws RetriedBefore */
export async function holdRetry(tx: PoolClient, id: string): Promise<void> {
  await holdJob(tx, id)
  const { rows } = await tx.query<{ by: string }>(
    `select n.job_id as by from job o
       join job n on n.workspace_id = o.workspace_id and n.created_at >= o.created_at and n.input ->> 'retry_of' = o.job_id::text
      where o.job_id = $1 limit 1`,
    [id],
  )
  if (rows[0]) throw new RetriedBefore(rows[0].by)
}

export async function askCancel(tx: PoolClient, id: string): Promise<void> {
  await tx.query(`update job set cancel_asked_at = coalesce(cancel_asked_at, now()) where job_id = $1`, [id])
}

/** @returns those of the given that are to stop */
export async function cancelsAsked(pool: Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    kept(
      `select job_id as id from job where job_id = any ($1::uuid[]) and status = 'active' and cancel_asked_at is not null`,
      [ids],
    ),
  )
  return rows.map(({ id }) => id)
}

/** A finished job stays as it ended. @returns false where it had ended already */
export async function startJob(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    kept(
      `update job set status = 'active', started_at = coalesce(started_at, now()) where job_id = $1 and status in ('queued', 'active')`,
      [id],
    ),
  )
  return rowCount === 1
}

export async function jobProgress(
  client: Pool | PoolClient,
  id: string,
  done: number,
  total: number | null,
): Promise<void> {
  await client.query(
    kept(
      `update job set done = $2, total = coalesce($3, total) where job_id = $1 and status = 'active' and (done, total) is distinct from ($2, coalesce($3, total))`,
      [id, done, total],
    ),
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
    kept(
      `update job set cursor = $3, done = $4, total = coalesce($5, total)
      where job_id = $1 and status = 'active' and cursor is not distinct from $2::jsonb`,
      [id, from === null ? null : JSON.stringify(from), JSON.stringify(to), done, total],
    ),
  )
  return rowCount === 1
}

/**
 * In one statement the job ends, its event is in the outbox, who started it is told, and a mail lies ready where one was asked for:
 * none without the others, whoever ends it. A result that is too large for an event is read at the job.
 */
const endSql = `
  with ended as (
    update job set status = $2, result = coalesce($3, result), error = $4, finished_at = now(),
                   done = case when $2 = 'completed' then coalesce(total, done) else done end
     where job_id = any ($1::uuid[]) and status = any ($5)
    returning job_id, workspace_id, brand_id, catalog_id, kind, created_by, notify_to, result, coalesce($9, $6::jsonb ->> kind, kind) as title),
  noted as (
    insert into outbox (subscription, kind, cause, workspace_id, brand_id, catalog_id, position, body)
    select '*', 'job.' || $2, 'job:' || job_id, workspace_id, brand_id, catalog_id, result ->> 'position',
           jsonb_build_object('job_id', job_id, 'kind', kind, 'status', $2::text, 'catalog_id', catalog_id, 'title', title, 'text', $7::text,
             'result', case when octet_length(result::text) <= 16000 then result end, 'error', $4::jsonb) from ended
    on conflict do nothing),
  told as (
    insert into notification (workspace_id, brand_id, subject, kind, job_id, title, says)
    select workspace_id, brand_id, created_by, 'job.' || $2, job_id, title, $7 from ended
     where created_by is not null and created_by <> all ($8)),
  mailed as (
    insert into mail (workspace_id, job_id, recipient, subject, body)
    select workspace_id, job_id, notify_to, title, $7 from ended where notify_to is not null)
  select count(*)::int as n from ended`

const titles = (end: 'completed' | 'failed') =>
  JSON.stringify(Object.fromEntries(Object.entries(jobRules).map(([kind, words]) => [kind, words[end]])))
const titlesOf = { completed: titles('completed'), failed: titles('failed') }

async function endJobs(
  client: Pool | PoolClient,
  ids: readonly string[],
  to: 'completed' | 'failed',
  {
    result,
    error,
    says,
    title,
  }: { result?: unknown; error?: { code: string; message: string }; says: string; title?: string | undefined },
): Promise<boolean> {
  const { rows } = await client.query<{ n: number }>(
    kept(endSql, [
      ids,
      to,
      result === undefined ? null : JSON.stringify(result),
      error === undefined ? null : JSON.stringify(error),
      statesBefore(to),
      titlesOf[to],
      says,
      unattended,
      title ?? null,
    ]),
  )
  return (rows[0]?.n ?? 0) > 0
}

/**
 * @param told to people in place of what the kind and the result say
 * @throws JobEnded where it is not running: its effect, in the same transaction, must not stand then
 */
export async function completeJob(
  client: Pool | PoolClient,
  id: string,
  result: unknown,
  told?: { readonly title: string; readonly says: string },
): Promise<void> {
  const end = { result, says: told?.says ?? jobSummary(result), title: told?.title }
  if (!(await endJobs(client, [id], 'completed', end))) throw new JobEnded(id)
}

/** Nothing where it has ended already. @param result what was done nevertheless */
export async function failJob(
  client: Pool | PoolClient,
  id: string,
  code: string,
  message: string,
  result?: unknown,
): Promise<void> {
  await endJobs(client, [id], 'failed', { result, error: { code, message }, says: message })
}

/** All that waits or runs on a catalog. */
export async function failJobsOf(tx: PoolClient, catalog: string, code: string, message: string): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `select job_id as id from job where catalog_id = $1 and status in ('queued', 'active') order by job_id for update`,
    [catalog],
  )
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await endJobs(tx, ids, 'failed', { error: { code, message }, says: message })
}
