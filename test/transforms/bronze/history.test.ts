import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BronzeRecord, Position } from '../../../schemas/pipeline.ts'
import {
  type Base,
  baseAt,
  type History,
  reachesBefore,
  refoldHistory,
  wholeHistory,
} from '../../../transforms/bronze/history.ts'
import { type HistoryEntry, refoldRecords } from '../../../transforms/bronze/refold.ts'
import { enough } from '../../enough.ts'
import { histories } from './any-history.ts'
import { at, edit, history, record, redo, undo, withdraw } from './story.ts'

const file = (name: string, title: string, seq: number) => record('file-a', { title }, { import: name, seq })

/** As a file of the archive has it. */
const stored = (base: Base): Base => JSON.parse(JSON.stringify(base))
const whole = wholeHistory

function behind(entries: readonly HistoryEntry[], cut: number): History {
  const position: Position = entries[cut]?.position ?? at(1_000, 2)
  return { base: stored(baseAt(whole(entries.slice(0, cut)), position)), entries: entries.slice(cut), hole: null }
}

describe('a history from a month’s end on', () => {
  const story = history(
    file('i1', 'Lamp', 0),
    edit({ title: 'Desk lamp' }),
    file('i2', 'Lampe', 0),
    undo('i2'),
    file('i3', 'Lampe', 0),
    { ...withdraw('file-a'), import: 'i3', seq: 1 },
  )

  test('folds to what all of it folds to', () => {
    for (let cut = 0; cut <= story.length; cut++) {
      const history = behind(story, cut)
      if (cut !== 3) expect(reachesBefore(history)).toBeNull()
      if (cut !== 3) expect(refoldHistory(history)).toEqual(refoldHistory(whole(story)))
    }
  })

  test('names the first record of an import that is taken out or back in, and one that is redriven', () => {
    expect(reachesBefore(behind(story, 3))).toEqual({ epoch: 1, offset: 3 })
    const later = (one: BronzeRecord) => [...story, { record: one, position: at(9), refused: false }]
    expect(reachesBefore(behind(later(redo('i2')), 6))).toEqual({ epoch: 1, offset: 3 })
    expect(reachesBefore(behind(later(undo('i1')), 6))).toEqual({ epoch: 1, offset: 1 })
    expect(reachesBefore(behind(later(undo('i4')), 6))).toBeNull()
    const redrive = record('', {}, { op: 'redrive', origin: at(2) })
    expect(reachesBefore(behind(later(redrive), 6))).toMatchObject({ epoch: 1, offset: 2 })
    expect(reachesBefore(behind(later(redrive), 1))).toBeNull()
  })

  test('knows a record before it again when its append is repeated behind it', () => {
    const entries = history(file('i1', 'Lamp', 4), edit({ title: 'Desk lamp' }), file('i1', 'Lampe', 4))
    expect(refoldHistory(behind(entries, 2))).toEqual(refoldHistory(whole(entries)))
    expect(refoldRecords(entries)).not.toEqual(refoldHistory(whole(entries)))
  })

  test('knows what a bulk job sent before it again, which is no record of an import', () => {
    const once = { of: 'job', number: 4 }
    const entries = history({ ...edit({ title: 'Lamp' }), once }, edit({ title: 'Desk lamp' }), {
      ...edit({ title: 'Lampe' }),
      once,
    })
    expect(refoldHistory(behind(entries, 2))).toEqual(refoldHistory(whole(entries)))
    expect(refoldRecords(entries)).not.toEqual(refoldHistory(whole(entries)))
  })
})

/** Repeats of appends among them. */
const told = histories.map((entries) =>
  entries.map((entry, i) => ({ ...entry, record: { ...entry.record, seq: i % 4 === 3 ? i - 3 : i } })),
)

describe('for any history', () => {
  test('a fold from any of its positions is that from the start, but where a later record reaches before it', () => {
    fc.assert(
      fc.property(told, (entries) => {
        const expected = refoldHistory(whole(entries))
        for (let cut = 0; cut <= entries.length; cut++) {
          const history = behind(entries, cut)
          const reached = reachesBefore(history)
          if (reached === null) expect(refoldHistory(history)).toEqual(expected)
          const toggles = history.entries.some(({ record }) => record.op.endsWith('void'))
          expect(toggles || reached === null).toBe(true)
        }
      }),
      { numRuns: enough(600, 2000) },
    )
  })

  test('one position before what a later record reaches, and what reaches before that, is soon found', () => {
    fc.assert(
      fc.property(told, (entries) => {
        let cut = entries.length
        for (;;) {
          const reached = reachesBefore(behind(entries, cut))
          if (reached === null) break
          const before = entries.findIndex(
            ({ position: { epoch, offset } }) => epoch === reached.epoch && offset === reached.offset,
          )
          expect(before).toBeGreaterThanOrEqual(0)
          expect(before).toBeLessThan(cut)
          cut = before
        }
        expect(refoldHistory(behind(entries, cut))).toEqual(refoldHistory(whole(entries)))
      }),
      { numRuns: enough(300, 1000) },
    )
  })

  test('what a history has come to is the same, whether it is folded from a month before or from the start', () => {
    fc.assert(
      fc.property(told, fc.nat(12), (entries, cut) => {
        const history = behind(entries, Math.min(cut, entries.length))
        if (reachesBefore(history) !== null) return
        const [from, all] = [history, whole(entries)].map((one) => baseAt(one, at(1_000, 2)))
        expect(from && stored(from)).toEqual(all && stored(all))
      }),
      { numRuns: enough(300, 1000) },
    )
  })
})

describe('a history that may have a hole', () => {
  const hole = { epoch: 1, partition: 0, from: 2, to: 5 }

  test('is never folded, and nothing is told of what it had come to', () => {
    const holed = { ...whole(history(file('i1', 'Lamp', 0))), hole }
    const says = 'Offsets 2 to 4 of partition 0 of epoch 1 of the log were dropped before they were archived'
    expect(() => refoldHistory(holed)).toThrow(says)
    expect(() => baseAt(holed, at(9))).toThrow(says)
  })
})
