/** The dry fold: what an import would create, update and leave, computed over the present layers with nothing written. */
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { ImportContext, SilverSettings } from '../schemas/pipeline.ts'
import { applyRecord, type Lookups } from '../transforms/apply.ts'
import { contextsOf } from '../transforms/bronze/contexts-of.ts'
import { ownContext } from '../transforms/own-context.ts'
import type { StoredProduct } from '../transforms/ports.ts'
import type { Found } from './identity.ts'
import { recordOf } from './record.ts'

export interface GuardResult {
  created: number
  updated: number
  unchanged: number
}

interface GuardStore {
  load(catalog: string, products: readonly string[]): Promise<Map<string, StoredProduct>>
  context(id: number): Promise<ImportContext>
  productCount(catalog: string): Promise<number>
  lastRows(catalog: string, source: string): Promise<number | null>
}

export interface FoldPorts {
  readonly store: Pick<GuardStore, 'load' | 'context'>
  readonly digest: (text: string) => string
}

/**
 * Not for a file that cannot reach the share and is about as long as this source's last one.
 * @param share of a catalog that an import may change unasked
 */
export async function guardIsNeeded(row: ImportRow, store: GuardStore, rows: number, share: number): Promise<boolean> {
  const [products, last] = await Promise.all([store.productCount(row.catalog), store.lastRows(row.catalog, row.source)])
  if (products === 0) return false
  const usual = last !== null && rows >= last / 2 && rows <= last * 1.5
  return !(rows < products * share && usual)
}

/** Products as they are, and what their cells and those of new records are read by. */
export async function presentStates(
  found: readonly Pick<Found, 'product' | 'fresh'>[],
  catalog: string,
  context: ImportContext,
  settings: SilverSettings,
  { store, digest }: FoldPorts,
): Promise<{ states: Map<string, StoredProduct>; lookups: Lookups }> {
  const known = found.flatMap(({ product, fresh }) => (product === null || fresh ? [] : [product]))
  const states = await store.load(catalog, known)
  const contexts = new Map([[context.id, context]])
  for (const state of states.values())
    for (const id of contextsOf(state.layers)) if (!contexts.has(id)) contexts.set(id, await store.context(id))
  return { states, lookups: { context: (id) => (id === 0 ? ownContext : contexts.get(id)), settings, digest } }
}

/** Behind whatever stands on the log. */
export const behindAll = { epoch: Number.MAX_SAFE_INTEGER, partition: 0, offset: 0 } as const

/** Adds the rows of these records to the result they would have. */
export async function dryFold(
  found: readonly Found[],
  row: ImportRow,
  context: ImportContext,
  settings: SilverSettings,
  ports: FoldPorts,
  result: GuardResult,
): Promise<void> {
  const { states, lookups } = await presentStates(found, row.catalog, context, settings, ports)
  for (const one of found) {
    if (one.product === null) continue
    if (one.same) {
      result.unchanged += one.candidate.rows.length
      continue
    }
    const state = states.get(one.product) ?? null
    const family = state?.layers.family ?? null
    const { effect } = applyRecord(state, recordOf(one, row, context.id, family, ''), behindAll, lookups)
    result[effect] += one.candidate.rows.length
  }
}
