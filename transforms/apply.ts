/** One record's effect on one product: merge, then refine; pure, and the same for the worker, the guard's dry fold and a refold. */
import type { BronzeRecord, CellWarning, ImportContext, Layers, Position, SilverSettings } from '../schemas/pipeline.ts'
import type { RefinedProduct } from '../schemas/product.ts'
import { isAlive, isDeleted, lists } from './bronze/alive.ts'
import { contentKey } from './bronze/content.ts'
import { fold } from './bronze/merge.ts'
import { mergedFields } from './bronze/merged-fields.ts'
import { refine } from './silver/refine.ts'
import type { KnownCategories } from './silver/taxonomy.ts'

export interface Lookups {
  readonly context: (id: number) => ImportContext | undefined
  readonly settings: SilverSettings
  /** Google's, where the operator named its files. */
  readonly taxonomy?: KnownCategories | undefined
  /** Short digest of a text, as hex. */
  readonly digest: (text: string) => string
}

/** A product as a record finds it. */
export interface ProductState {
  readonly layers: Layers
  readonly alive: boolean
  /** Digest of the refined content. */
  readonly content: string
  /** null where it came from the store and nothing has changed since, or nothing was refined of what did. */
  readonly product: RefinedProduct | null
}

export type Effect = 'created' | 'updated' | 'unchanged'

/** The digest of a product that no silver step has seen. */
const neverRefined = ''

export interface Applied {
  readonly state: ProductState
  readonly effect: Effect
  readonly warnings: readonly CellWarning[]
}

export interface Refusal {
  readonly code: 'DATA_003' | 'CONFLICT'
  readonly says: string
}

/** Judges a record's precondition; the worker does so once, and a refold never again. */
export function refusalOf(state: ProductState | null, record: BronzeRecord): Refusal | null {
  if (record.ifAbsent && state?.alive) return { code: 'DATA_003', says: 'a product with this identity exists' }
  if (record.ifRev !== undefined && !isAsSeen(state?.layers, record))
    return { code: 'CONFLICT', says: 'the product has changed since you read it' }
  return null
}

/** Two epochs may have the same offset. */
const isAsSeen = (layers: Layers | undefined, { ifRev, ifEpoch }: BronzeRecord) =>
  layers !== undefined && layers.rev === ifRev && (ifEpoch === undefined || layers.epoch === ifEpoch)

export function applyRecord(
  state: ProductState | null,
  record: BronzeRecord,
  position: Position,
  lookups: Lookups,
): Applied {
  const layers = fold(state?.layers ?? null, record, position)
  return settle(state, layers, lookups, record)
}

/** Refines merged layers, where new cells are refined unasked, and tells what that changed; `record` is whose warnings are wanted. */
export function settle(
  before: ProductState | null,
  layers: Layers,
  lookups: Lookups,
  record: BronzeRecord | null,
): Applied {
  return lookups.settings.autoSilver === false
    ? leaveInBronze(before, layers, record)
    : settleInSilver(before, layers, lookups, record)
}

/** Refines merged layers whether or not that happens unasked: what a batch run over silver does. */
export function settleInSilver(
  before: ProductState | null,
  layers: Layers,
  lookups: Lookups,
  record: BronzeRecord | null,
): Applied {
  const { product, warnings } = refine(
    mergedFields(layers, lookups.context, lookups.settings),
    layers.kind,
    lookups.context,
    lookups.settings,
    lookups.taxonomy,
  )
  const content = lookups.digest(contentKey(product, layers.kind, layers.family))
  const state = { layers, alive: isAlive(layers), content, product }
  const told = record ? warnings.filter((w) => record.cells[w.column] !== undefined) : []
  return {
    state,
    effect: effectOf(before, content),
    warnings: record ? told.concat(deletedWarning(layers, record)) : told,
  }
}

/** The product is as it was last refined, and there or gone as its layers have it. Any cell that changed counts as an update. */
function leaveInBronze(before: ProductState | null, layers: Layers, record: BronzeRecord | null): Applied {
  const state = { layers, alive: isAlive(layers), content: before?.content ?? neverRefined, product: null }
  const created = !before || !wasListed(before.layers)
  const effect = created ? 'created' : hasMoved(before.layers, layers) ? 'updated' : 'unchanged'
  return { state, effect, warnings: record ? deletedWarning(layers, record) : [] }
}

/** Whether a cell changed, or anything else that can be seen. */
export const hasMoved = (a: Layers, b: Layers) => a.rev !== b.rev || a.epoch !== b.epoch

function effectOf(before: ProductState | null, content: string): Effect {
  if (!before || !wasListed(before.layers)) return 'created'
  return before.content === content ? 'unchanged' : 'updated'
}

const wasListed = (layers: Layers) => layers.layers.some(lists)

function deletedWarning(layers: Layers, record: BronzeRecord): CellWarning[] {
  if (record.import === undefined || !isDeleted(layers)) return []
  const says = 'this product was deleted through the API; the import is kept with it but does not bring it back'
  return [{ code: 'deleted', field: 'deleted', column: '', raw: '', says }]
}
