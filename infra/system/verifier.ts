/** Compares stored products with what their histories on the log give, beside live traffic: each at one position, and nothing is written. */
import type { Hole } from '../../schemas/log-incomplete.ts'
import type { Layers } from '../../schemas/pipeline.ts'
import type { HistoryEntry } from '../../transforms/bronze/refold.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import type { Difference } from '../../transforms/verify/first-difference.ts'
import { readWhole } from '../catalog/histories.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { settingsNumbered } from '../catalog/settings.ts'
import type { RowToVerify } from '../catalog/verify-queries.ts'
import type { Log } from '../log/port.ts'
import { openContextLookup } from './context-lookup.ts'
import { judgeProduct, type Verdict } from './judge-product.ts'
import { openRefolder, type Refolded } from './refolder.ts'

/** A product, and what was found of it. */
export interface Verified {
  readonly row: RowToVerify
  /** `unsure`: the log has lost records that may have been of it. */
  readonly verdict: Verdict | 'unsure'
  readonly history: readonly HistoryEntry[]
  readonly hole: Hole | null
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

export function openVerifier({
  catalog,
  log,
  digest,
  taxonomy,
}: {
  catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  log: Log
  digest: (text: string) => string
  taxonomy?: KnownCategories | undefined
}): Verifier {
  const pool = catalog.pipeline
  const contextsFor = openContextLookup(pool)
  const refolder = openRefolder({ catalog, log, read: readWhole })

  async function judge(some: readonly Refolded[]): Promise<Verified[]> {
    const context = await contextsFor(some.flatMap(({ layers }): Layers[] => (layers === null ? [] : [layers])))
    const numbers = [...new Set(some.map(({ row }) => row.settings))]
    const numbered = new Map(
      (await settingsNumbered(pool, some[0]?.row.workspace ?? '', numbers)).map((settings) => [
        settings.number,
        settings,
      ]),
    )
    return some.map(({ row, history, layers }) => {
      const { entries, hole } = history
      const judged = () => judgeProduct(row, layers, numbered.get(row.settings), { context, digest, taxonomy })
      return { row, history: entries, hole, verdict: hole ? 'unsure' : judged() }
    })
  }

  return {
    verify: (of, products, found) =>
      refolder.refold(of, products, async (some, onePosition) => {
        const verified = await judge(some)
        // A row that has moved since seems to differ, and is looked at once more.
        const certain = onePosition ? verified : verified.filter(({ verdict }) => typeof verdict === 'string')
        await found(certain)
        return certain.map(({ row }) => row.id)
      }),
  }
}
