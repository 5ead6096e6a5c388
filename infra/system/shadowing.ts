/** Makes the shadow of chosen products, group by group at a set pace, each group in one transaction of its own. */
import { setTimeout as sleep, setImmediate as yielded } from 'node:timers/promises'
import type { Layers } from '../../schemas/pipeline.ts'
import type { Weights } from '../../schemas/score.ts'
import type { PipelineSettings } from '../../schemas/settings.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { ReplayRow } from '../catalog/replays.ts'
import { settingsNumbered, weightsNumbered } from '../catalog/settings.ts'
import { type ShadowRow, writeShadow } from '../catalog/shadow-rows.ts'
import type { Log } from '../log/port.ts'
import { openContextLookup } from './context-lookup.ts'
import { readToFold } from './read-to-fold.ts'
import { openRefolder, type Refolded } from './refolder.ts'
import { shadowProduct } from './shadow-product.ts'

/** The numbered settings of a replay, read once. */
export interface ShadowRules {
  readonly settings: PipelineSettings
  readonly weights: { readonly before: Weights; readonly after: Weights }
}

/** Some five milliseconds of computing: others in this process are served between. */
const computedAtOnce = 20

export function openShadowing({
  catalog,
  log,
  digest,
  taxonomy,
}: {
  catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  log: Log
  digest: (text: string) => string
  taxonomy?: KnownCategories | undefined
}) {
  const pool = catalog.pipeline
  const contextsFor = openContextLookup(pool)
  const refolder = openRefolder({ catalog, log, read: readToFold })

  async function compute(some: readonly Refolded[], { settings, weights }: ShadowRules): Promise<ShadowRow[]> {
    const context = await contextsFor(some.flatMap(({ layers }): Layers[] => (layers === null ? [] : [layers])))
    const at = new Date().toISOString()
    const rows: ShadowRow[] = []
    for (const [n, { row, layers }] of some.entries()) {
      if (n % computedAtOnce === computedAtOnce - 1) await yielded()
      // What the log knows nothing of, or no rule can read, has no shadow.
      if (layers === null) continue
      try {
        rows.push(shadowProduct(row, layers, { context, settings, digest, taxonomy }, weights, at))
      } catch {}
    }
    return rows
  }

  /** A row that folds to something else than it was stored with may have moved between the log and the row. */
  const isSure = ({ scores }: ShadowRow) => scores.step !== 'merge'

  return {
    async rules(replay: ReplayRow): Promise<ShadowRules> {
      const [settings] = await settingsNumbered(pool, replay.workspace, [replay.settings])
      const before = await weightsNumbered(pool, replay.workspace, replay.formerWeights)
      const after = await weightsNumbered(pool, replay.workspace, replay.weights)
      if (!settings || !before || !after) throw new Error('the settings of this replay are gone')
      return { settings, weights: { before, after } }
    },

    /**
     * @param made told how many more have a shadow, after each group
     * @returns products that have none since the log has lost records that may have been of them
     */
    async make(
      replay: ReplayRow,
      rules: ShadowRules,
      { of, products }: { readonly of: string; readonly products: readonly string[] },
      made: (n: number) => Promise<void>,
      signal: AbortSignal,
    ): Promise<number> {
      let unsure = 0
      let began = performance.now()
      await refolder.refold(of, products, async (some, onePosition) => {
        signal.throwIfAborted()
        const rows = (await compute(some, rules)).filter((row) => onePosition || isSure(row))
        await catalog.inTransaction(pool, (tx) => writeShadow(tx, replay.id, rows))
        await made(rows.length)
        await sleep(restMs(replay.pace, rows.length, performance.now() - began), undefined, { signal })
        began = performance.now()
        const holed = some.filter(({ history }) => history.hole).map(({ row }) => row.id)
        unsure += holed.length
        return [...rows.map(({ write }) => write.product), ...holed]
      })
      return unsure
    },
  }
}

/** The machine is others' for so long after this took its time. */
function restMs({ rate, share }: ReplayRow['pace'], products: number, tookMs: number): number {
  const byShare = tookMs / share - tookMs
  const byRate = rate === null ? 0 : (products / rate) * 1_000 - tookMs
  return Math.max(0, byShare, byRate)
}
