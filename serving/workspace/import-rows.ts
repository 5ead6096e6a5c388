/** A page of an import's rows in order of the file: each with its result, and with what there is to say of it. */
import type { PoolClient } from 'pg'
import type { RowNote } from '../../infra/catalog/import-ledger.ts'
import { listBatchRows, listNotes, type NoteFilter } from '../../infra/catalog/import-queries.ts'
import type { Effect } from '../../transforms/apply.ts'
import { type RowResult, unpackRows, type WantedRows } from '../../transforms/row-results.ts'

/** @param after row and ordinal that the page before ended with */
export async function importRows(
  tx: PoolClient,
  id: string,
  filter: NoteFilter,
  after: readonly [row: number, ordinal: number] | null,
  limit: number,
): Promise<RowNote[]> {
  const notes = await listNotes(tx, id, filter, after, limit)
  const wanted = plainResult(filter)
  if (wanted === undefined) return notes
  const upTo = (notes.length < limit ? null : notes.at(-1)?.row) ?? Number.MAX_SAFE_INTEGER
  const plain = await plainRows(tx, id, { after: after?.[0] ?? 0, upTo, result: wanted, limit })
  return inOrder(notes, plain.map(plainNote)).slice(0, limit)
}

/** A row that has nothing to say has no code. @returns undefined where none of them is wanted, null where all are */
function plainResult({ result, code }: NoteFilter): Effect | null | undefined {
  if (code !== undefined) return undefined
  if (result === undefined) return null
  return result === 'created' || result === 'updated' || result === 'unchanged' ? result : undefined
}

/** As many as the partitions leave beside each other in a file that is read in its own order. */
const firstBatches = 8
/** Of some two kilobytes each. */
const mostBatches = 256

/**
 * Batches lie across each other: partitions take turns, and a family that is scattered over its file is one record. So they are
 * taken by where they end until the page is full, then those that begin before its last row.
 */
async function plainRows(tx: PoolClient, id: string, wanted: WantedRows): Promise<RowResult[]> {
  let found: RowResult[] = []
  let { after: ended, upTo } = wanted
  for (let take = firstBatches; ; take = Math.min(take * 2, mostBatches)) {
    const batches = await listBatchRows(tx, id, wanted.result, { after: ended, upTo }, take)
    const more = batches.flatMap(({ bytes }) => unpackRows(bytes, { ...wanted, upTo }))
    found = [...found, ...more].sort((a, b) => a.row - b.row).slice(0, wanted.limit)
    const last = batches.at(-1)
    if (!last || batches.length < take) return found
    ended = last.last
    upTo = found[wanted.limit - 1]?.row ?? upTo
  }
}

/** Its place is before all that the reader has to say of a row: a result that comes with a note stands in that alone. */
const plainNote = ({ row, result }: RowResult): RowNote => ({
  ...{ row, ordinal: 0, result, code: null, says: null, field: null, column: null, raw: null },
})

function inOrder(notes: readonly RowNote[], plain: readonly RowNote[]): RowNote[] {
  return [...notes, ...plain].sort((a, b) => a.row - b.row || a.ordinal - b.ordinal)
}
