import { describe, expect, test } from 'vitest'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { isJoined } from '../../../transforms/bronze/joined.ts'
import { fold } from '../../../transforms/bronze/merge.ts'
import { at, create, edit, folded, record, withdraw } from './story.ts'

const said = { sku: 'T-1' }
const single = (source: string) => record(source, said, { context: 3 })
const variant = (source: string, family = 'F') => record(source, said, { context: 3, kind: 'variant', family })
const parent = (source: string) => record(source, said, { context: 3, kind: 'parent', family: 'P' })
const kind = (...records: readonly BronzeRecord[]) => {
  const { kind, family } = folded(...records)
  return [kind, family]
}

describe('a source that knows of no family', () => {
  test('says nothing against one that does, whichever came last', () => {
    expect(kind(single('file-a'), parent('file-b'))).toEqual(['parent', 'P'])
    expect(kind(parent('file-b'), single('file-a'))).toEqual(['parent', 'P'])
    expect(kind(variant('file-b'), single('file-a'), create(said))).toEqual(['variant', 'F'])
  })

  test('leaves a single once the other has ended, and where the other itself dissolves the family', () => {
    const both = [single('file-a'), parent('file-b')] as const
    expect(kind(...both, withdraw('file-b'))).toEqual(['single', null])
    expect(kind(...both, single('file-b'))).toEqual(['single', null])
    expect(kind(...both, withdraw('file-b'), parent('file-b'))).toEqual(['parent', 'P'])
  })
})

test('of two families the one that was said last counts, and a repeat says nothing', () => {
  const state = folded(variant('file-a', 'F'), variant('file-b', 'G'))
  expect(state).toMatchObject({ kind: 'variant', family: 'G' })
  expect(fold(state, variant('file-a', 'F'), at(3))).toBe(state)
  expect(fold(state, withdraw('file-b'), at(3))).toMatchObject({ kind: 'variant', family: 'F' })
})

test('a product that nobody lists any more stays what it was', () => {
  expect(kind(variant('file-a'), withdraw('file-a'))).toEqual(['variant', 'F'])
  expect(kind(variant('file-a'), edit({ title: 'Mug' }), withdraw('file-a'))).toEqual(['variant', 'F'])
})

test('a message on a topic says what a product is only where it names a group', () => {
  const message = { ...record('topic:inbound', said, { context: 3 }) }
  const into = (family: string) => ({ ...message, kind: 'variant', family, regroups: true }) as const
  expect(kind(message, into('F'), message)).toEqual(['variant', 'F'])
  expect(kind(into('F'), withdraw('topic:inbound'), message)).toEqual(['variant', 'F'])
  expect(kind(variant('file-a'), message, withdraw('file-a'))).toEqual(['single', null])
  expect(kind(variant('file-a'), withdraw('file-a'), message)).toEqual(['single', null])
  expect(kind(into('F'), { ...message, kind: 'single', regroups: true })).toEqual(['single', null])
})

describe('an edit of a group', () => {
  const into = (family: string) =>
    ({ ...edit({ item_group_id: family }), kind: 'variant', family, regroups: true }) as const
  const out = { ...edit({ item_group_id: '__CLEAR__' }), kind: 'single', regroups: true } as const

  test('says what the product is, until its file itself says another family', () => {
    expect(kind(single('file-a'), into('G'))).toEqual(['variant', 'G'])
    expect(kind(variant('file-a'), into('G'), variant('file-a'))).toEqual(['variant', 'G'])
    expect(kind(variant('file-a'), into('G'), variant('file-a', 'H'))).toEqual(['variant', 'H'])
    expect(kind(into('G'), single('file-a'))).toEqual(['variant', 'G'])
  })

  test('takes a variant out of its family, and another edit puts it back', () => {
    expect(kind(variant('file-a'), out)).toEqual(['single', null])
    expect(kind(variant('file-a'), out, variant('file-a'))).toEqual(['single', null])
    expect(kind(variant('file-a'), out, into('F'))).toEqual(['variant', 'F'])
    expect(kind(variant('file-a'), out, withdraw('file-a'), variant('file-a'))).toEqual(['single', null])
  })

  test('says nothing where it names no group', () => {
    expect(kind(variant('file-a'), edit({ item_group_id: 'G' }))).toEqual(['variant', 'F'])
  })
})

test('what a family gives its variant is no word of what it is', () => {
  const given = record('family', { title: 'Mug' }, { rows: [] })
  expect(kind(variant('file-a'), given, single('file-b'))).toEqual(['variant', 'F'])
  expect(kind(single('file-a'), record('family', {}, { kind: 'variant', family: 'F', rows: [] }))).toEqual([
    'single',
    null,
  ])
})

test('a parent whose row and whose variants come in files of their own under one source is told by both', () => {
  const made = { ...parent('file-a'), rows: [] }
  expect(isJoined(folded(made, made))).toBe(false)
  expect(isJoined(folded(parent('file-a'), parent('file-a')))).toBe(false)
  for (const story of [
    [made, parent('file-a'), made],
    [parent('file-a'), made, parent('file-a')],
  ]) {
    const state = folded(...story)
    expect(isJoined(state)).toBe(true)
    for (const again of story) expect(fold(state, again, at(9))).toBe(state)
  }
})

describe('layers stored before a source’s word was kept', () => {
  const state = folded(variant('file-a'))
  const old = { ...state, layers: state.layers.map(({ says: _, ...layer }) => layer) }

  test('are read: the product is what it was until a file speaks', () => {
    expect(fold(old, edit({ title: 'Mug' }), at(2))).toMatchObject({ kind: 'variant', family: 'F' })
    expect(fold(old, withdraw('file-b'), at(2))).toBe(old)
    expect(fold(old, single('file-a'), at(2))).toMatchObject({ kind: 'single', family: null })
  })

  test('have it with the next record of their source, and nothing that can be seen changes', () => {
    const next = fold(old, variant('file-a'), at(2))
    expect(next).toMatchObject({ kind: 'variant', family: 'F', rev: 1 })
    expect(next.layers[0]?.says).toMatchObject({ kind: 'variant', family: 'F' })
  })
})
