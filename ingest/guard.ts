/** The mass-change guard: a dry fold of what an import would create, update, leave and remove, and whether a person must be asked first. */
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { GuardSeen } from '../schemas/import.ts'
import type { ImportContext, SilverSettings } from '../schemas/pipeline.ts'
import { guardFloor } from '../schemas/settings.ts'
import { applyRecord, type Lookups } from '../transforms/apply.ts'
import { contextsOf } from '../transforms/bronze/contexts-of.ts'
import { ownContext } from '../transforms/own-context.ts'
import type { StoredProduct } from '../transforms/ports.ts'
import type { KnownCategories } from '../transforms/silver/taxonomy.ts'
import type { Found } from './identity.ts'
import { recordOf } from './record.ts'

/** What the dry fold counts: rows by result, and products. */
export interface GuardResult {
  created: number
  updated: number
  unchanged: number
  changed: number
  removed: number
  /** Rows of which nobody can say which product they are. */
  unknown: number
}

/** What an import's difference is measured against. */
export interface GuardGround {
  /** Products that the catalog has. */
  readonly products: number
  /** Of this source's last completed import. */
  readonly lastRows: number | null
}

interface FoldStore {
  load(catalog: string, products: readonly string[]): Promise<Map<string, StoredProduct>>
  context(id: number): Promise<ImportContext>
}

export interface FoldPorts {
  readonly store: FoldStore
  readonly digest: (text: string) => string
  readonly taxonomy: KnownCategories | undefined
}

/** Thrown once the guard has looked and before anything is appended: a person decides. */
export class ImportHeld extends Error {
  readonly guard: GuardSeen

  constructor(guard: GuardSeen) {
    super(guard.reasons.join(' '))
    this.guard = guard
  }
}

export const nothingSeen = (): GuardResult => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  changed: 0,
  removed: 0,
  unknown: 0,
})

/**
 * Not for a file that cannot reach the share and is about as long as this source's last one.
 * @param share of a catalog that an import may change unasked
 */
export function guardIsNeeded(
  { products, lastRows }: GuardGround,
  rows: number,
  share: number,
  snapshot: boolean,
): boolean {
  if (products === 0) return false
  const usual = lastRows !== null && rows >= lastRows / 2 && rows <= lastRows * 1.5
  return snapshot || !(rows < products * share && usual)
}

/** Products as they are, and what their cells and those of new records are read by. */
export async function presentStates(
  found: readonly Pick<Found, 'product' | 'fresh'>[],
  catalog: string,
  context: ImportContext,
  settings: SilverSettings,
  { store, digest, taxonomy }: FoldPorts,
): Promise<{ states: Map<string, StoredProduct>; lookups: Lookups }> {
  const known = found.flatMap(({ product, fresh }) => (product === null || fresh ? [] : [product]))
  const states = await store.load(catalog, known)
  const contexts = new Map([[context.id, context]])
  for (const state of states.values())
    for (const id of contextsOf(state.layers)) if (!contexts.has(id)) contexts.set(id, await store.context(id))
  const lookup = (id: number) => (id === 0 ? ownContext : contexts.get(id))
  return { states, lookups: { context: lookup, settings, digest, taxonomy } }
}

/** Behind whatever stands on the log. */
export const behindAll = { epoch: Number.MAX_SAFE_INTEGER, partition: 0, offset: 0 } as const

/** At a limit of 1 everything may change unasked, and of a handful of products a share says nothing (`guardFloor`); what cannot be told apart is asked about all the same. */
export function judgeGuard(seen: GuardResult, ground: GuardGround, rows: number, limit: number): GuardSeen {
  const { unknown, ...counts } = seen
  const { products, lastRows } = ground
  const moved = counts.changed + counts.removed
  const reasons: string[] = []
  const beyond = products > 0 && moved > products * limit + 1e-9
  const emptied = counts.removed > 0 && counts.updated + counts.unchanged === 0
  if (beyond && (moved >= guardFloor || limit === 0 || emptied))
    reasons.push(
      `It would change ${counts.changed} and remove ${counts.removed} of ${products} products, and ${percent(limit)} may change unasked.`,
    )
  if (products > 0 && limit < 1 && lastRows !== null && rows * 2 < lastRows)
    reasons.push(`It has ${rows} rows, and the last file of this source had ${lastRows}: less than half.`)
  if (unknown > 0 && counts.removed > 0)
    reasons.push(
      `It has ${unknown} rows that cannot be read or told apart, so products of theirs would be removed as missing.`,
    )
  const share = products === 0 ? 0 : Math.round((moved / products) * 10_000) / 10_000
  return { ...counts, products, share, limit, rows, lastRows, reasons }
}

const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`

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
    if (one.product === null) {
      result.unknown += one.candidate.rows.length
      continue
    }
    if (one.same) {
      result.unchanged += one.candidate.rows.length
      continue
    }
    const state = states.get(one.product) ?? null
    const family = state?.layers.family ?? null
    const { effect } = applyRecord(state, recordOf(one, row, context.id, family, ''), behindAll, lookups)
    result[effect] += one.candidate.rows.length
    if (effect === 'updated') result.changed++
  }
}
