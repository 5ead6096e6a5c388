import { describe, expect, test } from 'vitest'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { chooses, isOfProducts, prepared, type ReplayRange, stretchesOf } from '../../../transforms/replay/range.ts'

const all: ReplayRange = { offsets: null, since: null, until: null, import: null, keys: null }
const record = { product: 'p', import: 'i', at: '2026-11-28T09:30:00.000Z' } as BronzeRecord

describe('the offsets that are read', () => {
  test('are all up to where the sink is, where none are named', () => {
    expect(stretchesOf(all, [3, 0, 7])).toEqual([
      { partition: 0, from: 0, to: 3 },
      { partition: 2, from: 0, to: 7 },
    ])
  })

  test('end where the sink is, and are none in a partition that there is not', () => {
    const offsets = [
      { partition: 9, from: 0, to: 5 },
      { partition: 1, from: 2, to: 99 },
      { partition: 0, from: 5, to: 6 },
    ]
    expect(stretchesOf({ ...all, offsets }, [5, 4])).toEqual([{ partition: 1, from: 2, to: 4 }])
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
