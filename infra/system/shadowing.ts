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
import type { Others } from './others.ts'
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
  others,
}: {
  catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  log: Log
  digest: (text: string) => string
  taxonomy?: KnownCategories | undefined
  others: Pick<Others, 'areAtWork'>
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
      let writing = Promise.resolve()
      const write = async (rows: readonly ShadowRow[]) => {
        await catalog.inTransaction(pool, (tx) => writeShadow(tx, replay.id, rows))
        await made(rows.length)
      }
      const group = async (some: readonly Refolded[], onePosition: boolean) => {
        signal.throwIfAborted()
        const rows = (await compute(some, rules)).filter((row) => onePosition || isSure(row))
        await writing
        writing = write(rows)
        // Told to whoever waits for it: the next group, or the end.
        writing.catch(() => {})
        // While nobody else needs the machine, the next is computed meanwhile.
        const atWork = await others.areAtWork()
        if (atWork) await writing
        const rest = restMs(replay.pace, atWork, rows.length, performance.now() - began)
        if (rest > 0) await sleep(rest, undefined, { signal })
        began = performance.now()
        const holed = some.filter(({ history }) => history.hole).map(({ row }) => row.id)
        unsure += holed.length
        return [...rows.map(({ write }) => write.product), ...holed]
      }
      await refolder.refold(of, products, group).finally(() => writing)
      return unsure
    },
  }
}

/** The machine is others' for so long after this took its time, where there are others. */
function restMs({ rate, share }: ReplayRow['pace'], atWork: boolean, products: number, tookMs: number): number {
  const byShare = atWork ? tookMs / share - tookMs : 0
  const byRate = rate === null ? 0 : (products / rate) * 1_000 - tookMs
  return Math.max(0, byShare, byRate)
}
