/** Takes a batch's redrives: a dead record that can be read by now counts at its original position, any other stays dead with another attempt. */
import type { DeadPlace } from '../schemas/dead-letter.ts'
import type { BronzeRecord, Position } from '../schemas/pipeline.ts'
import { topics } from '../schemas/topics.ts'
import type { Lookups } from './apply.ts'
import { contextsOf } from './bronze/contexts-of.ts'
import type { History } from './bronze/history.ts'
import type { HistoryEntry } from './bronze/refold.ts'
import { openTally } from './import-tally.ts'
import { advance, type Moving, start } from './moving.ts'
import type { BroughtBack, RedrivenRecord, RefusedRecord, StoredProduct } from './ports.ts'
import { revive } from './revive.ts'
import { dead, deadBy, type Outcome, ok } from './step.ts'
import { isStoreError, reading } from './store-error.ts'
import type { ProductTopology } from './topology.ts'

interface Parts {
  readonly topology: ProductTopology
  readonly moving: Map<string, Moving>
  readonly rows: ReadonlyMap<string, StoredProduct>
  /** What is still dead, as `spelled`. */
  readonly letters: Set<string>
  /** The product's records up to the redrive. */
  readonly historyOf: (record: BronzeRecord, offset: number) => Promise<History>
  readonly learn: (contexts: Iterable<number>) => Promise<void>
  readonly lookupsOf: (record: BronzeRecord) => Lookups | null
}

type Taken = { readonly changed: boolean } | Pick<RefusedRecord, 'code' | 'says'>

export const spelled = ({ topic, epoch, partition, offset }: DeadPlace) => `${topic}/${epoch}/${partition}/${offset}`

/** The dead letter that a redrive is of; null of any other record. */
export function letterOf({ op, origin, letter }: BronzeRecord): DeadPlace | null {
  if (op !== 'redrive' || origin === undefined) return null
  return letter ? { epoch: 0, ...letter } : { topic: topics.bronze, ...origin }
}

/** Of what does nothing: a fold anew leaves it out, as it does what was refused. */
const nothing: Taken = { code: 'NOTHING_DEAD', says: 'there is nothing dead at its origin, or no longer' }

export function openRedrives(parts: Parts) {
  const redriven: RedrivenRecord[] = []
  return {
    async take(record: BronzeRecord, position: Position): Promise<Taken> {
      const letter = letterOf(record)
      // Twice is once, in one batch and in two.
      if (letter === null || !parts.letters.has(spelled(letter))) return nothing
      const tried = { letter, job: record.job ?? null, by: record.by ?? null, at: record.at }
      const outcome = await bringBack(record, position, parts)
      if (outcome.kind !== 'ok') {
        const { reason } = outcome
        redriven.push({ ...tried, failed: { reason, as: outcome.kind === 'dead' ? outcome.as : null } })
        return { code: 'STILL_DEAD', says: reason }
      }
      parts.letters.delete(spelled(letter))
      redriven.push({ ...tried, ...outcome.value })
      return { changed: outcome.value.changed }
    },
    result: (): readonly RedrivenRecord[] => redriven,
  }
}

async function bringBack(redrive: BronzeRecord, position: Position, parts: Parts): Promise<Outcome<BroughtBack>> {
  const { topology, moving, rows, learn, lookupsOf } = parts
  try {
    const history = await parts.historyOf(redrive, position.offset)
    const isBefore = ({ position: at }: HistoryEntry) => at.epoch < position.epoch || at.offset < position.offset
    const before = { ...history, entries: history.entries.filter(isBefore) }
    const revived = revive(topology, before, redrive, position)
    if (revived.kind !== 'ok') return revived
    const { record, layers } = revived.value
    await reading('contexts', learn([record.context, ...contextsOf(layers)].filter((id) => id > 0)))
    const lookups = lookupsOf(record)
    if (lookups === null) return dead(`context ${record.context} is unknown`, 'unknown_context')
    const product = moving.get(record.product) ?? start(record, rows.get(record.product) ?? null)
    const former = product.state?.layers
    const applied = topology.settle(product.state, layers, lookups, record)
    const changed = advance(product, applied, redrive)
    moving.set(record.product, product)
    const tally = openTally()
    tally.count(record, applied.effect, applied.warnings)
    tally.withdrawn(record, former !== undefined && layers !== former)
    return ok({ record, effect: applied.effect, changed, ...tally.result() })
  } catch (error) {
    if (isStoreError(error)) throw error
    return deadBy(error)
  }
}
