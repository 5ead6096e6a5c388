/** Uploads in numbered parts: which parts of a file are there, until they are one import. */
import type { Pool, PoolClient } from 'pg'

export interface UploadRow {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly fileName: string
  readonly size: number | null
  readonly sha256: string | null
  readonly by: string
  /** That imports it: then it is complete and has no parts any more. */
  readonly job: string | null
  readonly createdAt: Date
  readonly touchedAt: Date
}

export interface PartRow {
  readonly part: number
  /** Its name in the upload's folder. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

const columns = `upload_id as id, workspace_id as workspace, brand_id as brand, file_name as "fileName", size, sha256, created_by as by,
  job_id as job, created_at as "createdAt", touched_at as "touchedAt"`
/** One that was given up is gone. */
const isThere = '(ended_at is null or job_id is not null)'

/** @returns an open one of the same file by the same caller, else a new one */
export async function beginUpload(
  tx: PoolClient,
  u: Pick<UploadRow, 'id' | 'workspace' | 'brand' | 'fileName' | 'size' | 'sha256' | 'by'>,
): Promise<UploadRow> {
  // Two that begin the same file at once begin one upload.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('upload:' || $1 || ' ' || $2, 0))`, [u.workspace, u.by])
  const same = await tx.query<UploadRow>(
    `select ${columns} from upload
      where workspace_id = $1 and brand_id = $2 and created_by = $3 and file_name = $4 and size = $5 and sha256 = $6 and ended_at is null
      order by created_at limit 1`,
    [u.workspace, u.brand, u.by, u.fileName, u.size, u.sha256],
  )
  if (same.rows[0]) return same.rows[0]
  const { rows } = await tx.query<UploadRow>(
    `insert into upload (upload_id, workspace_id, brand_id, file_name, size, sha256, created_by) values ($1, $2, $3, $4, $5, $6, $7)
     returning ${columns}`,
    [u.id, u.workspace, u.brand, u.fileName, u.size, u.sha256, u.by],
  )
  if (!rows[0]) throw new Error('the upload was not begun')
  return rows[0]
}

export async function findUpload(client: Pool | PoolClient, id: string): Promise<UploadRow | null> {
  const sql = `select ${columns} from upload where upload_id = $1 and ${isThere}`
  return (await client.query<UploadRow>(sql, [id])).rows[0] ?? null
}

/** Whoever changes it follows one another. */
export async function holdUpload(tx: PoolClient, id: string): Promise<{ job: string | null } | null> {
  const sql = `select job_id as job from upload where upload_id = $1 and ${isThere} for update`
  return (await tx.query<{ job: string | null }>(sql, [id])).rows[0] ?? null
}

export async function listParts(client: Pool | PoolClient, id: string): Promise<PartRow[]> {
  const { rows } = await client.query<PartRow>(
    'select part, file, bytes, sha256 from upload_part where upload_id = $1 order by part',
    [id],
  )
  return rows
}

/** @returns what stood under its number before, and the bytes of all other parts */
export async function besidePart(
  client: Pool | PoolClient,
  id: string,
  part: number,
): Promise<{ former: PartRow | null; others: number }> {
  const { rows } = await client.query<PartRow>(
    'select part, file, bytes, sha256 from upload_part where upload_id = $1 and part = $2',
    [id, part],
  )
  const sum = await client.query<{ others: number }>(
    'select coalesce(sum(bytes), 0)::bigint as others from upload_part where upload_id = $1 and part <> $2',
    [id, part],
  )
  return { former: rows[0] ?? null, others: sum.rows[0]?.others ?? 0 }
}

export async function putPart(
  tx: PoolClient,
  { id, workspace, brand }: Pick<UploadRow, 'id' | 'workspace' | 'brand'>,
  { part, file, bytes, sha256 }: PartRow,
): Promise<void> {
  await tx.query(
    `insert into upload_part (upload_id, part, workspace_id, brand_id, file, bytes, sha256) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (upload_id, part) do update set file = excluded.file, bytes = excluded.bytes, sha256 = excluded.sha256`,
    [id, part, workspace, brand, file, bytes, sha256],
  )
  await tx.query('update upload set touched_at = now() where upload_id = $1', [id])
}

/** It has ended: as this import, or as nothing. Its parts count no more. */
export async function endUpload(tx: PoolClient, id: string, job: string | null): Promise<void> {
  await tx.query('update upload set job_id = $2, ended_at = now() where upload_id = $1', [id, job])
  await tx.query('delete from upload_part where upload_id = $1', [id])
}

/** Those that nobody has sent a part of for so long. */
export async function staleUploads(pool: Pool, keptDays: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select upload_id as id from upload where ended_at is null and touched_at < now() - $1 * interval '1 day' limit 100`,
    [keptDays],
  )
  return rows.map(({ id }) => id)
}

/** @returns false where it was touched or ended meanwhile */
export async function isStale(tx: PoolClient, id: string, keptDays: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from upload where upload_id = $1 and ended_at is null and touched_at < now() - $2 * interval '1 day' for update`,
    [id, keptDays],
  )
  return rowCount === 1
}

/** Ended a while ago, and their folders may still hold files. */
export async function unclearedUploads(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select upload_id as id from upload where ended_at < now() - interval '10 minutes' and cleared_at is null limit 1000`,
  )
  return rows.map(({ id }) => id)
}

export async function uploadsCleared(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query('update upload set cleared_at = now() where upload_id = any ($1::uuid[])', [ids])
}
