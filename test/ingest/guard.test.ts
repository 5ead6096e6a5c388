import { describe, expect, test } from 'vitest'
import { judgeGuard, nothingSeen } from '../../ingest/guard.ts'
import { guardFloor } from '../../schemas/settings.ts'

/** @param kept rows of products that the file lists as they are */
const reasons = (
  products: number,
  changed: number,
  removed: number,
  limit = 0.3,
  kept = products - changed - removed,
) =>
  judgeGuard(
    { ...nothingSeen(), updated: changed, changed, removed, unchanged: kept },
    { products, lastRows: products },
    products,
    limit,
  ).reasons

describe('the mass-change guard', () => {
  test('asks about no share of a handful of products', () => {
    for (const products of [1, 2, 3, 4, 9])
      for (let moved = 0; moved < Math.min(products, guardFloor); moved++) {
        expect(reasons(products, moved, 0)).toEqual([])
        expect(reasons(products, 0, moved)).toEqual([])
      }
    expect(reasons(1, 1, 0)).toEqual([])
  })

  test('asks from there on, as it does of a large catalog', () => {
    expect(reasons(10, guardFloor, 0)).toHaveLength(1)
    expect(reasons(10, 1, guardFloor - 1)).toHaveLength(1)
    expect(reasons(10_000, 3_000, 0)).toEqual([])
    expect(reasons(10_000, 3_001, 0)).toHaveLength(1)
  })

  test('asks before a snapshot leaves a source nothing, however little it has', () => {
    for (const products of [1, 2, 3]) expect(reasons(products, 0, products)).toHaveLength(1)
    expect(reasons(3, 0, 3, 1)).toEqual([])
  })

  test('asks about every change where the share is 0', () => {
    expect(reasons(3, 1, 0, 0)).toHaveLength(1)
    expect(reasons(3, 0, 0, 0)).toEqual([])
  })
})
