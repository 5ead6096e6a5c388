/** A product's records in order of position, all of them or behind what those before had come to, and the fold over either. */
import { type Hole, LogIncomplete, saysHoles } from '../../schemas/log-incomplete.ts'
import type { Layers, Position } from '../../schemas/pipeline.ts'
import { type HistoryEntry, refoldRecords, voidedImports } from './refold.ts'
import { withoutRepeats } from './without-repeats.ts'

/** A product's records share a partition within an epoch. */
export type Place = Pick<Position, 'epoch' | 'offset'>

export interface Base {
  /** Its records stand before this, in this epoch or a former one. */
  readonly position: Position
  readonly layers: Layers | null
  /** Imports whose records do not count. */
  readonly voided: readonly string[]
  /** By import that has records in it, where the first of these stands. */
  readonly imports: Readonly<Record<string, Place>>
  /** By import or job the highest number that was taken: a repeat behind the base is known by it. */
  readonly taken: Readonly<Record<string, number>>
}

/** A product's records in order of position: all of them, or those behind its base. */
export interface History {
  readonly base: Base | null
  readonly entries: readonly HistoryEntry[]
  /** Records of it may have stood there, and be in nothing else: what is left folds to what the product never was. */
  readonly hole: Hole | null
}

/** @throws LogIncomplete where its records may not be all */
export function refoldHistory(history: History): { layers: Layers | null } {
  const { base, entries } = complete(history)
  return refoldRecords(withoutRepeats(entries, takenIn(base)), undefined, base)
}

/** Of which nothing was left out. */
export const wholeHistory = (entries: readonly HistoryEntry[]): History => ({ base: null, entries, hole: null })

/** Why a product is not folded. */
export const saysIncomplete = (hole: Hole) => `${saysHoles([hole])}; the product may have had records there`

function complete(history: History): History {
  if (history.hole === null) return history
  throw new LogIncomplete(saysIncomplete(history.hole), [history.hole])
}

/** @param position behind the last record of the history @throws LogIncomplete as a fold does */
export function baseAt(history: History, position: Position): Base {
  const { base, entries } = complete(history)
  const taken = takenIn(base)
  const kept = withoutRepeats(entries, taken)
  const first = new Map(Object.entries(base?.imports ?? {}))
  // A dead record and one that a tenant sent are here too: a redrive that made them count cannot be undone from here.
  for (const { record, position: at } of entries) {
    const redriven = record.op === 'redrive' && record.says !== undefined
    const { op, import: of } = redriven ? (record.says ?? record) : record
    if (of === undefined || (op !== 'put' && op !== 'withdraw')) continue
    const { epoch, offset } = (redriven ? record.origin : undefined) ?? at
    const known = first.get(of)
    if (known === undefined || isBefore({ epoch, offset }, known)) first.set(of, { epoch, offset })
  }
  const { layers } = refoldRecords(kept, undefined, base)
  const voided = [...voidedImports(kept, base)]
  return { position, layers, voided, imports: Object.fromEntries(first), taken: Object.fromEntries(taken) }
}

/**
 * Records behind a base can change what counts before it: an import that is taken out or back in, a dead record that is redriven.
 * @returns the earliest record that a base must not have in it; null where the history can be folded from its own
 */
export function reachesBefore({ base, entries }: Pick<History, 'base' | 'entries'>): Place | null {
  if (base === null) return null
  let earliest: Place | null = null
  for (const { record } of entries) {
    const at = changedBy(base, record)
    if (at && isBefore(at, base.position) && (earliest === null || isBefore(at, earliest))) earliest = at
  }
  return earliest
}

function changedBy({ imports }: Base, { op, import: of, origin }: HistoryEntry['record']) {
  if (op === 'redrive') return origin
  return (op === 'void' || op === 'unvoid') && of !== undefined && Object.hasOwn(imports, of) ? imports[of] : undefined
}

const isBefore = (a: Place, b: Place) => (a.epoch === b.epoch ? a.offset < b.offset : a.epoch < b.epoch)

const takenIn = (base: Base | null) => new Map(Object.entries(base?.taken ?? {}))
