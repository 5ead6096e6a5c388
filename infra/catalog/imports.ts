/** Imports, their contexts, sources and ledgers. */
import type { Pool, PoolClient } from 'pg'
import type { ImportContext } from '../../schemas/pipeline.ts'
import { copyRows } from './copy.ts'

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
    readonly kind?: 'csv' | 'ndjson' | 'xlsx' | 'parquet' | 'arrow'
    readonly sourceReason?: string
  }
  readonly read: number
  readonly appendedSeq: number
  readonly offsets: ImportOffsets | null
  readonly by: string | null
}

/** Per partition: the first offset of this import and one past its last; null where it has none there. */
export interface ImportOffsets {
  readonly epoch: number
  readonly from: readonly (number | null)[]
  readonly to: readonly (number | null)[]
}

/** Sums of rows by result; `read` = created + updated + unchanged + duplicate + rejected. */
export interface Outcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicate: number
  readonly rejected: number
  readonly warnings: Readonly<Record<string, number>>
}

export interface RowNote {
  readonly row: number
  /** Tells several notes of one row apart; a repeat of the same note has the same number. */
  readonly ordinal: number
  readonly result: string
  readonly code: string | null
  readonly says: string | null
  readonly field: string | null
  readonly column: string | null
  readonly raw: string | null
}

const importColumns = `import_id as id, workspace_id as workspace, brand_id as brand, catalog_id as catalog, job_id as job, source, context_id as context,
  state, file_name as "fileName", spool, options, read, appended_seq as "appendedSeq", offsets, created_by as by`

export async function findImport(pool: Pool, id: string): Promise<ImportRow | null> {
  const { rows } = await pool.query<ImportRow>(`select ${importColumns} from import where import_id = $1`, [id])
  return rows[0] ?? null
}

/** The import that a job is. */
export async function findImportOf(client: Pool | PoolClient, job: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>('select import_id as id from import where job_id = $1', [job])
  return rows[0]?.id ?? null
}

/** Whoever still runs it appends nothing more and does not complete it. */
export async function cancelImport(pool: Pool, id: string): Promise<void> {
  await pool.query(`update import set state = 'failed' where import_id = $1 and state <> 'completed'`, [id])
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
    `insert into import (import_id, workspace_id, brand_id, catalog_id, job_id, source, file_name, spool, bytes, sha256, options, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [i.id, i.workspace, i.brand, i.catalog, i.job, i.source, i.fileName, i.spool, i.bytes, i.sha256, i.options, i.by],
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
    finished?: boolean
  },
): Promise<void> {
  await client.query(
    `update import set state = case when state = 'failed' then state else coalesce($2, state) end, context_id = coalesce($3, context_id), read = coalesce($4, read),
            guard = coalesce($5, guard), result = coalesce($6, result), error = coalesce($7, error),
            appended_seq = coalesce($8, appended_seq), offsets = coalesce($9, offsets),
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
    ],
  )
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

