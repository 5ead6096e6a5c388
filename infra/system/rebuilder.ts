/** Makes products anew from the log and says which differ from what is stored: rows as they have to be, and nothing written. */
import type { Hole } from '../../schemas/log-incomplete.ts'
import type { Layers } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import type { Lookups } from '../../transforms/apply.ts'
import { isAlive } from '../../transforms/bronze/alive.ts'
import { type History, wholeHistory } from '../../transforms/bronze/history.ts'
import { ownContext } from '../../transforms/own-context.ts'
import type { ProductWrite } from '../../transforms/ports.ts'
import { writeOf } from '../../transforms/product-write.ts'
import { refreshed } from '../../transforms/refresh.ts'
import { firstRecord } from '../../transforms/replay/first-record.ts'
import { replayed } from '../../transforms/replay/replayed.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { products as topology } from '../../transforms/topology.ts'
import type { VerifyStep } from '../../transforms/verify/first-difference.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { readWhole } from '../catalog/histories.ts'
import { findContexts } from '../catalog/import-sources.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { findSettings, settingsNumbered } from '../catalog/settings.ts'
import type { RowToVerify } from '../catalog/verify-queries.ts'
import type { Log } from '../log/port.ts'
import { openContextLookup } from './context-lookup.ts'
import { type DifferenceExample, exampleOf } from './difference-example.ts'
import { judgeProduct } from './judge-product.ts'
import type { Differing, Verified, Verifier } from './verifier.ts'

/** `unfounded`: the log says nothing of it, and it stays. `failed`: it cannot be made, and stays. */
export type Found = 'equal' | 'stale' | 'mended' | 'restored' | 'unfounded' | 'failed'

export interface Rebuilt {
  readonly id: string
  readonly found: Found
  readonly step?: VerifyStep
  readonly example?: DifferenceExample
  /** Why it cannot be made, where the log has lost records that may have been of it. */
  readonly hole?: Hole
  /** Of what is mended or restored. */
  readonly write?: ProductWrite
}

export interface Rebuilder {
  /** Those of the products that have a row; told of some after the other, in no order. */
  rows(catalog: string, products: readonly string[], found: (some: readonly Rebuilt[]) => Promise<void>): Promise<void>
  /** Those that have none. */
  missing(
    workspace: string,
    products: readonly string[],
    found: (some: readonly Rebuilt[]) => Promise<void>,
  ): Promise<void>
}

const atOnce = 200

interface Parts {
  readonly catalog: Pick<Catalog, 'pipeline'>
  readonly log: Log
  readonly verifier: Verifier
  readonly digest: (text: string) => string
  readonly taxonomy?: KnownCategories | undefined
}

