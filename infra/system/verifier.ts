/** Compares stored products with what their histories on the log give, beside live traffic: each at one position, and nothing is written. */
import type { PoolClient } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import type { HistoryEntry } from '../../transforms/bronze/refold.ts'
import { products as topology } from '../../transforms/topology.ts'
import type { Difference } from '../../transforms/verify/first-difference.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { readHistories } from '../catalog/histories.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { settingsNumbered } from '../catalog/settings.ts'
import { type RowToVerify, rowsToVerify } from '../catalog/verify-queries.ts'
import type { Log } from '../log/port.ts'
import { openContextLookup } from './context-lookup.ts'
import { judgeProduct, type Verdict } from './judge-product.ts'

/** A product, and what was found of it. */
export interface Verified {
  readonly row: RowToVerify
  readonly verdict: Verdict
  readonly history: readonly HistoryEntry[]
}

export type Differing = Verified & { readonly verdict: Difference }

export interface Verifier {
  /**
   * Products that are no longer there are left out.
   * @param found told of some products after the other, in no order; what it waits for, the comparison waits for
   */
  verify(
    catalog: string,
    products: readonly string[],
    found: (some: readonly Verified[]) => Promise<void>,
  ): Promise<void>
}

type Histories = ReadonlyMap<string, readonly HistoryEntry[]>

/** Others wait for what is computed at once. */
const atOnce = 200

export function openVerifier({
  catalog: { pipeline: pool, inTransaction },
  log,
  digest,
}: {
  catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  log: Log
  digest: (text: string) => string
}): Verifier {
  const contextsFor = openContextLookup(pool)

  const positions = (client: PoolClient | typeof pool) =>
    sinkPositions(client, topology.group, log.epoch, topics.bronze, log.partitions)

  async function judge(rows: readonly RowToVerify[], histories: Histories): Promise<Verified[]> {
    const folded = rows
      .map((row) => ({ row, history: histories.get(row.id) ?? [] }))
      .map((one) => ({
        ...one,
        layers: topology.refold(one.history).layers,
      }))
    const context = await contextsFor(folded.flatMap(({ layers }): Layers[] => (layers === null ? [] : [layers])))
    const numbered = new Map(
      (await settingsNumbered(pool, rows[0]?.workspace ?? '', [...new Set(rows.map(({ settings }) => settings))])).map(
        (settings) => [settings.number, settings],
      ),
    )
    return folded.map(({ row, history, layers }) => {
      const verdict = judgeProduct(row, layers, numbered.get(row.settings), { context, digest })
      return { row, history, verdict }
    })
  }

  /** A row and how far the sink has come are of one moment; what is on the log below that never changes. */
  async function atOnePosition(catalog: string, products: readonly string[]): Promise<Verified[]> {
    const { below, rows } = await inTransaction(pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only')
      return { below: await positions(tx), rows: await rowsToVerify(tx, catalog, products) }
    })
    const histories = new Map<string, HistoryEntry[]>()
    for await (const [id, history] of readHistories(pool, log, products, below)) histories.set(id, history)
    return judge(rows, histories)
  }

  return {
    async verify(catalog, products, found) {
      // One pass over the log for all of them; a row that has moved since seems to differ, and is looked at once more.
      const doubtful = new Set(products)
      const first = async (group: Histories) => {
        const verified = await judge(await rowsToVerify(pool, catalog, [...group.keys()]), group)
        const certain = verified.filter(({ verdict }) => typeof verdict === 'string')
        for (const { row } of certain) doubtful.delete(row.id)
        await found(certain)
      }
      let group = new Map<string, HistoryEntry[]>()
      for await (const [id, history] of readHistories(pool, log, products, await positions(pool))) {
        group.set(id, history)
        if (group.size < atOnce) continue
        await first(group)
        group = new Map()
      }
      if (group.size > 0) await first(group)
      const rest = [...doubtful]
      for (let at = 0; at < rest.length; at += atOnce)
        await found(await atOnePosition(catalog, rest.slice(at, at + atOnce)))
    },
  }
}
