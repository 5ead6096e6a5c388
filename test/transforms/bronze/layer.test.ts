import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../transforms/bronze/alive.ts'
import { fold, foldVoided } from '../../../transforms/bronze/merge.ts'
import { placeOf } from '../../../transforms/bronze/place.ts'
import { at, edit, field, folded, record, withdraw } from './story.ts'

const lamp = { sku: 'L-1', title: 'Lamp', price: '9.99' }

describe('the state of a product', () => {
  test('is one layer per source: each cell as last given, with the position, import, context and row that changed it', () => {
    const state = folded(
      record('file-a', lamp, { import: 'i1', context: 7, rows: [4, 5] }),
      edit({ title: 'Desk lamp' }),
    )
    expect(state.layers).toEqual([
      {
        source: 'file-a',
        live: true,
        created: false,
        cells: lamp,
        from: [{ epoch: 1, offset: 1, import: 'i1', context: 7, row: 4 }],
        by: {},
      },
      {
        source: 'api',
        live: true,
        created: false,
        cells: { title: 'Desk lamp' },
        from: [{ epoch: 1, offset: 2, import: null, context: 0, row: null }],
        by: {},
      },
    ])
  })

  test('takes the cells of a first record as they are', () => {
    const first = record('file-a', lamp)
    expect(folded(first).layers[0]?.cells).toBe(first.cells)
  })

  test('keeps raw values exactly: spaces, accents, lists, characters no database likes', () => {
    const raw = { title: '  Lamp\u00a0 ', note: '\u0000 \ud800', images: ['b', 'a', 'b'] }
    expect(folded(record('file-a', raw)).layers[0]?.cells).toEqual(raw)
  })

  test('names the family row for cells that a variant takes from its family', () => {
    const inherited = { row: 3, columns: ['title', 'brand'] }
    const [layer] = folded(record('file-a', { title: 'Shirt', size: 'M', brand: ' ' }, { rows: [5], inherited })).layers
    expect(layer && [placeOf(layer, 'title').row, placeOf(layer, 'size').row]).toEqual([3, 5])
    expect(layer?.cells).toEqual({ title: 'Shirt', size: 'M' })
  })

  test('names only places that a cell still has', () => {
    const [layer] = folded(
      record('file-a', { a: '1', b: '1', c: '1' }),
      record('file-a', { a: '2', b: '2' }),
      record('file-a', { a: '3', b: '3', c: '3' }),
      record('file-a', { b: '4' }),
    ).layers
    expect(layer?.from.map(({ offset }) => offset)).toEqual([3, 4])
    expect(layer?.by).toEqual({ b: 1 })
  })

  test('survives columns that are named like parts of an object', () => {
    const cells = JSON.parse('{"__proto__":"a","constructor":["b"],"toString":"c","sku":"d"}')
    const other = JSON.parse('{"__proto__":"x","hasOwnProperty":"y"}')
    const [layer] = folded(record('file-a', { sku: 'd' }), record('file-a', cells), record('file-a', other)).layers
    expect(Object.entries(layer?.cells ?? {})).toEqual([
      ['sku', 'd'],
      ['__proto__', 'x'],
      ['constructor', ['b']],
      ['toString', 'c'],
      ['hasOwnProperty', 'y'],
    ])
    expect(layer && [...Object.keys(layer.cells)].map((column) => placeOf(layer, column).offset)).toEqual([
      1, 3, 2, 2, 3,
    ])
  })
})

test('a column named like a part of an object has its place', () => {
  const [layer] = folded(record('file-a', { constructor: 'a' }), record('file-a', { sku: 'd' })).layers
  expect(layer && placeOf(layer, 'constructor').offset).toBe(1)
})

describe('a record of a voided import', () => {
  const said = record('file-a', { title: 'Lamp' }, { import: 'i1', context: 3 })

  test('is remembered, keeps nothing alive and shows nothing', () => {
    const state = foldVoided(null, said, at(1))
    expect(state && isAlive(state)).toBe(false)
    expect(state && field(state, 'title')).toBeNull()
  })

  test('gives its place to the same value said later', () => {
    const [layer] = fold(
      foldVoided(null, said, at(1)),
      record('file-a', { title: 'Lamp' }, { import: 'i2' }),
      at(2),
    ).layers
    expect(layer).toMatchObject({ live: true, cells: { title: 'Lamp' }, from: [{ offset: 1, import: 'i1' }] })
    expect(layer).not.toHaveProperty('ghosts')
  })

  test('is forgotten once its source said otherwise in a record that counts', () => {
    const state = fold(foldVoided(null, said, at(1)), record('file-a', { title: 'Lampe' }), at(2))
    expect(fold(state, said, at(3)).layers[0]?.from).toMatchObject([{ offset: 3 }])
  })

  test('is forgotten too where its source only said again what it had said', () => {
    const lampe = record('file-a', { title: 'Lampe' })
    const state = fold(foldVoided(folded(lampe), said, at(2)), lampe, at(3))
    expect([state.rev, state.layers]).toEqual([1, folded(lampe).layers])
  })

  test('that repeats what counts is not even memory', () => {
    const state = folded(record('file-a', { title: 'Lamp' }))
    expect(foldVoided(state, said, at(2))).toBe(state)
  })

  test('and withdraws does nothing', () => {
    expect(foldVoided(null, { ...withdraw('file-a'), import: 'i1' }, at(1))).toBeNull()
  })
})
