/** Counts a batch's results by import, each row once, and tells of each: by a note where it was rejected or carries a warning, else packed. */
import type { BronzeRecord, CellWarning } from '../schemas/pipeline.ts'
import type { Effect } from './apply.ts'
import type { ImportEffect, RowNoteOut } from './ports.ts'
import { type OpenRows, openRows } from './row-results.ts'

export interface ImportTally {
  count(record: BronzeRecord, effect: Effect, warnings: readonly CellWarning[]): void
  /** @param ended whether the source listed the product until now */
  withdrawn(record: BronzeRecord, ended: boolean): void
  dead(record: BronzeRecord, reason: string): void
  result(): { effects: ImportEffect[]; notes: RowNoteOut[] }
}

type Open = {
  -readonly [K in keyof Omit<ImportEffect, 'rows'>]: ImportEffect[K]
} & { warnings: Record<string, number>; rows: OpenRows }

export function openTally(): ImportTally {
  const effects = new Map<string, Open>()
  const notes: RowNoteOut[] = []
  const of = (record: BronzeRecord, id: string): Open => {
    const open = effects.get(id)
    if (open) {
      open.maxSeq = Math.max(open.maxSeq, record.seq)
      return open
    }
    const made: Open = {
      import: id,
      workspace: record.workspace,
      brand: record.brand,
      firstSeq: record.seq,
      maxSeq: record.seq,
      counts: { created: 0, updated: 0, unchanged: 0, rejected: 0 },
      removed: 0,
      warnings: {},
      rows: openRows(),
    }
    effects.set(id, made)
    return made
  }
  return {
    count(record, effect, warnings) {
      if (record.import === undefined || record.op !== 'put') return
      const open = of(record, record.import)
      open.counts[effect] += record.rows.length
      const row = record.rows[0]
      if (row === undefined) return
      // A row's result stands in one place: with its warnings, where it has any.
      const own = warnings.length === 0 ? warnings : warnings.filter(({ ofColumn }) => !ofColumn)
      for (const one of record.rows) if (one !== row || own.length === 0) open.rows.add(one, effect)
      for (const { code } of warnings) open.warnings[code] = (open.warnings[code] ?? 0) + 1
      for (const [i, warning] of own.entries()) {
        if (i >= mostNotes) continue
        notes.push({
          import: record.import,
          workspace: record.workspace,
          brand: record.brand,
          row,
          ordinal: firstOrdinal + i,
          result: effect,
          code: warning.code,
          says: warning.says,
          field: warning.field,
          column: warning.column,
          raw: warning.raw,
        })
      }
    },
    withdrawn(record, ended) {
      if (record.import === undefined || record.op !== 'withdraw') return
      const open = of(record, record.import)
      if (ended) open.removed++
    },
    dead(record, reason) {
      if (record.import === undefined || record.op !== 'put') return
      const open = of(record, record.import)
      open.counts.rejected += record.rows.length
      for (const row of record.rows) {
        notes.push({
          import: record.import,
          workspace: record.workspace,
          brand: record.brand,
          row,
          ordinal: firstOrdinal,
          result: 'rejected',
          code: 'unreadable_record',
          says: `no step could read this row's record: ${reason}`,
          field: null,
          column: null,
          raw: null,
        })
      }
    },
    result: () => ({ effects: [...effects.values()].map((open) => ({ ...open, rows: open.rows.packed() })), notes }),
  }
}

/** The reader's own notes of a row have the numbers below. */
const firstOrdinal = 10
/** Of one row: a cell of forty thousand bad addresses is counted whole, and told by its first. */
const mostNotes = 100