export function openRebuilder({ catalog: { pipeline: pool }, log, verifier, digest, taxonomy }: Parts): Rebuilder {
  const contextsFor = openContextLookup(pool)

  async function mend(differing: readonly Differing[]): Promise<Rebuilt[]> {
    const workspace = differing[0]?.row.workspace ?? ''
    const folded = differing.map((one) => ({ ...one, layers: topology.refold(wholeHistory(one.history)).layers }))
    const context = await contextsFor(folded.flatMap(({ layers }): Layers[] => (layers === null ? [] : [layers])))
    const present = await presentSettings(workspace)
    const numbers = [...new Set(differing.map(({ row }) => row.settings))]
    const numbered = new Map((await settingsNumbered(pool, workspace, numbers)).map((one) => [one.number, one]))
    const at = new Date().toISOString()
    return folded.map(({ layers, ...one }): Rebuilt => {
      const told = { id: one.row.id, step: one.verdict.step, example: exampleOf(one, log) }
      if (layers === null) return { ...told, found: 'unfounded' }
      const lookups = { context, digest, taxonomy, settings: numbered.get(one.row.settings) ?? present }
      const write = attempt(() => mended(one, layers, lookups, at))
      return write === null ? { ...told, found: 'failed' } : { ...told, found: 'mended', write }
    })
  }

  async function presentSettings(workspace: string) {
    const found = await findSettings(pool, workspace)
    if (!found) throw new Error(`workspace ${workspace} is gone`)
    return found.silver
  }

  async function restore(workspace: string, group: ReadonlyMap<string, History>): Promise<Rebuilt[]> {
    const settings = await presentSettings(workspace)
    const numbers = new Set(
      [...group.values()].flatMap(({ entries }) => entries).map(({ record }) => record.says?.context ?? record.context),
    )
    const contexts = new Map((await findContexts(pool, [...numbers])).map((one) => [one.id, one]))
    const context = (id: number) => (id === 0 ? ownContext : contexts.get(id))
    return [...group].map(([id, { entries, hole }]): Rebuilt => {
      if (hole) return { id, found: 'failed', hole }
      const write = attempt(() => replayed(entries, { context, digest, settings, taxonomy }, topology) ?? 'nothing')
      if (write === 'nothing') return { id, found: 'equal' }
      return write === null ? { id, found: 'failed' } : { id, found: 'restored', write }
    })
  }

  return {
    rows: (catalog, products, found) =>
      verifier.verify(catalog, products, async (some) => {
        const whole = some.map(withOrigin)
        const differing = whole.filter((one): one is Differing => typeof one.verdict !== 'string')
        const others = whole.flatMap(({ row, verdict, hole }): Rebuilt[] => {
          if (hole) return [{ id: row.id, found: 'failed', hole }]
          return verdict === 'equal' || verdict === 'stale' ? [{ id: row.id, found: verdict }] : []
        })
        await found([...others, ...(differing.length > 0 ? await mend(differing) : [])])
      }),
    async missing(workspace, products, found) {
      const below = await sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
      const silent = new Set(products)
      let group = new Map<string, History>()
      for await (const [id, history] of readWhole(pool, log, products, below)) {
        silent.delete(id)
        group.set(id, history)
        if (group.size < atOnce) continue
        await found(await restore(workspace, group))
        group = new Map()
      }
      await found([...(await restore(workspace, group)), ...[...silent].map((id) => ({ id, found: 'equal' as const }))])
    },
  }
}

/** Also what a row was made with and when: its first record that counts says so. */
function withOrigin(one: Verified): Verified {
  const first = firstRecord(one.history)
  if (one.verdict !== 'equal' || !first) return one
  const { sid: stored, createdAt } = one.row
  if (stored !== first.sid)
    return { ...one, verdict: { step: 'merge', at: '/columns/source_identifier', stored, computed: first.sid } }
  if (Date.parse(createdAt) === Date.parse(first.at)) return one
  return { ...one, verdict: { step: 'merge', at: '/columns/created_at', stored: createdAt, computed: first.at } }
}

/**
 * The row as the log and the numbers that it was made with have it. Its times stay where nobody can see that anything changed
 * (KF-49), and a score that was damaged leaves no trace in the history.
 */
function mended({ row, history }: Verified, layers: Layers, lookups: Lookups, at: string): ProductWrite {
  const first = firstRecord(history)
  const alike = { ...row, layers: Buffer.from(JSON.stringify(layers)) }
  const rest = judgeProduct(alike, layers, lookups.settings, lookups)
  const seen = typeof rest !== 'string' && rest.step !== 'gold'
  const write = row.stage === 'bronze' ? leftInBronze(row, layers, lookups) : remade(row, layers, lookups, at)
  return {
    ...write,
    sid: first?.sid ?? row.sid,
    createdAt: first?.at ?? row.createdAt,
    updatedAt: seen ? at : row.updatedAt,
    gradedAt: typeof rest === 'string' ? (row.scoredAt ?? at) : at,
    contentChanged: seen,
    formerSub: write.grade === null ? row.sub : null,
  }
}

/** @param row in silver: gold was off, and its score stays as it is */
function remade(row: RowToVerify, layers: Layers, lookups: Lookups, at: string): ProductWrite {
  const gold = row.stage === 'gold' || !row.alive || row.kind === 'parent'
  const settings = { ...lookups.settings, autoSilver: true, autoGold: gold }
  return refreshed({ ...row, layers, product: null }, { ...lookups, settings }, topology.grade, at)
}

/** Cells that nobody has refined: all else stays as it was last refined. */
function leftInBronze(row: RowToVerify, layers: Layers, { settings }: Lookups): ProductWrite {
  const state = { layers, alive: isAlive(layers), content: row.content, product: null }
  const first = { ...row, product: row.id, at: row.createdAt }
  const before = { ...row, ...state }
  const moving = { before, state, first, last: { at: row.updatedAt }, contentChanged: false, moved: false }
  return writeOf(moving, topology.grade, () => ({ ...settings, autoSilver: false }))
}

/** @returns null where no step can make it */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
