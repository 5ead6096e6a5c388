import { describe, expect, test } from 'vitest'
import { type Cells, familyRow, type Layers } from '../../../schemas/pipeline.ts'
import { unrefined } from '../../../schemas/product.ts'
import { cellsFromParent, type ToldParent } from '../../../transforms/bronze/from-parent.ts'
import { fold } from '../../../transforms/bronze/merge.ts'
import { at, context, edit, folded, record } from './story.ts'

const settings = { number: 1, mappings: {}, currency: null, decimal: null, linkTemplate: null, condition: null }
const stock = context(3, { Stock: 'quantity' })
const priced = context(4, { Stock: 'quantity', Price: 'price' })
const by = { contexts: (id: number) => [stock, priced].find((one) => one.id === id), settings }

const refined = {
  ...unrefined,
  title: 'Tee',
  price: '10.00',
  salePrice: '8.00',
  currency: 'EUR',
  categoryPath: ['Clothes', 'Tees'],
  images: ['https://x.test/a.jpg'],
  color: 'White',
}
const parent: ToldParent = { layers: folded(record('file-a', {}, { kind: 'parent' })), refined }
const variant = (cells: Cells = { Stock: '3' }, of = 3) =>
  folded(record('file-b', cells, { kind: 'variant', family: 'F', context: of }))
const need = (layers: Layers, told: ToldParent | null = parent, options = {}) =>
  cellsFromParent(layers, options, told, by)
const given = (layers: Layers, cells: Cells, offset = 9) =>
  fold(
    layers,
    record('family', cells, { rows: [], inherited: { row: familyRow, columns: Object.keys(cells) } }),
    at(offset),
  )

const all = {
  title: 'Tee',
  category: 'Clothes > Tees',
  images: '["https://x.test/a.jpg"]',
  price: '10.00',
  sale_price: '8.00',
  currency: 'EUR',
}

describe('a variant is told', () => {
  test('what its parent has, but for what tells variants apart, and nothing once it has that', () => {
    expect(need(variant())).toEqual(all)
    expect(need(given(variant(), all))).toEqual({})
  })

  test('only what is other than before, and that a value is gone', () => {
    const told = given(variant(), all)
    const changed = { ...parent, refined: { ...refined, title: 'Tee 2', salePrice: null } }
    expect(need(told, changed)).toEqual({ title: 'Tee 2', sale_price: '__CLEAR__' })
    expect(need(given(told, { title: 'Tee 2', sale_price: '__CLEAR__' }, 10), changed)).toEqual({})
  })

  test('nothing that a source of its own says, or clears', () => {
    const own = fold(variant(), edit({ title: '__CLEAR__', price: '1' }), at(2))
    const { title: _1, price: _2, sale_price: _3, currency: _4, ...rest } = all
    expect(need(own)).toEqual(rest)
  })

  test('no price where its own file has a column of prices, though its cell is blank', () => {
    expect(Object.keys(need(variant({ Stock: '3' }, 4)))).toEqual(['title', 'category', 'images'])
  })

  test('what its options are of, where only the parent’s file names the axis', () => {
    const named = { 項目選択肢別在庫用横軸項目名: 'サイズ', 項目選択肢別在庫用縦軸項目名: '種類' }
    const shop = { ...parent, layers: folded(record('file-a', named, { kind: 'parent', context: 3 })) }
    expect(need(variant(), shop, { 横軸: 'M', 縦軸: 'A' })).toEqual({ ...all, size: 'M' })
  })

  test('nothing of a parent that silver has not seen', () => {
    expect(need(given(variant(), all), { ...parent, refined: null })).toEqual({})
  })
})

test('of a family that is joined no more all is taken back, and edits stay', () => {
  const edited = fold(given(variant(), { title: 'Tee' }), edit({ brand: 'Lumo' }), at(10))
  expect(need(edited, null)).toEqual({ title: '__CLEAR__' })
  expect(need(given(edited, { title: '__CLEAR__' }, 11), null)).toEqual({})
})
