/** What a dead record makes of its product where it counts after all, at its original position: pure, the same for the worker and a dry run. */
import type { BronzeRecord, Layers, Position } from '../schemas/pipeline.ts'
import { isAlive } from './bronze/alive.ts'
import { readRecord } from './bronze/decode.ts'
import { type History, saysIncomplete } from './bronze/history.ts'
import { dead, drop, type Outcome, ok } from './step.ts'
import type { ProductTopology } from './topology.ts'

export interface Revived {
  readonly record: BronzeRecord
  /** With the record at its place among those that came after it: an old value never beats a newer one. */
  readonly layers: Layers
}

/**
 * @param history the product's records before the redrive; its dead record is not in the base
 * @returns dead where nothing has been mended, dropped where the record is not there to be judged: the redrive then counts for nothing
 */
export function revive(
  topology: Pick<ProductTopology, 'refold' | 'refuse'>,
  history: History,
  redrive: BronzeRecord,
  position: Position,
): Outcome<Revived> {
  const { entries } = history
  const at = entries.findIndex((entry) => redrive.origin && sameAs(entry.position, redrive.origin))
  if (history.hole) return drop(saysIncomplete(history.hole))
  if (at < 0 && !redrive.says) return drop('the log no longer has the record that it names')
  const read = readRecord(redrive.says ?? entries[at]?.record)
  if (read.kind !== 'ok') return read
  const record = read.value
  if (record.op === 'redrive') return dead('it is a redrive itself; redrive the record that it names')
  if (
    record.workspace !== redrive.workspace ||
    record.catalog !== redrive.catalog ||
    record.product !== redrive.product
  )
    return dead('it names another product than its key', 'invalid_record')
  const before = () => topology.refold({ ...history, entries: entries.slice(0, at) }).layers
  const refusal = asks(record) ? topology.refuse(stateOf(before()), record) : null
  if (refusal) return dead(`its precondition did not hold: ${refusal.says}`)
  const { layers } = topology.refold({
    ...history,
    entries: [...entries, { record: redrive, position, refused: false }],
  })
  return layers === null ? dead(`${record.op} of a product without any record`) : ok({ record, layers })
}

/** Nobody has judged its precondition yet, and it is one of the catalog as it was. */
const asks = ({ ifRev, ifAbsent }: BronzeRecord) => ifRev !== undefined || ifAbsent === true

const stateOf = (layers: Layers | null) => layers && { layers, alive: isAlive(layers), content: '', product: null }

const sameAs = (a: Position, b: Position) => a.epoch === b.epoch && a.partition === b.partition && a.offset === b.offset
