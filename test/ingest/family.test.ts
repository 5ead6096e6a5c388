import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupColumn, identifierReader } from '../../ingest/candidate.ts'
import { type FamilyRow, familyCandidates } from '../../ingest/family.ts'
import type { FamilyRule } from '../../ingest/family-rules.ts'
import { optionsText } from '../../ingest/identifiers.ts'
import { optionsColumn } from '../../schemas/pipeline.ts'

const rule: FamilyRule = {
  platform: 'test',
  columns: [],
  shared: (column) => column === 'title',
  lists: ['image'],
  keyIsSku: () => false,
  read: () => ({ role: 'alone', key: '', options: {} }),
}
const read = identifierReader({ mapping: { sku: { field: 'sku', reason: '' }, ean: { field: 'gtin', reason: '' } } })
const make = (rows: readonly FamilyRow[], more: Partial<FamilyRule> = {}) =>
  familyCandidates(rows, { ...rule, ...more }, 'file:a', read)

const row = (number: number, cells: FamilyRow['cells'], more: Partial<FamilyRow> = {}): FamilyRow => ({
  row: number,
  role: 'member',
  key: 'mug',
  options: {},
  cells,
  ...more,
})
const red = { options: { color: 'red' } }
const blue = { options: { color: 'blue' } }

test('a row that belongs to no family is a single with its own cells and nothing else', () => {
  expect(make([row(1, { sku: 'A', image: ['x'] }, { key: null })])).toEqual([
    { rows: [1], kind: 'single', cells: { sku: 'A', image: ['x'] }, ids: read({ sku: 'A' }) },
  ])
})

describe('a family with several variants', () => {
  const rows = [
    row(1, { sku: 'A', title: 'Mug', price: '10', image: 'a.jpg' }, red),
    row(2, { sku: 'B', image: 'b.jpg' }, blue),
  ]
  const [parent, first, second] = make(rows)

  test('has a parent made from what the family shares, known by its key alone', () => {
    expect(parent).toEqual({
      rows: [],
      kind: 'parent',
      cells: { title: 'Mug', image: ['a.jpg', 'b.jpg'] },
      ids: { ...read({}), family: 'file:a\u001fmug', options: 'parent' },
      group: { name: 'mug', isVariant: false },
    })
  })

  test('gives a variant what it shares and lacks, marked with the row that it stands in', () => {
    expect(second).toMatchObject({
      rows: [2],
      kind: 'variant',
      cells: {
        title: 'Mug',
        sku: 'B',
        image: ['a.jpg', 'b.jpg'],
        [groupColumn]: 'mug',
        [optionsColumn]: '{"color":"blue"}',
      },
      inherited: { row: 1, columns: ['title'] },
    })
    expect(first?.inherited).toBeUndefined()
  })

  test('fills nothing else from another row', () => {
    expect(second?.cells).not.toHaveProperty('price')
  })

  test('keeps a value of its own that the family has too', () => {
    const [, , own] = make([row(1, { title: 'Mug' }, red), row(2, { title: 'Blue mug' }, blue)])
    expect(own).toMatchObject({ cells: { title: 'Blue mug' } })
    expect(own?.inherited).toBeUndefined()
  })
})

test('rows that nothing tells apart are singles of one product, and what only adds goes with the one that wins', () => {
  const found = make([
    row(1, { sku: 'A', title: 'Mug' }),
    row(2, { image: 'b.jpg' }, { role: 'more' }),
    row(3, { sku: 'A' }),
  ])
  expect(found).toMatchObject([
    { kind: 'single', rows: [1], cells: { title: 'Mug', image: ['b.jpg'] } },
    { kind: 'single', rows: [3, 2], cells: { title: 'Mug' }, inherited: { row: 1, columns: ['title'] } },
  ])
})

test('a family of which the file has only images is one single with all of its rows', () => {
  const more = { role: 'more' } as const
  expect(make([row(1, { image: 'a.jpg' }, more), row(2, { image: 'b.jpg' }, more)])).toMatchObject([
    { kind: 'single', rows: [1, 2], cells: { image: ['a.jpg', 'b.jpg'] } },
  ])
})

test('a parent that has a row keeps all of its cells, and has a family though it has one variant', () => {
  const parent = row(3, { sku: 'T', title: 'Mug', price: '9' }, { role: 'parent' })
  expect(make([parent, row(1, { sku: 'A' }, red)])).toMatchObject([
    { kind: 'parent', rows: [3], cells: { sku: 'T', price: '9' }, ids: { sku: 'T', options: 'parent' } },
    { kind: 'variant', rows: [1], inherited: { row: 3 } },
  ])
})

test('a key that is a SKU is the family in every source', () => {
  expect(make([row(1, {}, red), row(2, {}, blue)], { keyIsSku: () => true })[1]?.ids.family).toBe('mug')
})

test('a list is cut where no shop could keep it', () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => row(i + 1, { image: `${i}.jpg` }, { options: { n: String(i) } }))
  for (const { cells } of make(rows)) expect(cells.image).toHaveLength(250)
})

test('options are the same in whatever order and case of their names', () => {
  expect(optionsText({ Size: 'L', color: 'red' })).toBe(optionsText({ Color: 'red', size: 'L' }))
  expect(optionsText({ size: 'L' })).not.toBe(optionsText({ size: 'l' }))
})

const anyRole = fc.constantFrom<FamilyRow['role']>('member', 'member', 'parent', 'more')
const anyRows = fc
  .array(
    fc.tuple(anyRole, fc.constantFrom('', 'red', 'blue'), fc.constantFrom('', 'A', 'B'), fc.constantFrom('', 'Mug')),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all
      .toSorted(([a], [b]) => Number(b === 'parent') - Number(a === 'parent'))
      .map(([role, color, sku, title], i) =>
        row(i + 1, { ...(sku && { sku }), ...(title && { title }) }, { role, options: color ? { color } : {} }),
      ),
  )

test('whatever rows a family has, each has its result in exactly one candidate', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const all = make(rows).flatMap((candidate) => candidate.rows)
      expect(all.toSorted((a, b) => a - b)).toEqual(rows.map((one) => one.row))
    }),
  )
})
