/** What differs between two states of a product, field by field. */
import type { RefinedProduct } from '../../schemas/product.ts'

export type RefinedField = keyof RefinedProduct

export interface FieldChange {
  readonly field: RefinedField
  readonly before: unknown
  readonly after: unknown
}

/** In the order of the fields' names; a list is compared whole, in order, and the keys of a record in any. */
export function diffProducts(before: RefinedProduct, after: RefinedProduct): readonly FieldChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as RefinedField[])
  return [...fields].sort().flatMap((field) => {
    const [was, is] = [before[field] ?? null, after[field] ?? null]
    return isSame(was, is) ? [] : [{ field, before: was, after: is }]
  })
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
}
