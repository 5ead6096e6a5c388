import { describe, expect, test } from 'vitest'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { chooses, isOfProducts, prepared, type ReplayRange, stretchesOf } from '../../../transforms/replay/range.ts'

const all: ReplayRange = { offsets: null, since: null, until: null, import: null, keys: null }
const record = { product: 'p', import: 'i', at: '2026-11-28T09:30:00.000Z' } as BronzeRecord

describe('the offsets that are read', () => {
  test('are all up to where the sink is, where none are named', () => {
    expect(stretchesOf(all, [{ epoch: 1, from: [], to: [3, 0, 7] }])).toEqual([
      { epoch: 1, partition: 0, from: 0, to: 3 },
      { epoch: 1, partition: 2, from: 0, to: 7 },
    ])
  })

  test('are those of every epoch, each between where it begins and where it ends', () => {
    const epochs = [
      { epoch: 1, from: [0, 0], to: [3, 5] },
      { epoch: 2, from: [3, 5], to: [3, 9] },
    ]
    expect(stretchesOf(all, epochs)).toEqual([
      { epoch: 1, partition: 0, from: 0, to: 3 },
      { epoch: 1, partition: 1, from: 0, to: 5 },
      { epoch: 2, partition: 1, from: 5, to: 9 },
    ])
    const offsets = [
      { partition: 1, from: 2, to: 8 },
      { epoch: 1, partition: 1, from: 2, to: 99 },
      { epoch: 7, partition: 1, from: 2, to: 99 },
    ]
    expect(stretchesOf({ ...all, offsets }, epochs)).toEqual([
      { epoch: 1, partition: 1, from: 2, to: 5 },
      { epoch: 2, partition: 1, from: 5, to: 8 },
    ])
  })

  test('end where the sink is, and are none in a partition that there is not', () => {
    const offsets = [
      { partition: 9, from: 0, to: 5 },
      { partition: 1, from: 2, to: 99 },
      { partition: 0, from: 5, to: 6 },
    ]
    const epochs = [{ epoch: 4, from: [], to: [5, 4] }]
    expect(stretchesOf({ ...all, offsets }, epochs)).toEqual([{ epoch: 4, partition: 1, from: 2, to: 4 }])
  })
})

describe('a record chooses its product', () => {
  test.each<[string, Partial<ReplayRange>, boolean]>([
    ['by nothing at all', {}, true],
    ['of the import', { import: 'i' }, true],
    ['of another import', { import: 'j' }, false],
    ['of a key', { keys: ['q', 'p'] }, true],
    ['of another key', { keys: ['q'] }, false],
    ['from its very time', { since: '2026-11-28T10:30:00+01:00' }, true],
    ['from later', { since: '2026-11-28T09:30:00.001Z' }, false],
    ['before its time', { until: '2026-11-28T09:30:00Z' }, false],
    ['before later', { until: '2026-11-28T09:30:00.001Z' }, true],
  ])('%s', (_, part, is) => {
    expect(chooses(prepared({ ...all, ...part }), record)).toBe(is)
  })
})

test('products alone need no record to be read', () => {
  expect(isOfProducts({ ...all, keys: ['p'] })).toBe(true)
  for (const part of [{ since: 'x' }, { until: 'x' }, { import: 'x' }, { offsets: [] }])
    expect(isOfProducts({ ...all, ...part })).toBe(false)
})
