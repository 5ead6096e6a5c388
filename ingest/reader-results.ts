/** What the reader decides by itself: rows that are no record, duplicates and conflicts within the file. */
import type { RowNote } from '../infra/catalog/import-ledger.ts'
import type { ImportContext } from '../schemas/pipeline.ts'
import { type Candidate, isFault } from './candidate.ts'
import { decidingCell } from './deciding-cell.ts'
import { type Asked, asJudged } from './identity.ts'
import type { Judged } from './judged.ts'
import { shownCells } from './shown-text.ts'

export interface ReaderResults {
  readonly asked: Asked[]
  readonly outcome: {
    created: 0
    updated: 0
    unchanged: number
    duplicate: number
    rejected: number
    warnings: Record<string, number>
  }
  readonly notes: RowNote[]
}

export function readerResults(batch: readonly Judged[], mapping: ImportContext['mapping']): ReaderResults {
  const asked: Asked[] = []
  const notes: RowNote[] = []
  const outcome: ReaderResults['outcome'] = {
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicate: 0,
    rejected: 0,
    warnings: {},
  }
  for (const { item, verdict } of batch) {
    if (isFault(item)) {
      outcome.rejected++
      notes.push({ ...note(item.row, 'rejected', item.code, item.says), column: item.column, raw: item.raw })
    } else if (!verdict || verdict.verdict === 'win') {
      asked.push(asJudged(item, verdict))
      for (const { code } of item.doubts ?? []) outcome.warnings[code] = (outcome.warnings[code] ?? 0) + 1
      if (item.doubts) notes.push(...doubtNotes(item.doubts))
      if (verdict?.shared.sku) {
        outcome.warnings.sku_shared = (outcome.warnings.sku_shared ?? 0) + 1
        const says = `SKU "${item.ids.sku}" stands on several options of one family; the options tell these rows apart`
        for (const row of item.rows.slice(0, 1))
          notes.push({ ...note(row, 'warning', 'sku_shared', says), ordinal: 2, raw: item.ids.sku })
      }
    } else if (verdict.verdict === 'duplicate') {
      outcome.duplicate += item.rows.length
      for (const row of item.rows) notes.push(note(row, 'duplicate', 'duplicate', `repeats row ${verdict.winnerRow}`))
    } else {
      outcome.rejected += item.rows.length
      if (verdict.verdict === 'ambiguous_identity') notes.push(...ambiguous(item))
      else {
        const says = `another row of this file, row ${verdict.winnerRow}, is the same product with other values; the last one counts`
        const at = decidingCell(item, verdict.shared, mapping) ?? { column: null, raw: shownCells(item.cells) }
        for (const row of item.rows) notes.push({ ...note(row, 'rejected', 'id_conflict', says), ...at })
      }
    }
  }
  return { asked, outcome, notes }
}

/** Numbers of a row's notes that are left between the reader's own and the worker's; a row has more doubts than that rarely. */
const [firstDoubt, lastDoubt] = [3, 9]

function doubtNotes(doubts: NonNullable<Candidate['doubts']>): RowNote[] {
  const told = new Map<number, number>()
  return doubts.flatMap(({ row, code, says, column, raw }) => {
    const ordinal = told.get(row) ?? firstDoubt
    told.set(row, ordinal + 1)
    return ordinal > lastDoubt ? [] : [{ ...note(row, 'warning', code, says), ordinal, column, raw }]
  })
}

export const note = (row: number, result: string, code: string, says: string): RowNote => ({
  row,
  ordinal: 0,
  result,
  code,
  says,
  field: null,
  column: null,
  raw: null,
})

/** The notes of a candidate that no identifier decides. */
export const ambiguous = (candidate: Candidate) =>
  candidate.rows.map((row) => ({
    ...note(row, 'rejected', 'ambiguous_identity', noOwnIdentifier),
    raw: shownCells(candidate.cells),
  }))

const noOwnIdentifier = 'every identifier of this row stands on several products; give it a SKU of its own'
