/** What the log has lost that an undo of an import would need, or a redo: records of the import, or others of its products. */
import type { Pool } from 'pg'
import type { UndoStep } from '../../ingest/undo.ts'
import { distinctHoles, type Hole } from '../../schemas/log-incomplete.ts'
import { topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import type { ImportRow } from '../catalog/imports.ts'
import { holesAround, holesOf } from '../log/holes.ts'
import type { Log } from '../log/port.ts'
import { readToFold } from './read-to-fold.ts'

export interface UndoHoles {
  readonly holes: readonly Hole[]
  /** Of the import, that cannot be folded; null where the log has lost records of the import, so that nobody knows whose. */
  readonly products: number | null
}

/**
 * Costs a question where the log has lost nothing, and the reading of what an undo would append where it has.
 * @param steps those of the whole undo
 */
export async function undoHoles(
  { offsets }: Pick<ImportRow, 'offsets'>,
  steps: () => AsyncIterable<UndoStep>,
  { pool, log, signal }: { readonly pool: Pool; readonly log: Log; readonly signal: AbortSignal },
): Promise<UndoHoles> {
  const below = await sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
  const all = await holesOf(log, below)
  const own = all.filter(({ epoch, partition, from, to }) => {
    const [first, end] = [offsets?.from[partition] ?? null, offsets?.to[partition] ?? null]
    return epoch === offsets?.epoch && first !== null && end !== null && first < to && from < end
  })
  if (own.length > 0) return { holes: own, products: null }
  const holes: Hole[] = []
  let products = 0
  if (all.length === 0) return { holes, products }
  for await (const { records } of steps()) {
    signal.throwIfAborted()
    const ids = [...new Set(records.map(({ product }) => product))]
    const around = ids.filter((id) => holesAround(log, all, id).length > 0)
    for await (const [, { hole }] of readToFold(pool, log, around, below)) {
      if (hole === null) continue
      holes.push(hole)
      products++
    }
  }
  return { holes: distinctHoles(holes), products }
}
