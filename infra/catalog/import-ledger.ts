/** The ledger of an import: sums of its rows by result, and the rows that have something to say. */
import type { Pool, PoolClient } from 'pg'
import type { PackedRows } from '../../transforms/row-results.ts'
import { copyRows } from './copy.ts'
import { kept } from './kept.ts'

/** Sums of rows by result; `read` = created + updated + unchanged + duplicate + rejected. */
export interface Outcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicate: number
  readonly rejected: number
  /** Products whose listing a snapshot ended; they are no rows. */
  readonly removed: number
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
const outcomeSum = `
  select coalesce(sum(created), 0)::bigint as created, coalesce(sum(updated), 0)::bigint as updated,
         coalesce(sum(unchanged), 0)::bigint as unchanged, coalesce(sum(duplicate), 0)::bigint as duplicate,
         coalesce(sum(rejected), 0)::bigint as rejected, coalesce(sum(removed), 0)::bigint as removed
    from import_outcome where import_id = $1`

export async function sumOutcomes(pool: Pool, id: string): Promise<Outcome> {
  const { rows } = await pool.query<Omit<Outcome, 'warnings'>>(outcomeSum, [id])
  const { rows: warned } = await pool.query<{ code: string; n: number }>(
    `select code, sum(n::bigint)::bigint as n from import_outcome, jsonb_each_text(warnings) as w (code, n)
      where import_id = $1 group by code order by code`,
    [id],
  )
  const sums = rows[0] ?? { created: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0, removed: 0 }
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

export async function isTold(tx: PoolClient, { importId, epoch, partition, firstSeq }: OutcomeKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from import_outcome where import_id = $1 and epoch = $2 and partition = $3 and first_seq = $4',
    [importId, epoch, partition, firstSeq],
  )
  return rowCount === 1
}

/** @param rows its created, updated and unchanged rows, but for those that a note tells of */
export async function insertOutcome(tx: PoolClient, key: OutcomeKey, o: Outcome, rows: PackedRows): Promise<void> {
  await tx.query(
    kept(
      `insert into import_outcome (import_id, epoch, partition, first_seq, workspace_id, brand_id, created, updated, unchanged, duplicate, rejected, warnings, removed, first_row, last_row, row_results)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
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
        o.removed,
        rows.first,
        rows.last,
        rows.bytes,
      ],
    ),
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
