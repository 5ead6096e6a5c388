/** Imports as rows: how far each has come, and which of a source goes first. */
import type { Pool, PoolClient } from 'pg'
import { kept } from './kept.ts'

export interface ImportRow {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly job: string
  readonly source: string
  readonly context: number | null
  readonly state: string
  readonly fileName: string
  readonly spool: string
  readonly options: {
    readonly map?: Record<string, string>
    readonly kind?: 'csv' | 'ndjson' | 'json' | 'xml' | 'xlsx' | 'parquet' | 'arrow'
    readonly encoding?: string
    readonly sheet?: string
    /** What its text is written in, as it was found when the file came. */
    readonly found?: {
      readonly encoding: string
      readonly markBytes: number
      readonly whole: boolean
      readonly note: string
    }
    readonly sourceReason?: string
    /** The address that the file is fetched from, once: until then the row has no file. */
    readonly fetch?: { readonly url: string; readonly source: string | null }
    readonly fetched?: Fetched
    /** What the file lacks is withdrawn. */
    readonly snapshot?: boolean
    /** A file of rejected rows, corrected: some rows only. */
    readonly rejects?: boolean
  }
  /** Someone let it go on beyond the guard. */
  readonly released: boolean
  readonly undone: boolean
  /** The last product that a snapshot has withdrawn, in order of ids. */
  readonly withdrawnTo: string | null
  readonly read: number
  readonly appendedSeq: number
  readonly offsets: ImportOffsets | null
  readonly by: string | null
}

/** What the host said of the file that it gave. */
export interface Fetched {
  /** The last address, without its query, which may hold secrets. */
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** Per partition: the first offset of this import and one past its last; null where it has none there. */
export interface ImportOffsets {
  readonly epoch: number
  readonly from: readonly (number | null)[]
  readonly to: readonly (number | null)[]
}

const importColumns = `import_id as id, workspace_id as workspace, brand_id as brand, catalog_id as catalog, job_id as job, source, context_id as context,
  state, file_name as "fileName", spool, options, read, appended_seq as "appendedSeq", offsets, created_by as by,
  released_at is not null as released, undone_at is not null as undone, withdrawn_to as "withdrawnTo"`

export async function findImport(pool: Pool, id: string): Promise<ImportRow | null> {
  const { rows } = await pool.query<ImportRow>(kept(`select ${importColumns} from import where import_id = $1`, [id]))
  return rows[0] ?? null
}

/** The import that a job is. */
export async function findImportOf(client: Pool | PoolClient, job: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    kept('select import_id as id from import where job_id = $1', [job]),
  )
  return rows[0]?.id ?? null
}

/** Whoever still runs it appends nothing more and does not complete it. */
export async function cancelImport(pool: Pool, id: string): Promise<void> {
  await pool.query(
    `update import set state = 'failed' where import_id = $1 and state not in ('completed', 'held', 'discarded')`,
    [id],
  )
}

/** @returns false where it was cancelled or given up meanwhile */
export async function completeImport(tx: PoolClient, id: string, result: unknown): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update import set state = 'completed', result = $2, finished_at = now() where import_id = $1 and state = 'settling'`,
    [id, JSON.stringify(result)],
  )
  return rowCount === 1
}

const repeatSql = `
  insert into import (import_id, workspace_id, brand_id, catalog_id, job_id, source, file_name, spool, bytes, sha256, options, created_by)
  select $2, workspace_id, brand_id, catalog_id, $3, source, file_name, spool, bytes, sha256, options, $4 from import where import_id = $1`

/** The same file, from its first row. */
export async function repeatImport(
  tx: PoolClient,
  old: string,
  { id, job, by }: { id: string; job: string; by: string },
): Promise<void> {
  await tx.query(repeatSql, [old, id, job, by])
}

/** First statement of each append. @returns false where another process has taken the import on, it was given up, or its catalog is deleted */
export async function holdImport(tx: PoolClient, id: string, appendedSeq: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from import i
      where import_id = $1 and appended_seq = $2 and state = 'appending'
        and exists (select from catalog c where c.catalog_id = i.catalog_id and c.deleted_at is null)
        for update`,
    [id, appendedSeq],
  )
  return rowCount === 1
}

export interface NewImport {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly job: string
  readonly source: string
  readonly fileName: string
  readonly spool: string
  readonly bytes: number
  readonly sha256: string
  readonly options: ImportRow['options']
  readonly by: string
}

export async function insertImport(tx: PoolClient, i: NewImport): Promise<void> {
  await tx.query(
    kept(
      `insert into import (import_id, workspace_id, brand_id, catalog_id, job_id, source, file_name, spool, bytes, sha256, options, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [i.id, i.workspace, i.brand, i.catalog, i.job, i.source, i.fileName, i.spool, i.bytes, i.sha256, i.options, i.by],
    ),
  )
}

/** The file that was fetched is the import's from now on. */
export async function setFetchedFile(
  tx: PoolClient,
  id: string,
  file: Pick<NewImport, 'source' | 'spool' | 'bytes' | 'sha256' | 'options'>,
): Promise<void> {
  await tx.query(
    `update import set source = $2, spool = $3, bytes = $4, sha256 = $5, options = $6 where import_id = $1 and spool = ''`,
    [id, file.source, file.spool, file.bytes, file.sha256, file.options],
  )
}

export async function setImport(
  client: Pool | PoolClient,
  id: string,
  set: {
    state?: string
    context?: number
    read?: number
    guard?: unknown
    result?: unknown
    error?: string
    appendedSeq?: number
    offsets?: ImportOffsets
    withdrawnTo?: string
    finished?: boolean
  },
): Promise<void> {
  await client.query(
    kept(
      `update import set state = case when state = 'failed' then state else coalesce($2, state) end, context_id = coalesce($3, context_id), read = coalesce($4, read),
            guard = coalesce($5, guard), result = coalesce($6, result), error = coalesce($7, error),
            appended_seq = coalesce($8, appended_seq), offsets = coalesce($9, offsets),
            withdrawn_to = coalesce($11, withdrawn_to),
            finished_at = case when $10 then now() else finished_at end
      where import_id = $1`,
      [
        id,
        set.state ?? null,
        set.context ?? null,
        set.read ?? null,
        json(set.guard),
        json(set.result),
        set.error ?? null,
        set.appendedSeq ?? null,
        json(set.offsets),
        set.finished ?? false,
        set.withdrawnTo ?? null,
      ],
    ),
  )
}

/** How columns were mapped by who sent the last file of a source. */
export async function lastMap(pool: Pool, catalog: string, source: string): Promise<Readonly<Record<string, string>>> {
  const { rows } = await pool.query<{ map: Record<string, string> | null }>(
    `select options -> 'map' as map from import where catalog_id = $1 and source = $2 order by created_at desc limit 1`,
    [catalog, source],
  )
  return rows[0]?.map ?? {}
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** One import at a time per catalog and source: whether one that came before is still under way. */
export async function earlierImport(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select 1 from import mine join import other
         on other.catalog_id = mine.catalog_id and other.source = mine.source and (other.created_at, other.import_id) < (mine.created_at, mine.import_id)
      where mine.import_id = $1 and other.state in ('waiting', 'reading', 'appending', 'settling') limit 1`,
    [id],
  )
  return rowCount === 1
}
