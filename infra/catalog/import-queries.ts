/** The ledger of imports as people read it: each import with its sums, the rows that have something to say, and the results of all others. Under policy. */
import type { PoolClient } from 'pg'
import type { GuardSeen } from '../../schemas/import.ts'
import type { ImportContext } from '../../schemas/pipeline.ts'
import type { RowNote } from './import-ledger.ts'
import type { ImportRow } from './imports.ts'

export interface LedgerRow {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly job: string
  readonly state: string
  readonly source: string
  readonly fileName: string
  readonly spool: string
  readonly bytes: number
  readonly sha256: string
  readonly options: ImportRow['options']
  /** Rows of the file, 0 until it was read. */
  readonly rows: number
  readonly sums: Readonly<Record<'created' | 'updated' | 'unchanged' | 'duplicate' | 'rejected' | 'removed', number>>
  readonly warnings: Readonly<Record<string, number>>
  /** Counted before results were kept by row: only the rows that have something to say can be listed. */
  readonly notedOnly: boolean
  readonly context: Omit<ImportContext, 'id'> | null
  readonly guard: GuardSeen | null
  readonly error: string | null
  readonly by: string | null
  readonly releasedAt: Date | null
  readonly undoneAt: Date | null
  readonly changing: boolean
  readonly fileGone: boolean
  readonly micros: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

const columns = `i.import_id as id, i.workspace_id as workspace, i.brand_id as brand, i.catalog_id as catalog, i.job_id as job, i.state, i.source,
  i.file_name as "fileName", i.spool, i.bytes, i.sha256, i.options, i.read as rows, s.sums, s.warnings, s."notedOnly", c.body as context, i.guard, i.error,
  i.created_by as by, i.released_at as "releasedAt", i.undone_at as "undoneAt", i.change_job is not null as changing,
  i.file_gone_at is not null as "fileGone", (extract(epoch from i.created_at) * 1000000)::bigint as micros,
  i.created_at as "createdAt", i.finished_at as "finishedAt"`

/** One scan of an import's outcomes: a row a batch. */
const joined = `import i
  left join import_context c on c.context_id = i.context_id
  cross join lateral (
    select json_build_object('created', coalesce(sum(o.created), 0), 'updated', coalesce(sum(o.updated), 0),
             'unchanged', coalesce(sum(o.unchanged), 0), 'duplicate', coalesce(sum(o.duplicate), 0),
             'rejected', coalesce(sum(o.rejected), 0), 'removed', coalesce(sum(o.removed), 0)) as sums,
           coalesce(bool_or(o.row_results is null and o.created + o.updated + o.unchanged > 0), false) as "notedOnly",
           (select coalesce(json_object_agg(code, n order by code), '{}')
              from (select w.code, sum(w.n::bigint) as n
                      from import_outcome p, jsonb_each_text(p.warnings) as w (code, n)
                     where p.import_id = i.import_id group by w.code) said) as warnings
      from import_outcome o where o.import_id = i.import_id) s`

export async function findLedger(tx: PoolClient, id: string): Promise<LedgerRow | null> {
  const { rows } = await tx.query<LedgerRow>(`select ${columns} from ${joined} where i.import_id = $1`, [id])
  return rows[0] ?? null
}

export interface LedgerFilter {
  readonly catalog?: string | undefined
  readonly state?: string | undefined
  readonly source?: string | undefined
}

/** Newest first. @param after the place that the page before ended with */
export async function listLedgers(
  tx: PoolClient,
  { catalog, state, source }: LedgerFilter,
  after: { readonly micros: number; readonly id: string } | null,
  limit: number,
): Promise<LedgerRow[]> {
  const { rows } = await tx.query<LedgerRow>(
    `select ${columns} from ${joined}
      where ($1::uuid is null or i.catalog_id = $1) and ($2::text is null or i.state = $2) and ($3::text is null or i.source = $3)
        and ($4::bigint is null or (i.created_at, i.import_id) < (to_timestamp(0) + $4 * interval '1 microsecond', $5::uuid))
      order by i.created_at desc, i.import_id desc limit $6`,
    [catalog ?? null, state ?? null, source ?? null, after?.micros ?? null, after?.id ?? null, limit],
  )
  return rows
}

export interface NoteFilter {
  readonly result?: string | undefined
  readonly code?: string | undefined
}

/** In order of the file. @param after row and ordinal that the page before ended with */
export async function listNotes(
  tx: PoolClient,
  id: string,
  { result, code }: NoteFilter,
  after: readonly [row: number, ordinal: number] | null,
  limit: number,
): Promise<RowNote[]> {
  const { rows } = await tx.query<RowNote>(
    `select row_number as row, ordinal, result, code, says, field, column_name as column, raw
       from import_row
      where import_id = $1 and ($2::text is null or result = $2) and ($3::text is null or code = $3)
        and (row_number, ordinal) > ($4::bigint, $5::smallint)
      order by row_number, ordinal limit $6`,
    [id, result ?? null, code ?? null, after?.[0] ?? 0, after?.[1] ?? -1, limit],
  )
  return rows
}

/** What one batch tells of its rows that have nothing else to say. */
export interface BatchRows {
  readonly last: number
  readonly bytes: Uint8Array
}

/** In order of their last rows, of which no two batches have the same. @param rows between which a batch must have some */
export async function listBatchRows(
  tx: PoolClient,
  id: string,
  result: 'created' | 'updated' | 'unchanged' | null,
  rows: { readonly after: number; readonly upTo: number },
  limit: number,
): Promise<BatchRows[]> {
  const found = await tx.query<BatchRows>(
    `select last_row as last, row_results as bytes
       from import_outcome
      where import_id = $1 and last_row > $2 and first_row <= $3
        and case $4::text when 'created' then created when 'updated' then updated when 'unchanged' then unchanged else 1 end > 0
      order by last_row limit $5`,
    [id, rows.after, rows.upTo, result, limit],
  )
  return found.rows
}