export async function insertContext(
  pool: Pool,
  scope: { workspace: string; brand: string; catalog: string; source: string },
  body: Omit<ImportContext, 'id'>,
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into import_context (context_id, workspace_id, brand_id, catalog_id, source, body)
     values (nextval('import_context_id'), $1, $2, $3, $4, $5) returning context_id as id`,
    [scope.workspace, scope.brand, scope.catalog, scope.source, JSON.stringify(body)],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the context was not numbered')
  return id
}

export async function findContexts(pool: Pool, ids: readonly number[]): Promise<ImportContext[]> {
  const { rows } = await pool.query<{ id: number; body: Omit<ImportContext, 'id'> }>(
    'select context_id as id, body from import_context where context_id = any ($1::bigint[])',
    [ids],
  )
  return rows.map(({ id, body }) => ({ ...body, id }))
}

export interface FileSource {
  readonly source: string
  readonly header: readonly string[]
  readonly lastRows: number | null
}

export async function fileSources(pool: Pool, catalog: string): Promise<FileSource[]> {
  const { rows } = await pool.query<FileSource>(
    'select source, header, last_rows as "lastRows" from file_source where catalog_id = $1 order by source',
    [catalog],
  )
  return rows
}

export async function saveFileSource(
  client: Pool | PoolClient,
  scope: { workspace: string; brand: string; catalog: string },
  source: string,
  header: readonly string[],
  lastRows: number | null,
): Promise<void> {
  await client.query(
    `insert into file_source (catalog_id, source, workspace_id, brand_id, header, last_rows) values ($1, $2, $3, $4, $5, $6)
     on conflict (catalog_id, source) do update
       set header = excluded.header, last_rows = coalesce(excluded.last_rows, file_source.last_rows), updated_at = now()`,
    [scope.catalog, source, scope.workspace, scope.brand, header, lastRows],
  )
}

const outcomeSum = `
  select coalesce(sum(created), 0)::bigint as created, coalesce(sum(updated), 0)::bigint as updated,
         coalesce(sum(unchanged), 0)::bigint as unchanged, coalesce(sum(duplicate), 0)::bigint as duplicate,
         coalesce(sum(rejected), 0)::bigint as rejected
    from import_outcome where import_id = $1`

export async function sumOutcomes(pool: Pool, id: string): Promise<Outcome> {
  const { rows } = await pool.query<Omit<Outcome, 'warnings'>>(outcomeSum, [id])
  const { rows: warned } = await pool.query<{ code: string; n: number }>(
    `select code, sum(n::bigint)::bigint as n from import_outcome, jsonb_each_text(warnings) as w (code, n)
      where import_id = $1 group by code order by code`,
    [id],
  )
  const sums = rows[0] ?? { created: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  return { ...sums, warnings: Object.fromEntries(warned.map(({ code, n }) => [code, n])) }
}

export interface OutcomeKey {
  readonly importId: string
  readonly epoch: number
  readonly partition: number
  readonly firstSeq: number
  readonly workspace: string
  readonly brand: string
}

export async function insertOutcome(tx: PoolClient, key: OutcomeKey, o: Outcome): Promise<void> {
  await tx.query(
    `insert into import_outcome (import_id, epoch, partition, first_seq, workspace_id, brand_id, created, updated, unchanged, duplicate, rejected, warnings)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      key.importId,
      key.epoch,
      key.partition,
      key.firstSeq,
      key.workspace,
      key.brand,
      o.created,
      o.updated,
      o.unchanged,
      o.duplicate,
      o.rejected,
      JSON.stringify(o.warnings),
    ],
  )
}

const noteColumns = [
  { name: 'import_id', type: 'uuid' },
  { name: 'row_number', type: 'int8' },
  { name: 'ordinal', type: 'int2' },
  { name: 'workspace_id', type: 'text' },
  { name: 'brand_id', type: 'uuid' },
  { name: 'result', type: 'text' },
  { name: 'code', type: 'text' },
  { name: 'says', type: 'text' },
  { name: 'field', type: 'text' },
  { name: 'column_name', type: 'text' },
  { name: 'raw', type: 'text' },
] as const

/** Postgres text cannot hold U+0000, and a note's raw text is for eyes. */
const printable = (text: string | null) => text?.replaceAll('\u0000', '\u2400').slice(0, 500) ?? null

export async function insertNotes(
  tx: PoolClient,
  scope: { importId: string; workspace: string; brand: string },
  notes: readonly RowNote[],
): Promise<void> {
  if (notes.length === 0) return
  await copyRows(
    tx,
    'import_row',
    noteColumns,
    notes.map((n) => [
      scope.importId,
      n.row,
      n.ordinal,
      scope.workspace,
      scope.brand,
      n.result,
      n.code,
      printable(n.says),
      n.field,
      printable(n.column),
      printable(n.raw),
    ]),
  )
}

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
