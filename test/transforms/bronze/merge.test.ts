import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../transforms/bronze/alive.ts'
import { fold } from '../../../transforms/bronze/merge.ts'
import { placeOf } from '../../../transforms/bronze/place.ts'
import { at, create, edit, field, folded, record, seen, withdraw } from './story.ts'

const lamp = { sku: 'L-1', title: 'Lamp', price: '9.99' }

describe('a record', () => {
  test("changes a cell only where it differs from its own source's last value", () => {
    const state = folded(
      record('file-a', lamp),
      edit({ title: 'Desk lamp' }),
      record('file-a', { ...lamp, price: '8.99' }),
    )
    const [file] = state.layers
    expect(file && [placeOf(file, 'title').offset, placeOf(file, 'price').offset]).toEqual([1, 3])
    expect(field(state, 'title')).toBe('Desk lamp')
  })

  test('that says nothing new leaves the very same state', () => {
    const state = folded(record('file-a', lamp), edit({ title: 'Desk lamp' }))
    expect(fold(state, record('file-a', lamp), at(3))).toBe(state)
  })

  test('compares lists element by element', () => {
    const state = folded(record('file-a', { images: ['a', 'b'] }))
    expect(fold(state, record('file-a', { images: ['a', 'b'] }), at(2))).toBe(state)
    expect(fold(state, record('file-a', { images: ['b', 'a'] }), at(2)).rev).toBe(2)
    expect(fold(state, record('file-a', { images: ['a'] }), at(2)).rev).toBe(2)
  })

  test('moves rev only where it changed something that can be seen', () => {
    let state = folded(record('file-a', lamp))
    const revs: number[] = []
    for (const [offset, one] of [
      record('file-a', lamp),
      record('file-a', { price: '1' }),
      withdraw('file-b'),
      withdraw('file-a'),
      withdraw('file-a'),
      record('file-a', lamp, { kind: 'variant', family: 'F' }),
      edit({}),
      edit({}),
      create({}),
    ].entries()) {
      state = fold(state, one, at(offset + 2))
      revs.push(state.rev)
    }
    expect(revs).toEqual([1, 3, 3, 5, 5, 7, 8, 8, 10])
  })

  test('of a later epoch is newer, whatever its offset', () => {
    const state = fold(folded(record('file-a', lamp), edit({ title: 'Old' })), edit({ title: 'New' }), at(0, 2))
    expect([state.epoch, state.rev]).toEqual([2, 0])
    expect(field(fold(state, record('file-b', { title: 'Newest' }), at(1, 2)), 'title')).toBe('Newest')
  })

  test('that voids an import is not folded but asks for a refold', () => {
    expect(() => fold(null, record('file-a', {}, { op: 'void', import: 'i1' }), at(1))).toThrow('refold')
  })
})

describe('KF-06: an absent column, a blank cell, and the row above', () => {
  const context = { import: 'i2', context: 3 }
  const one = record('file-a', { title: 'Lamp', brand: 'Lumo', description: 'Old A' })
  const two = record('file-a', { title: 'Lamp 2', brand: 'Lumo', description: 'Old B' })

  test('an absent column changes nothing', () => {
    const state = folded(one, record('file-a', { description: 'New text' }, context))
    expect(state.layers[0]?.cells).toEqual({ title: 'Lamp', brand: 'Lumo', description: 'New text' })
  })

  test.each([[''], [' '], ['\t\r\n'], ['\u00a0\u2003\u3000'], ['\ufeff'], ['\u0085'], [[]], [['', ' ']]])(
    'a blank cell (%j) changes nothing, first or later',
    (blank) => {
      const state = folded(two)
      expect(fold(state, record('file-a', { description: blank }, context), at(2))).toBe(state)
      const [first] = folded(record('file-a', { sku: 'L-2', description: blank })).layers
      expect(first?.cells).toEqual({ sku: 'L-2' })
    },
  )

  test('a record of nothing but blanks still lists its product', () => {
    const state = folded(record('file-a', { description: '' }))
    expect(state.layers).toEqual([{ source: 'file-a', live: true, created: false, cells: {}, from: [], by: {} }])
    expect(isAlive(state)).toBe(true)
  })

  test('__CLEAR__ is a value that clears, and the next value fills again', () => {
    const cleared = folded(two, record('file-a', { description: ' __CLEAR__ ' }))
    expect([field(cleared, 'description'), field(cleared, 'title')]).toEqual([null, 'Lamp 2'])
    expect(field(fold(cleared, record('file-a', { description: 'Old B' }), at(3)), 'description')).toBe('Old B')
  })
})

