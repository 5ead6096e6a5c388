/** Tells which product of a catalog a row's identifiers attach it to, and what the row would add to it. */
import type { IdentityRow } from '../infra/catalog/identities.ts'
import { decidingKind, type IdentityText, kinds } from './identifiers.ts'

export interface KnownAs {
  readonly product: string
  /** The product has no SKU, or no options, and would have them from this row: another row with others would not attach any more. */
  readonly gives: boolean
}

export interface Identifier extends IdentityText {
  readonly hash: string
  /** Kind and hash in one, made once: it is looked up several times. */
  readonly key: string
  /** Stands on several products of its own file. */
  readonly sharedInFile: boolean
}

/** What a product has that its id does not tell: a SKU that it was given later, and the options that its rows had. */
export interface Traits {
  readonly sku: string | null
  readonly options: string | null
}

/** Of identifiers and products: what the catalog knows, with what the rows so far have added. */
export interface Knowledge {
  readonly known: ReadonlyMap<string, IdentityRow>
  readonly products: ReadonlyMap<string, Traits>
}

/** The first known, unshared kind decides, but never for a product with another SKU or other options. */
export function attached(
  ids: readonly Identifier[],
  sku: Identifier | undefined,
  options: string | null,
  { known, products }: Knowledge,
): { product: string; by: Identifier } | null {
  const claimed = ids.some((id) => id.only === 'claim' && known.has(id.key))
  for (const by of ids) {
    const holder = known.get(by.key)
    if (!holder || holder.shared || by.sharedInFile) continue
    if (by.only === 'claim' || (claimed && by.only === 'unclaimed')) continue
    const { product } = holder
    if (by.kind === kinds.sku || attaches(by, product, sku, options, products.get(product))) return { product, by }
  }
  return null
}

/** What a row would add to a product that it attaches to. */
export function given(
  product: string,
  sku: Identifier | undefined,
  options: string | null,
  { known, products }: Knowledge,
) {
  return {
    newSku: sku && !known.has(sku.key) && decidingKind(product) !== kinds.sku ? sku.hash : null,
    newOptions: options !== null && !products.get(product)?.options ? options : null,
  }
}

export function knownAs(
  ids: readonly Identifier[],
  sku: Identifier | undefined,
  options: string | null,
  before: Knowledge,
): KnownAs | null {
  const found = attached(ids, sku, options, before)
  if (!found) return null
  const { product, by } = found
  const { newSku, newOptions } = given(product, sku, options, before)
  return { product, gives: newSku !== null || (newOptions !== null && by.kind > kinds.family) }
}

/** A SKU, and what a source itself calls a product, hold although its options are named anew. */
function attaches(
  id: Identifier,
  product: string,
  sku: Identifier | undefined,
  options: string | null,
  theirs: Traits | undefined,
): boolean {
  if (sku && (decidingKind(product) === kinds.sku || (theirs?.sku && theirs.sku !== sku.hash))) return false
  if (id.kind === kinds.family || id.kind === kinds.sourceId) return true
  return options === null || !theirs?.options || options === theirs.options
}
