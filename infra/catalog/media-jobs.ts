/** Media jobs and their moves: pictures that a model makes or changes. Their makers use the pipeline's role; reading and cancelling is under policy. */
import type { Pool, PoolClient } from 'pg'
import { type MediaStatus, mediaBefore } from '../../schemas/media-job.ts'

export interface MediaJobRow {
  readonly id: string
  readonly brand: string
  readonly product: string | null
  readonly kind: string
  readonly status: MediaStatus
  /** That were used; null until they are known. */
  readonly provider: string | null
  readonly model: string | null
  readonly result: unknown
  readonly error: { code: string; message: string } | null
  readonly by: string
  /** `createdAt` to the microsecond, which a Date cannot hold. */
  readonly micros: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

const columns = `media_job_id as id, brand_id as brand, product_id as product, kind, status, provider, model, result, error, created_by as by,
  (extract(epoch from created_at) * 1000000)::bigint as micros, created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"`

export async function insertMediaJob(
  client: Pool | PoolClient,
  j: { id: string; workspace: string; brand: string; product: string | null; kind: string; input: unknown; by: string },
): Promise<void> {
  await client.query(
    `insert into media_job (media_job_id, workspace_id, brand_id, product_id, kind, input, created_by) values ($1, $2, $3, $4, $5, $6, $7)`,
    [j.id, j.workspace, j.brand, j.product, j.kind, JSON.stringify(j.input), j.by],
  )
}

/** @returns false where it was taken up, or cancelled, before */
export async function startMediaJob(client: Pool | PoolClient, id: string): Promise<boolean> {
  const sql = `update media_job set status = 'processing', started_at = now() where media_job_id = $1 and status = any ($2)`
  return (await client.query(sql, [id, mediaBefore('processing')])).rowCount === 1
}

/** What did the work, which may be another than was asked for. */
export interface Used {
  readonly provider: string
  readonly model: string
}

const endSql = `
  update media_job set status = $2, result = $3, error = $4, provider = coalesce($5, provider), model = coalesce($6, model), finished_at = now()
   where media_job_id = $1 and status = any ($7)`

/** @returns false where it was cancelled meanwhile: what was made is not kept */
export async function completeMediaJob(
  client: Pool | PoolClient,
  id: string,
  used: Used,
  result: unknown,
): Promise<boolean> {
  const values = [id, 'completed', JSON.stringify(result), null, used.provider, used.model, mediaBefore('completed')]
  return (await client.query(endSql, values)).rowCount === 1
}

/** @param used null: it failed before anything was asked */
export async function failMediaJob(
  client: Pool | PoolClient,
  id: string,
  used: Used | null,
  error: { code: string; message: string },
): Promise<boolean> {
  const by = [used?.provider ?? null, used?.model ?? null]
  const values = [id, 'failed', null, JSON.stringify(error), ...by, mediaBefore('failed')]
  return (await client.query(endSql, values)).rowCount === 1
}

/** @returns false where it has ended */
export async function cancelMediaJob(tx: PoolClient, id: string): Promise<boolean> {
  const sql = `update media_job set status = 'cancelled', finished_at = now() where media_job_id = $1 and status = any ($2)`
  return (await tx.query(sql, [id, mediaBefore('cancelled')])).rowCount === 1
}

export async function findMediaJob(client: Pool | PoolClient, id: string): Promise<MediaJobRow | null> {
  const { rows } = await client.query<MediaJobRow>(`select ${columns} from media_job where media_job_id = $1`, [id])
  return rows[0] ?? null
}

/** Newest first. @param after the place that the page before ended with */
export async function listMediaJobs(
  tx: PoolClient,
  status: MediaStatus | undefined,
  after: { readonly micros: number; readonly id: string } | null,
  limit: number,
): Promise<MediaJobRow[]> {
  const { rows } = await tx.query<MediaJobRow>(
    `select ${columns} from media_job
      where ($1::text is null or status = $1)
        and ($2::bigint is null or (created_at, media_job_id) < (to_timestamp(0) + $2 * interval '1 microsecond', $3::uuid))
      order by created_at desc, media_job_id desc limit $4`,
    [status ?? null, after?.micros ?? null, after?.id ?? null, limit],
  )
  return rows
}