test('KF-11: spaces around a SKU make no second cell and no second layer, and the file again changes nothing', () => {
  const rows = ['AB-9', ' AB-9', 'AB-9 ', 'AB-9\u00a0'].map((sku) => record('file-a', { sku, title: 'Lamp' }))
  const state = folded(...rows)
  expect(state.layers.map(({ cells }) => cells)).toEqual([{ sku: 'AB-9\u00a0', title: 'Lamp' }])
  expect(fold(state, record('file-a', { sku: 'AB-9\u00a0', title: 'Lamp' }), at(5))).toBe(state)
})

describe('withdraw', () => {
  test("ends one source's layer and remembers its last values", () => {
    const state = folded(record('file-a', lamp), record('file-b', { title: 'Lampe' }), withdraw('file-b'))
    expect(field(state, 'title')).toBe('Lamp')
    expect(state.layers[1]).toMatchObject({ live: false, cells: { title: 'Lampe' } })
  })

  test('then a listing with the same values finds the old places, so that an edit since still wins', () => {
    const state = folded(
      record('file-a', lamp),
      edit({ title: 'Desk lamp' }),
      withdraw('file-a'),
      record('file-a', lamp),
    )
    expect([field(state, 'title'), field(state, 'price')]).toEqual(['Desk lamp', '9.99'])
    expect(state.layers[0]).toEqual(folded(record('file-a', lamp)).layers[0])
  })

  test('of a source that never said anything changes nothing, even where nobody did', () => {
    const nothing = folded(withdraw('file-a'))
    expect(nothing.layers).toEqual([])
    expect(isAlive(nothing)).toBe(false)
    expect(fold(nothing, withdraw('file-b'), at(2))).toBe(nothing)
  })
})

describe('kind and family', () => {
  const variant = { kind: 'variant', family: 'F', context: 3 } as const

  test('are those of the newest listing', () => {
    const single = record('file-a', lamp, { context: 3 })
    expect(folded(single, record('file-a', lamp, variant))).toMatchObject({ kind: 'variant', family: 'F' })
    expect(folded(record('file-a', lamp, variant), single)).toMatchObject({ kind: 'single', family: null })
  })

  test('are followed where a hub, which speaks in our field names, changes them', () => {
    const state = folded(record('hub:s', lamp), record('hub:s', lamp, { kind: 'variant', family: 'F' }))
    expect(state).toMatchObject({ kind: 'variant', family: 'F', rev: 2 })
  })

  test.each(['api', 'check:images'])(
    'are not said anew by an edit or a check (%s), unless nobody spoke before',
    (source) => {
      expect(folded(record('file-a', lamp, variant), record(source, lamp))).toMatchObject({
        kind: 'variant',
        family: 'F',
      })
      expect(folded(record(source, lamp, { ...variant, context: 0 }))).toMatchObject({ kind: 'variant', family: 'F' })
    },
  )

  test('are said by a create', () => {
    const ended = [record('file-a', lamp, variant), withdraw('file-a')] as const
    expect(folded(...ended, create(lamp))).toMatchObject({ kind: 'single', family: null })
  })
})

describe('three sources in every order', () => {
  const supplier = record('file-a', { title: 'Lamp', price: '9.99' }, { import: 'i1' })
  const other = record('file-b', { title: 'Lampe', brand: 'Lumo' }, { import: 'i2' })
  const byHand = edit({ title: 'Desk lamp', color: 'red' })
  const orders = [
    [supplier, other, byHand],
    [supplier, byHand, other],
    [other, supplier, byHand],
    [other, byHand, supplier],
    [byHand, supplier, other],
    [byHand, other, supplier],
  ] as const

  test.each(orders)('the newest word wins, every source adds, and repeats change nothing (%#)', (...order) => {
    const state = folded(...order)
    expect(field(state, 'title')).toBe(order[2].cells.title)
    expect([field(state, 'price'), field(state, 'brand'), field(state, 'color')]).toEqual(['9.99', 'Lumo', 'red'])
    for (const [repeat, again] of orders.flat().entries()) expect(fold(state, again, at(4 + repeat))).toBe(state)
  })
})

test('an edit survives re-imports until the file itself changes that cell', () => {
  const file = (price: string) => record('file-a', { title: 'Lamp', price }, { import: `i-${price}` })
  const edited = folded(file('9'), edit({ title: 'Desk lamp', price: '7' }), file('9'))
  expect([field(edited, 'title'), field(edited, 'price')]).toEqual(['Desk lamp', '7'])
  const changed = fold(edited, file('8'), at(4))
  expect([field(changed, 'title'), field(changed, 'price')]).toEqual(['Desk lamp', '8'])
})

test('every field can say which source, import and row gave it its value', () => {
  const state = folded(record('file-a', lamp, { import: 'i1', rows: [17] }), edit({ price: '7' }))
  expect(seen(state).get('title')).toMatchObject({
    source: 'file-a',
    column: 'title',
    origin: { import: 'i1', row: 17 },
  })
  expect(seen(state).get('price')).toMatchObject({ source: 'api', origin: { import: null, row: null, offset: 2 } })
})
