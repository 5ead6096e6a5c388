import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BronzeRecord, SilverSettings } from '../../schemas/pipeline.ts'
import { applyRecord, type Lookups, type ProductState, settleInSilver } from '../../transforms/apply.ts'
import { rawCells } from '../../transforms/bronze/raw-cells.ts'
import { ownContext } from '../../transforms/own-context.ts'
import { ownValues } from '../../transforms/own-values.ts'
import { at, context, create, edit, record, withdraw } from './bronze/story.ts'

const on: SilverSettings = {
  number: 1,
  mappings: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}
const file = context(3, { name: 'title', price: 'price', note: null })
const lookups = (settings: SilverSettings): Lookups => ({
  context: (id) => (id === 0 ? ownContext : id === 3 ? file : undefined),
  settings,
  digest: (text) => text,
})
const off = lookups({ ...on, autoSilver: false })
const row = (cells: BronzeRecord['cells'], source = 'file-a') => record(source, cells, { context: 3, import: 'i1' })

function told(records: readonly BronzeRecord[], by: Lookups) {
  let state: ProductState | null = null
  const effects: string[] = []
  for (const [offset, one] of records.entries()) {
    const applied = applyRecord(state, one, at(offset + 1), by)
    state = applied.state
    effects.push(applied.effect)
  }
  if (!state) throw new Error('no record')
  return { state, effects }
}

describe('while silver does not run unasked', () => {
  test('a product has layers and no refined content, and lives and dies all the same', () => {
    const { state, effects } = told([row({ name: 'Mug' }), edit({ deleted: 'now' })], off)
    expect(state).toMatchObject({ product: null, content: '', alive: false })
    expect(effects[0]).toBe('created')
  })

  test('any cell that changed is an update, and the same cells again are none', () => {
    const { effects } = told(
      [row({ name: 'Mug' }), row({ name: ' Mug' }), row({ name: ' Mug' }), row({ note: 'x' })],
      off,
    )
    expect(effects).toEqual(['created', 'updated', 'unchanged', 'updated'])
  })

  const cell = fc.constantFrom('Mug', 'Cup', ' ', '1,50', '__CLEAR__')
  const step = fc.oneof(
    fc.record({ name: cell, price: cell }).map((cells) => row(cells)),
    fc.record({ name: cell }).map((cells) => row(cells, 'file-b')),
    fc.record({ title: cell }).map((cells) => edit(cells)),
    fc.record({ title: cell }).map((cells) => create(cells)),
    fc.constant(withdraw('file-a')),
  )

  test('whatever was said, a run over silver later gives what it would have given at once', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (records) => {
        const { state } = told(records, off)
        const later = settleInSilver(state, state.layers, off, null).state
        expect(later).toEqual(told(records, lookups(on)).state)
      }),
    )
  })
})

describe('raw cells', () => {
  test('are the newest of each column over the live layers, without those that are cleared', () => {
    const story = [row({ name: 'Mug', note: 'a' }), row({ name: 'Cup' }, 'file-b'), edit({ name: 'x', brand: 'Lumo' })]
    expect(rawCells(told(story, off).state.layers)).toEqual({ name: 'x', note: 'a', brand: 'Lumo' })
    const ended = [...story, withdraw('file-a'), edit({ brand: '__CLEAR__' })]
    expect(rawCells(told(ended, off).state.layers)).toEqual({ name: 'x' })
  })

  test('are own properties by whatever name', () => {
    const named = row(JSON.parse('{"__proto__": "a", "constructor": "b"}'))
    expect(JSON.stringify(rawCells(told([named], off).state.layers))).toBe('{"__proto__":"a","constructor":"b"}')
  })
})

describe('own values', () => {
  test('are those of a create through the API, and of nothing else', () => {
    expect(ownValues(told([row({ name: 'Mug' }), edit({ title: 'Cup' })], off).state.layers)).toBeNull()
    const made = told([create({ title: 'Cup', price: '2.5' }), row({ name: 'Mug' })], off).state.layers
    expect(ownValues(made)).toMatchObject({ title: 'Cup', price: '2.5', link: null, condition: null })
  })
})
