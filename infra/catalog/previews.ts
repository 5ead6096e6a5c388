/** Files that were previewed, kept for a while so that they can be imported as they are. */
import type { Pool, PoolClient } from 'pg'
import type { NewImport } from './imports.ts'

export interface PreviewRow extends NewImport {
  /** That imports it, once somebody asked for that. */
  readonly importJob: string | null
}

const columns = `preview_id as id, workspace_id as workspace, brand_id as brand, catalog_id as catalog, job_id as job, source,
  file_name as "fileName", spool, bytes, sha256, options, created_by as by, import_job_id as "importJob"`

export async function insertPreview(tx: PoolClient, p: NewImport): Promise<void> {
  await tx.query(
    `insert into preview (preview_id, workspace_id, brand_id, catalog_id, job_id, source, file_name, spool, bytes, sha256, options, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [p.id, p.workspace, p.brand, p.catalog, p.job, p.source, p.fileName, p.spool, p.bytes, p.sha256, p.options, p.by],
  )
}

export async function findPreview(client: Pool | PoolClient, id: string): Promise<PreviewRow | null> {
  const { rows } = await client.query<PreviewRow>(`select ${columns} from preview where preview_id = $1`, [id])
  return rows[0] ?? null
}

/** The preview that a job makes. */
export async function findPreviewOf(pool: Pool, job: string): Promise<PreviewRow | null> {
  const { rows } = await pool.query<PreviewRow>(`select ${columns} from preview where job_id = $1`, [job])
  return rows[0] ?? null
}

/** @returns null where it is kept no longer; two that import it follow one another */
export async function holdPreview(tx: PoolClient, id: string): Promise<{ job: string | null } | null> {
  const sql = 'select import_job_id as job from preview where preview_id = $1 for update'
  return (await tx.query<{ job: string | null }>(sql, [id])).rows[0] ?? null
}

export async function previewImported(tx: PoolClient, id: string, job: string): Promise<void> {
  await tx.query('update preview set import_job_id = $2 where preview_id = $1', [id, job])
}

/** Not while its job runs. @returns the files of those that are kept no longer */
export async function dropPreviews(pool: Pool, keptDays: number): Promise<string[]> {
  const { rows } = await pool.query<{ spool: string }>(
    `delete from preview p where created_at < now() - $1 * interval '1 day'
        and not exists (select from job j where j.job_id = p.job_id and j.status in ('queued', 'active'))
      returning spool`,
    [keptDays],
  )
  return rows.map(({ spool }) => spool)
}

/** @returns those of these files that a preview has */
export async function previewFiles(pool: Pool, files: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ spool: string }>('select spool from preview where spool = any ($1)', [files])
  return new Set(rows.map(({ spool }) => spool))
}
