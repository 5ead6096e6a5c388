/** What differs between two states of a product, field by field. */
import type { RefinedProduct } from '../../schemas/product.ts'
import { isSame } from './is-same.ts'

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
