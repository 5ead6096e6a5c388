/** Merges two states of a product that have a common base, field by field; what both changed differently is a conflict, never guessed. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { differing, fieldValue, type MergeField, mergeFields, ruleOf, sameField } from './fields.ts'

/** `product`: one side removed it and the other changed it. Values are null where there is no product. */
export interface Conflict {
  readonly field: MergeField | 'product'
  readonly base: unknown
  readonly from: unknown
  readonly into: unknown
}

/** What makes `into` the merge of both. With conflicts it is what can be done without choosing. */
export interface Merge {
  readonly action: 'none' | 'edit' | 'create' | 'delete'
  /** Fields that `into` takes over from `from`. */
  readonly fields: readonly MergeField[]
  readonly conflicts: readonly Conflict[]
}

type State = RefinedProduct | null

const nothing: Merge = { action: 'none', fields: [], conflicts: [] }

/** @param base null: the product was on neither side when they parted; a side is null where the product is not there */
export function mergeProducts(base: State, from: State, into: State): Merge {
  if (from !== null && into !== null) return mergeStates(base, from, into)
  if (from === null && into === null) return nothing
  if (base === null) return from === null ? nothing : { action: 'create', fields: mergeFields, conflicts: [] }
  const kept = from ?? into ?? base
  if (differing(base, kept).length > 0) return { ...nothing, conflicts: [{ field: 'product', base, from, into }] }
  return from === null ? { ...nothing, action: 'delete' } : nothing
}

function mergeStates(base: State, from: RefinedProduct, into: RefinedProduct): Merge {
  const fields: MergeField[] = []
  const conflicts: Conflict[] = []
  for (const field of mergeFields) {
    if (sameField(from, into, field)) continue
    if (base !== null && sameField(base, from, field)) continue
    if (base !== null && sameField(base, into, field)) fields.push(field)
    else
      conflicts.push({
        field,
        base: base && fieldValue(base, field),
        from: fieldValue(from, field),
        into: fieldValue(into, field),
      })
  }
  return { action: fields.length > 0 ? 'edit' : 'none', fields, conflicts }
}

/** `into` with some fields of `from`, as far as these can be taken from it. */
export function taking(into: RefinedProduct, from: RefinedProduct, fields: readonly MergeField[]): RefinedProduct {
  const taken: Record<string, unknown> = { ...into }
  for (const field of fields) for (const name of ruleOf(field).of) taken[name] = from[name]
  const own = (name: 'link' | 'condition') => (fields.includes(name) ? from : into).defaulted.includes(name)
  return { ...(taken as unknown as RefinedProduct), defaulted: (['link', 'condition'] as const).filter(own) }
}
