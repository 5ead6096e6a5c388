import { expect, test } from 'vitest'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { withoutRepeats } from '../../../transforms/bronze/without-repeats.ts'
import { edit, history, record } from './story.ts'

const row = (name: string, seq: number) => record('file-a', { title: `${name} ${seq}` }, { import: name, seq })
const offsets = (...records: readonly BronzeRecord[]) =>
  withoutRepeats(history(...records)).map(({ position }) => position.offset)

test('a record that its import has sent before, or should have sent before, is left out', () => {
  expect(offsets(row('i1', 4), row('i1', 4), row('i2', 4), row('i1', 3), row('i1', 5))).toEqual([1, 3, 5])
})

test('edits, undo and redo are never repeats', () => {
  const undo = record('file-a', {}, { op: 'void', import: 'i1', seq: -1 })
  expect(offsets(edit({ title: 'a' }), edit({ title: 'a' }), row('i1', 0), undo, undo)).toEqual([1, 2, 3, 4, 5])
})

test('the repeat of a record that does not count is a repeat all the same', () => {
  const [first, again] = history(row('i1', 0), row('i1', 0))
  expect(withoutRepeats([{ ...first, refused: true } as never, again as never])).toEqual([{ ...first, refused: true }])
})

test("a bulk job's record is a repeat by its number, whatever it does", () => {
  const nth = (number: number, of = 'j1') => edit({ title: `${of} ${number}` }, { once: { of, number } })
  const undo = (number: number) =>
    record('file-a', {}, { op: 'void', import: 'i1', seq: -1, once: { of: 'j1', number } })
  expect(offsets(nth(0), edit({ title: 'since' }), nth(0), undo(1), undo(1), nth(0, 'j2'), nth(2))).toEqual([
    1, 2, 4, 6, 7,
  ])
})
