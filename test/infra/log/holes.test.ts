import { expect, test } from 'vitest'
import { beginsBehind } from '../../../infra/log/holes.ts'
import { baseAt, wholeHistory } from '../../../transforms/bronze/history.ts'
import type { HistoryEntry } from '../../../transforms/bronze/refold.ts'
import { at, record } from '../../transforms/bronze/story.ts'

const hole = { epoch: 1, partition: 0, from: 2, to: 5 }
const known = (offset: number, epoch = 1): HistoryEntry => ({
  record: record('file-a', { title: 'Lamp' }, { import: 'i1', seq: 0 }),
  position: { epoch, partition: 0, offset },
  refused: false,
})
const made = (offset: number, epoch = 1): HistoryEntry => {
  const entry = known(offset, epoch)
  return { ...entry, record: { ...entry.record, fresh: true } }
}

test('a history lacks nothing of a hole where its first record made the product behind that', () => {
  expect(beginsBehind(wholeHistory([made(5)]), hole)).toBe(true)
  expect(beginsBehind(wholeHistory([made(0, 2)]), hole)).toBe(true)
  expect(beginsBehind(wholeHistory([made(4)]), hole)).toBe(false)
  expect(beginsBehind(wholeHistory([made(9, 0)]), hole)).toBe(false)
  expect(beginsBehind(wholeHistory([]), hole)).toBe(false)
  expect(beginsBehind(wholeHistory([known(5), made(6)]), hole)).toBe(false)
  expect(beginsBehind({ ...wholeHistory([made(5)]), base: baseAt(wholeHistory([]), at(5)) }, hole)).toBe(false)
})
