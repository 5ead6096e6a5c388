/** A difference as people read it in a job's answer: which product, where in it, made of what, and both values cut to what is shown. */
import { shownText } from '../../ingest/shown-text.ts'
import type { Log } from '../log/port.ts'
import type { Differing } from './verifier.ts'

export interface DifferenceExample {
  readonly productId: string
  readonly sku: unknown
  readonly step: string
  readonly at: string
  /** Of a list or an object: its JSON. */
  readonly stored: unknown
  readonly computed: unknown
  readonly settingsNumber: number
  readonly rubricVersion: number | null
  /** Where the product's records stand, in the last epoch that has any: the first, the last; and how many there are in all. Offsets are null where there is none. */
  readonly positions: {
    readonly epoch: number
    readonly partition: number
    readonly first: number | null
    readonly last: number | null
    readonly records: number
  }
}

export function exampleOf(
  { row, history, verdict }: Differing,
  log: Pick<Log, 'epoch' | 'partitionOf'>,
): DifferenceExample {
  const { step, at, stored, computed } = verdict
  const last = history.at(-1)?.position
  const { epoch, partition } = last ?? { epoch: log.epoch, partition: log.partitionOf(row.id) }
  return {
    productId: row.id,
    sku: shown(row.repeated.sku),
    ...{ step, at: shownText(at), stored: shown(stored), computed: shown(computed) },
    settingsNumber: row.settings,
    rubricVersion: row.rubric,
    positions: {
      ...{ epoch, partition },
      first: history.find(({ position }) => position.epoch === epoch)?.position.offset ?? null,
      last: last?.offset ?? null,
      records: history.length,
    },
  }
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value)
  return typeof value === 'object' && value !== null ? shownText(JSON.stringify(value)) : value
}
