/** Files of imports that are kept no longer: those whose every import of the same bytes is old and has ended. */
import type { Pool } from 'pg'

const stepFiles = 100

/** @returns at most a hundred */
export async function filesPastKeeping(pool: Pool, keptDays: number): Promise<string[]> {
  const { rows } = await pool.query<{ spool: string }>(
    `select spool from import where file_gone_at is null and spool <> '' group by spool
     having max(created_at) < now() - $1 * interval '1 day'
        and bool_and(state in ('completed', 'failed', 'discarded')) limit ${stepFiles}`,
    [keptDays],
  )
  return rows.map(({ spool }) => spool)
}

/** @returns those of these files that an import has */
export async function claimedFiles(pool: Pool, files: readonly string[]): Promise<Set<string>> {
  const sql = 'select distinct spool from import where spool = any ($1) and file_gone_at is null'
  return new Set((await pool.query<{ spool: string }>(sql, [files])).rows.map(({ spool }) => spool))
}

/** Of imports that began before the file was looked at: the same bytes may have been sent again since. */
export async function markFileGone(pool: Pool, spool: string, keptDays: number): Promise<void> {
  await pool.query(
    `update import set file_gone_at = now() where spool = $1 and created_at < now() - $2 * interval '1 day'`,
    [spool, keptDays],
  )
}
