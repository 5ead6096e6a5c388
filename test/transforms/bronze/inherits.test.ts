import { describe, expect, test } from 'vitest'
import type { Layers } from '../../../schemas/pipeline.ts'
import { type Family, groupFollows, inheritedFields } from '../../../transforms/bronze/inherits.ts'
import { plainSettings } from '../silver/said.ts'
import { context, edit, folded, record } from './story.ts'

const columns = context(3, { sku: 'sku', group: 'item_group_id', title: 'title', brand: 'brand', text: 'description' })
const contexts = (id: number) => (id === 3 ? columns : undefined)
const family = (parent: Layers, made = false): Family => ({ parent, made, contexts, settings: plainSettings })
const all = ['title', 'brand', 'description'] as const

const parentRow = record('file', { sku: 'P', title: 'Cap', brand: 'Lumo' }, { context: 3, rows: [2], kind: 'parent' })
const variant = (cells: Record<string, string>, inherited: string[]) =>
  record(
    'file',
    { sku: 'V', group: 'P', ...cells },
    { context: 3, rows: [3], kind: 'variant', inherited: { row: 2, columns: inherited } },
  )
const taken = variant({ title: 'Cap', brand: 'Lumo' }, ['title', 'brand'])

describe('a variant inherits', () => {
  test('what stands in the row of its parent, and what nobody says', () => {
    expect(inheritedFields(folded(taken), all, family(folded(parentRow)))).toEqual([...all])
  })

  test('not what its own row says, be it the same word', () => {
    const own = variant({ title: 'Cap', brand: 'Lumo' }, ['brand'])
    expect(inheritedFields(folded(own), all, family(folded(parentRow)))).toEqual(['brand', 'description'])
  })

  test('what is the same where the parent was made of its variants, but not what differs', () => {
    const own = variant({ title: 'Cap', brand: 'Other' }, [])
    const made = { ...parentRow, rows: [] }
    expect(inheritedFields(folded(own), all, family(folded(made), true))).toEqual(['title', 'description'])
  })

  test('not what an edit of its own says or cleared, but what an edit of its parent gave', () => {
    const edited = folded(taken, edit({ title: 'Small cap', description: '__CLEAR__' }))
    expect(inheritedFields(edited, all, family(folded(parentRow)))).toEqual(['brand'])
    const passed = folded(taken, edit({ title: 'Hat' }, { inherited: { row: 0, columns: ['title'] } }))
    const parent = folded(parentRow, edit({ title: 'Hat' }))
    expect(inheritedFields(passed, all, family(parent))).toEqual([...all])
    const both = folded(
      taken,
      edit({ title: 'Hat' }, { inherited: { row: 0, columns: ['title'] } }),
      edit({ brand: 'Rheingold' }),
    )
    expect(inheritedFields(both, all, family(parent))).toEqual(['title', 'description'])
  })

  test("not what another source says that its parent's does not", () => {
    const two = folded(taken, record('other', { title: 'Cap' }, { context: 3, rows: [9] }))
    expect(inheritedFields(two, all, family(folded(parentRow)))).toEqual(['brand', 'description'])
  })
})

test('a group is named for its parent while it has its SKU, or the parent has none', () => {
  expect(groupFollows(folded(taken), family(folded(parentRow)))).toBe(true)
  expect(groupFollows(folded(taken), family(folded(record('file', { title: 'Cap' }, { context: 3 }))))).toBe(true)
  expect(groupFollows(folded(taken), family(folded(record('file', { sku: 'Q' }, { context: 3 }))))).toBe(false)
  expect(groupFollows(folded(taken, edit({ item_group_id: 'Own' })), family(folded(parentRow)))).toBe(false)
})
