import { describe, expect, test } from 'vitest'
import type { BronzeRecord, SilverSettings } from '../../schemas/pipeline.ts'
import {
  type Applied,
  applyRecord,
  type Lookups,
  type ProductState,
  refusalOf,
  settle,
} from '../../transforms/apply.ts'
import { ownContext } from '../../transforms/own-context.ts'
import { at, context, create, edit, record, withdraw } from './bronze/story.ts'

const settings: SilverSettings = {
  number: 1,
  mappings: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}
const file = context(3, { name: 'title', price: 'price', note: null })
const lookups: Lookups = {
  context: (id) => (id === 0 ? ownContext : id === 3 ? file : undefined),
  settings,
  digest: (text) => text,
}

const row = (cells: BronzeRecord['cells'], more: Partial<BronzeRecord> = {}) =>
  record('file-a', cells, { context: 3, import: 'i1', ...more })

/** What the last of these records does. */
function told(...records: readonly BronzeRecord[]): Applied {
  let state: ProductState | null = null
  let applied: Applied | null = null
  for (const [offset, one] of records.entries()) {
    applied = applyRecord(state, one, at(offset + 1), lookups)
    state = applied.state
  }
  if (!applied) throw new Error('no record')
  return applied
}

describe('a record', () => {
  test('creates a product that no source listed', () => {
    expect(told(row({ name: 'Mug' })).effect).toBe('created')
    expect(told(create({ title: 'Mug' })).effect).toBe('created')
    expect(told(edit({ brand: 'Lumo' }), row({ name: 'Mug' })).effect).toBe('created')
    expect(told(row({ name: 'Mug' }), withdraw('file-a'), row({ name: 'Mug' })).effect).toBe('created')
  })

  test('updates one whose refined content it changes, whatever its source', () => {
    expect(told(row({ name: 'Mug' }), row({ name: 'Cup' })).effect).toBe('updated')
    expect(told(row({ name: 'Mug' }), record('file-b', { material: 'oak' })).effect).toBe('updated')
    expect(told(create({ title: 'Mug' }), row({ name: 'Cup' })).effect).toBe('updated')
  })

  test('leaves unchanged what it says in other words', () => {
    expect(told(row({ name: 'Mug' }), row({ name: 'Mug' })).effect).toBe('unchanged')
    expect(told(row({ name: 'Mug' }), row({ name: '  Mug ' })).effect).toBe('unchanged')
    expect(told(row({ name: 'Mug' }), record('file-b', { title: 'Mug' })).effect).toBe('unchanged')
  })

  test('is warned of its own cells alone', () => {
    const former = told(row({ name: 'Mug', price: 'on request' }))
    expect(former.warnings).toMatchObject([{ field: 'price', column: 'price', raw: 'on request' }])
    expect(told(row({ name: 'Mug', price: 'on request' }), edit({ title: 'Cup' })).warnings).toEqual([])
  })

  test('of an import is warned where its product was deleted, and does not bring it back', () => {
    const story = [row({ name: 'Mug' }), edit({ deleted: 'now' })]
    const again = told(...story, row({ name: 'Cup' }))
    expect(again.state.alive).toBe(false)
    expect(again.warnings).toMatchObject([{ code: 'deleted', field: 'deleted' }])
    expect(told(...story, edit({ title: 'Cup' })).warnings).toEqual([])
    expect(told(...story, create({ title: 'Cup' })).state.alive).toBe(true)
  })

  test('that changes nothing leaves the very layers', () => {
    const first = told(row({ name: 'Mug' }))
    expect(applyRecord(first.state, row({ name: 'Mug' }), at(2), lookups).state.layers).toBe(first.state.layers)
  })
})

describe('a precondition', () => {
  const state = told(create({ title: 'Mug' })).state
  const deleted = told(create({ title: 'Mug' }), edit({ deleted: 'now' })).state

  test('of absence fails where the product is there, not where it was deleted or never was', () => {
    const one = edit({}, { create: true, ifAbsent: true })
    expect(refusalOf(state, one)?.code).toBe('DATA_003')
    expect([refusalOf(deleted, one), refusalOf(null, one)]).toEqual([null, null])
  })

  test('of a revision holds for the last record that changed a cell alone', () => {
    expect(refusalOf(state, edit({}, { ifRev: 1 }))).toBeNull()
    expect(refusalOf(deleted, edit({}, { ifRev: 1 }))?.code).toBe('CONFLICT')
    expect(refusalOf(null, edit({}, { ifRev: 1 }))?.code).toBe('CONFLICT')
    // The same offset of another epoch is another state.
    expect(refusalOf(state, edit({}, { ifRev: 1, ifEpoch: 1 }))).toBeNull()
    expect(refusalOf(state, edit({}, { ifRev: 1, ifEpoch: 2 }))?.code).toBe('CONFLICT')
    expect(refusalOf(told(create({ title: 'Mug' }), edit({ title: 'Mug' })).state, edit({}, { ifRev: 1 }))).toBeNull()
  })
})

test('layers that were folded anew are refined as any, and no row is warned', () => {
  const { state } = told(row({ name: 'Mug', price: 'on request' }))
  expect(settle(null, state.layers, lookups, null)).toEqual({ state, effect: 'created', warnings: [] })
  expect(settle(state, state.layers, lookups, null).effect).toBe('unchanged')
})
