import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstDifference } from '../../../transforms/verify/first-difference.ts'
import { goldValues, mergedValues, silverValues } from '../../../transforms/verify/product-values.ts'

const layer = { source: 'file:a', live: true, created: false, cells: { 'a/b': 'x', title: 'Mug' }, from: [], by: {} }
const layers = { kind: 'single', family: null, epoch: 1, rev: 3, layers: [layer] } as const
const columns = { kind: 'single', family: null, alive: true }
const product = {
  merged: mergedValues(layers, columns),
  silver: silverValues({ refined: { title: 'Mug', price: '1.00' }, repeated: { title: 'Mug' }, content: 'ab' }),
  gold: goldValues({ sub: [1, 2, 3, 4, 5, 6, 7], points: new Uint8Array(100).fill(50), valid: 1 }),
}

describe('the first difference of a product', () => {
  test('is none of a product from itself', () => {
    expect(firstDifference(product, structuredClone(product))).toBeNull()
  })

  test('is where it was merged, before what that makes of silver and gold', () => {
    const other = mergedValues({ ...layers, layers: [{ ...layer, cells: { 'a/b': 'y', title: 'Mug' } }] }, columns)
    const stored = { merged: other, silver: { title: 'Cup' }, gold: null }
    expect(firstDifference(stored, product)).toEqual({
      ...{ step: 'merge', at: '/layers/file:a/cells/a~1b', stored: 'y', computed: 'x' },
    })
  })

  test('is silver before gold, and a rule before the dimension that it is part of', () => {
    const silver = { ...product.silver, price: '2.00' }
    expect(firstDifference({ ...product, silver, gold: null }, product)).toMatchObject({ step: 'silver', at: 'price' })
    const points = new Uint8Array(100).fill(50).fill(7, 1, 2)
    const gold = goldValues({ sub: [9, 2, 3, 4, 5, 6, 7], points, valid: 0 })
    expect(firstDifference({ ...product, gold }, product)).toMatchObject({ step: 'gold', stored: 7, computed: 50 })
  })

  test('is none for a field that was learned since and that nobody filled', () => {
    const learned = silverValues({
      ...{
        refined: { title: 'Mug', price: '1.00', expiry: null, sizes: [] },
        repeated: { title: 'Mug' },
        content: 'ab',
      },
    })
    expect(firstDifference(product, { ...product, silver: learned })).toBeNull()
  })

  test('of any merged state with one value changed is that value, by its pointer', () => {
    const state = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.array(fc.nat()))), {
      minKeys: 1,
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(state, fc.nat(), (values, n) => {
        const keys = Object.keys(values)
        const key = keys[n % keys.length] ?? ''
        const changed = Object.fromEntries(Object.entries(values).map(([name, v]) => [name, name === key ? 42 : v]))
        const found = firstDifference(
          { merged: changed, silver: null, gold: null },
          { merged: values, silver: null, gold: null },
        )
        const at = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
        expect(found).toEqual({ step: 'merge', at, stored: 42, computed: values[key] })
      }),
    )
  })
})
