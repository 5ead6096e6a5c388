/** Folds stored products anew from their histories on the log, each beside its row; nothing is written, and no row waits for it. */
import { setImmediate as yielded } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { type History, wholeHistory } from '../../transforms/bronze/history.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import type { readWhole } from '../catalog/histories.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { type RowToVerify, rowsToVerify } from '../catalog/verify-queries.ts'
import type { Log } from '../log/port.ts'

export interface Refolded {
  readonly row: RowToVerify
  readonly history: History
  /** What its history folds to; null where the log knows nothing of it, or has lost what it may have known: see its `hole`. */
  readonly layers: Layers | null
}

export interface Refolder {
  /**
   * Products that are no longer there are left out.
   * @param take given some products after the other, in no order; what it waits for, the fold waits for. It answers which of them
   *   it is sure of: the others may have moved between the log and the row, and are given once more, both of one position.
   */
  refold(
    catalog: string,
    products: readonly string[],
    take: (some: readonly Refolded[], onePosition: boolean) => Promise<readonly string[]>,
  ): Promise<void>
}

type Histories = ReadonlyMap<string, History>

/** Held at once, and taken together. */
const atOnce = 200
/** Others in this process are served between. */
const foldedAtOnce = 50

/** @param read histories from their first records, or from what they had come to at a month's end */
export function openRefolder({
  catalog: { pipeline: pool, inTransaction },
  log,
  read,
}: {
  catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  log: Log
  read: typeof readWhole
}): Refolder {
  const positions = (client: PoolClient | typeof pool) =>
    sinkPositions(client, topology.group, log.epoch, topics.bronze, log.partitions)

  async function folded(rows: readonly RowToVerify[], histories: Histories): Promise<Refolded[]> {
    const all: Refolded[] = []
    for (const [n, row] of rows.entries()) {
      if (n % foldedAtOnce === foldedAtOnce - 1) await yielded()
      const history = histories.get(row.id) ?? wholeHistory([])
      all.push({ row, history, layers: history.hole ? null : topology.refold(history).layers })
    }
    return all
  }

  /** A row and how far the sink has come are of one moment; what is on the log below that never changes. */
  async function atOnePosition(catalog: string, products: readonly string[]): Promise<Refolded[]> {
    const { below, rows } = await inTransaction(pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only')
      return { below: await positions(tx), rows: await rowsToVerify(tx, catalog, products) }
    })
    const histories = new Map<string, History>()
    for await (const [id, history] of read(pool, log, products, below)) histories.set(id, history)
    return folded(rows, histories)
  }

  return {
    async refold(catalog, products, take) {
      // One pass over the log for all of them.
      const doubtful = new Set(products)
      /** Its rows are on their way while the group before is taken. */
      const begun = (group: Histories) => {
        const rows = rowsToVerify(pool, catalog, [...group.keys()])
        rows.catch(() => {})
        return async () => {
          for (const id of await take(await folded(await rows, group), false)) doubtful.delete(id)
        }
      }
      let ahead = async () => {}
      let group = new Map<string, History>()
      for await (const [id, history] of read(pool, log, products, await positions(pool))) {
        group.set(id, history)
        if (group.size < atOnce) continue
        const next = begun(group)
        await ahead()
        ahead = next
        group = new Map()
      }
      const last = group.size > 0 ? begun(group) : null
      await ahead()
      await last?.()
      const rest = [...doubtful]
      for (let at = 0; at < rest.length; at += atOnce)
        await take(await atOnePosition(catalog, rest.slice(at, at + atOnce)), true)
    },
  }
}
