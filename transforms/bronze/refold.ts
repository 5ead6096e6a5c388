/** Folds a product's complete history anew, with the records of voided imports as memory only, and dead ones that were redriven at their place. */
import type { BronzeRecord, Layer, Layers, Position } from '../../schemas/pipeline.ts'
import { cellOf, sameValue } from './cell-value.ts'
import { fold, foldVoided } from './merge.ts'
import { placeOf, samePlace } from './place.ts'

export interface HistoryEntry {
  readonly record: BronzeRecord
  readonly position: Position
  /** Its precondition failed when the worker judged it, or no step could read it; that is never judged again, but a dead one may be redriven. */
  readonly refused: boolean
}

/** What a fold goes on from, where it does not begin at a product's first record. */
interface From {
  readonly layers: Layers | null
  readonly voided: readonly string[]
}

/** The imports whose records do not count, as the last void or unvoid of each has it. */
export function voidedImports(records: Iterable<HistoryEntry>, from: From | null = null): Set<string> {
  return voidedAmong(withRedriven([...records]), from)
}

/**
 * @param records the product's whole history in order of position, up to the position wanted
 * @param voided leaves out exactly these imports, whatever the records say: what an undo would give
 * @param from what the records before these had come to; none of these changes what counts among those
 * @returns the layers that a worker has which met the same records one by one; null where nothing was ever said
 */
export function refoldRecords(
  records: Iterable<HistoryEntry>,
  voided?: ReadonlySet<string>,
  from: From | null = null,
): { layers: Layers | null } {
  const history = [...records]
  if (voided) return { layers: foldAll(withRedriven(history), voided, from) }

  let out = new Set<string>(from?.voided)
  let layers: Layers | null = from?.layers ?? null
  for (const [at, entry] of history.entries()) {
    if (entry.refused) continue
    const redrives = entry.record.op === 'redrive'
    if (!redrives && !toggle(out, entry.record)) {
      layers = step(layers, entry, out)
      continue
    }
    const before = withRedriven(history.slice(0, at + 1))
    if (redrives) out = voidedAmong(before, from)
    layers = revised(layers, foldAll(before, out, from), entry.position)
  }
  return { layers }
}

/** What counts of a history: without what was refused, and with what redrives have brought back, each at its place. */
function withRedriven(history: readonly HistoryEntry[]): HistoryEntry[] {
  const counting = history.filter(({ refused }) => !refused)
  const redrives = counting.filter(({ record }) => record.op === 'redrive')
  if (redrives.length === 0) return counting
  const origins = new Set(redrives.map(({ record }) => spelled(originOf(record))))
  const back = history.filter(({ refused, position }) => refused && origins.has(spelled(position)))
  const told = redrives.flatMap(({ record }) =>
    record.says ? [{ record: record.says, position: originOf(record), refused: false }] : [],
  )
  return [...counting, ...back, ...told].sort(byPlace)
}

/** Two messages of one source that came between the same two records keep their own order. */
function byPlace(a: HistoryEntry, b: HistoryEntry): number {
  return a.position.epoch - b.position.epoch || a.position.offset - b.position.offset || a.record.seq - b.record.seq
}

function foldAll(history: readonly HistoryEntry[], voided: ReadonlySet<string>, from: From | null): Layers | null {
  return history.reduce<Layers | null>((layers, entry) => step(layers, entry, voided), from?.layers ?? null)
}

function voidedAmong(history: readonly HistoryEntry[], from: From | null): Set<string> {
  const voided = new Set<string>(from?.voided)
  for (const { record } of history) toggle(voided, record)
  return voided
}

const spelled = ({ epoch, partition, offset }: Position) => `${epoch}/${partition}/${offset}`

function originOf({ origin }: BronzeRecord): Position {
  if (origin === undefined) throw new Error('redrive names no origin')
  return origin
}

function toggle(voided: Set<string>, { op, import: of }: BronzeRecord): boolean {
  if (op !== 'void' && op !== 'unvoid') return false
  if (of === undefined) throw new Error(`${op} names no import`)
  if (op === 'void') voided.add(of)
  else voided.delete(of)
  return true
}

function step(state: Layers | null, { record, position }: HistoryEntry, voided: ReadonlySet<string>): Layers | null {
  if (record.op !== 'put' && record.op !== 'withdraw') return state
  const counts = record.import === undefined || !voided.has(record.import)
  return counts ? fold(state, record, position) : foldVoided(state, record, position)
}

/** A void or a redrive moves `rev` like any record, where it changed what can be seen; undoing an unchanged repeat does not. */
function revised(before: Layers | null, after: Layers | null, { epoch, offset }: Position): Layers | null {
  if (after === null) return null
  const same = before !== null && looksAlike(before, after)
  return same ? { ...after, epoch: before.epoch, rev: before.rev } : { ...after, epoch, rev: offset }
}

function looksAlike(a: Layers, b: Layers): boolean {
  return (
    a.kind === b.kind &&
    a.family === b.family &&
    a.layers.length === b.layers.length &&
    a.layers.every((layer, at) => layersLookAlike(layer, b.layers[at]))
  )
}

/** All but the ghosts: a void can leave a value and move its place, and another source's cell wins. */
function layersLookAlike(a: Layer, b: Layer | undefined): boolean {
  if (a.source !== b?.source || a.live !== b.live || a.created !== b.created) return false
  const columns = Object.keys(a.cells)
  if (columns.length !== Object.keys(b.cells).length) return false
  return columns.every((column) => {
    const [left, right] = [cellOf(a.cells, column), cellOf(b.cells, column)]
    if (left === undefined || right === undefined || !sameValue(left, right)) return false
    return samePlace(placeOf(a, column), placeOf(b, column))
  })
}
