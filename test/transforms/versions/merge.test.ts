import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { differing, type MergeField, mergeFields } from '../../../transforms/versions/fields.ts'
import { mergeProducts, taking } from '../../../transforms/versions/merge.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'

/** The target once the merge is done; what nobody can decide stays. */
function merged(base: RefinedProduct, from: RefinedProduct, into: RefinedProduct): RefinedProduct {
  const { action, fields } = mergeProducts(base, from, into)
  expect(action).toBe(fields.length > 0 ? 'edit' : 'none')
  return taking(into, from, fields)
}
const someFields = fc.uniqueArray(fc.constantFrom(...mergeFields), { maxLength: 8 })

describe('a merge', () => {
  test('of a fork without edits changes nothing', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, (base, into) => {
        expect(mergeProducts(base, base, into)).toEqual({ action: 'none', fields: [], conflicts: [] })
      }),
    )
  })

  test('gives an untouched side what the other changed', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, (base, from) => {
        const { conflicts } = mergeProducts(base, from, base)
        expect(conflicts).toEqual([])
        expect(differing(merged(base, from, base), from)).toEqual([])
      }),
    )
  })

  test('of disjoint edits is the same in either order', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, anyProduct, someFields, (base, one, two, fields) => {
        const left = taking(base, one, fields)
        const right = taking(base, two, mergeFields.filter((field) => !fields.includes(field)).slice(0, 9))
        expect(mergeProducts(base, left, right).conflicts).toEqual([])
        expect(differing(merged(base, left, right), merged(base, right, left))).toEqual([])
      }),
    )
  })

  test('twice equals once', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, anyProduct, (base, from, into) => {
        const once = merged(base, from, into)
        // The base is now what was merged.
        expect(mergeProducts(from, from, once).action).toBe('none')
        expect(differing(merged(base, from, once), once)).toEqual([])
      }),
    )
  })

  test('never guesses: a field that both changed differently is a conflict, and the same change none', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, anyProduct, (base, from, into) => {
        const both = (field: MergeField) =>
          [differing(base, from), differing(base, into), differing(from, into)].every((list) => list.includes(field))
        const { conflicts, fields } = mergeProducts(base, from, into)
        expect(conflicts.map(({ field }) => field)).toEqual(mergeFields.filter(both))
        expect(fields.filter(both)).toEqual([])
        expect(mergeProducts(base, from, from).conflicts).toEqual([])
      }),
    )
  })

  test('follows a removal of what the other side left alone, and asks where it did not', () => {
    fc.assert(
      fc.property(anyProduct, anyProduct, (base, other) => {
        expect(mergeProducts(base, null, base)).toMatchObject({ action: 'delete', conflicts: [] })
        expect(mergeProducts(base, base, null)).toMatchObject({ action: 'none', conflicts: [] })
        expect(mergeProducts(null, other, null)).toMatchObject({ action: 'create', conflicts: [] })
        expect(mergeProducts(null, null, other)).toMatchObject({ action: 'none', conflicts: [] })
        if (differing(base, other).length === 0) return
        for (const [from, into] of [
          [other, null],
          [null, other],
        ] as const)
          expect(mergeProducts(base, from, into)).toMatchObject({ action: 'none', conflicts: [{ field: 'product' }] })
      }),
    )
  })
})
