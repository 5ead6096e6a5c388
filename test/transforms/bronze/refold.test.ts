import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BronzeRecord, Layers } from '../../../schemas/pipeline.ts'
import { isAlive } from '../../../transforms/bronze/alive.ts'
import { fold } from '../../../transforms/bronze/merge.ts'
import { placeOf } from '../../../transforms/bronze/place.ts'
import { refoldRecords, voidedImports } from '../../../transforms/bronze/refold.ts'
import { enough } from '../../enough.ts'
import { histories } from './any-history.ts'
import { type ModelProduct, modelOf, modelRev } from './model.ts'
import { create, edit, field, history, record, redo, undo, withdraw } from './story.ts'

const file = (name: string, title: string, more: Partial<BronzeRecord> = {}) =>
  record('file-a', { title }, { import: name, context: 3, ...more })

function refolded(...records: readonly BronzeRecord[]): Layers {
  const { layers } = refoldRecords(history(...records))
  if (layers === null) throw new Error('nothing was said')
  return layers
}

/** `title` is a field of its own only in context 0. */
const title = (layers: Layers) => layers.layers.find(({ live }) => live)?.cells.title ?? null

describe('undo', () => {
  test('takes one import out of a product, and redo brings it back', () => {
    const story = [file('i1', 'Lamp'), file('i2', 'Lampe')]
    expect(title(refolded(...story, undo('i2')))).toBe('Lamp')
    expect(title(refolded(...story, undo('i2'), redo('i2')))).toBe('Lampe')
    expect(refolded(...story, undo('i2'), redo('i2')).layers).toEqual(refolded(...story).layers)
  })

  test('of the only import takes the product away, and redo brings it back', () => {
    expect(isAlive(refolded(file('i1', 'Lamp'), undo('i1')))).toBe(false)
    expect(isAlive(refolded(file('i1', 'Lamp'), undo('i1'), redo('i1')))).toBe(true)
    expect(isAlive(refolded(create({ title: 'Lamp' }), file('i1', 'Lamp'), undo('i1')))).toBe(true)
  })

  test('an edit between an import and its unchanged repeat survives undoing the first', () => {
    const own = { context: 0 }
    const story = [file('i1', 'Lamp', own), edit({ title: 'Desk lamp' }), file('i2', 'Lamp', own)]
    expect(field(refolded(...story, undo('i1')), 'title')).toBe('Desk lamp')
    expect(field(refolded(...story, undo('i2')), 'title')).toBe('Desk lamp')
    expect(field(refolded(...story, undo('i1'), undo('i2')), 'title')).toBe('Desk lamp')
  })

  test('of an import that said otherwise in between joins what was said before it and after', () => {
    const own = { context: 0 }
    const story = [file('i1', 'Lamp', own), edit({ title: 'Desk lamp' }), file('i2', 'X', own), file('i3', 'Lamp', own)]
    expect(field(refolded(...story), 'title')).toBe('Lamp')
    expect(field(refolded(...story, undo('i2')), 'title')).toBe('Desk lamp')
    expect(refolded(...story, undo('i2')).rev).toBe(5)
  })

  test('of an import that withdrew the product lists it again', () => {
    const story = [file('i1', 'Lamp'), { ...withdraw('file-a'), import: 'i2' }]
    expect(isAlive(refolded(...story))).toBe(false)
    expect(isAlive(refolded(...story, undo('i2')))).toBe(true)
  })

  test('of a file of edits that deleted brings the product back', () => {
    const story = [file('i1', 'Lamp'), edit({ deleted: 'now' }, { import: 'i2' })]
    expect([isAlive(refolded(...story)), isAlive(refolded(...story, undo('i2')))]).toEqual([false, true])
  })

  test('leaves edits alone, which belong to no import', () => {
    expect(field(refolded(file('i1', 'Lamp'), edit({ title: 'Desk lamp' }), undo('i1')), 'title')).toBe('Desk lamp')
  })

  test('moves rev where it changed what can be seen, and not where it took out an unchanged repeat', () => {
    expect(refolded(file('i1', 'Lamp'), file('i2', 'Lampe'), undo('i2')).rev).toBe(3)
    expect(refolded(file('i1', 'Lamp'), file('i2', 'Lamp'), undo('i2')).rev).toBe(1)
    expect(refolded(file('i1', 'Lamp'), file('i2', 'Lamp'), undo('i1')).rev).toBe(1)
    expect(refolded(file('i1', 'Lamp'), file('i2', 'Lamp', { kind: 'variant' }), undo('i2')).rev).toBe(3)
    expect(refolded(file('i1', 'Lamp'), file('i2', 'Lamp', { family: 'F' }), undo('i2')).rev).toBe(3)
  })

  test('can be tried out without a record that asks for it', () => {
    const story = history(file('i1', 'Lamp'), file('i2', 'Lampe'))
    const { layers } = refoldRecords(story, new Set(['i2']))
    expect(layers && title(layers)).toBe('Lamp')
  })
})

test('the last void or unvoid of an import decides, and a refused one never counted', () => {
  const story = history(undo('i1'), undo('i2'), redo('i1'), undo('i3'))
  expect(voidedImports(story)).toEqual(new Set(['i2', 'i3']))
  expect(voidedImports(story.map((entry) => ({ ...entry, refused: true })))).toEqual(new Set())
})

test('a refused record is left out, whatever would be judged today', () => {
  const [first, second] = history(file('i1', 'Lamp'), edit({ title: 'Desk lamp' }, { ifRev: 1 }))
  const story = first && second ? [first, { ...second, refused: true }] : []
  expect(refoldRecords(story)).toEqual(refoldRecords(story.slice(0, 1)))
})

test('a history in which nobody said anything gives nothing', () => {
  expect(refoldRecords([])).toEqual({ layers: null })
  expect(refoldRecords(history(undo('i1')))).toEqual({ layers: null })
})

/** The layers in the model's words. */
function described({ kind, family, layers }: Layers): ModelProduct {
  const told = layers.map((layer) => {
    const said = Object.entries(layer.cells).map(([column, value]) => {
      const { epoch, offset } = placeOf(layer, column)
      return [column, { value, place: `${epoch}/${offset}` }] as const
    })
    return [layer.source, { live: layer.live, created: layer.created, cells: Object.fromEntries(said) }] as const
  })
  return { kind, family, layers: Object.fromEntries(told) }
}

/** As a row of the database has it. */
const stored = <T>(state: T): T => JSON.parse(JSON.stringify(state))

describe('for any history', () => {
  test('values, places, liveness and rev are what the definition says', () => {
    fc.assert(
      fc.property(histories, (story) => {
        const { layers } = refoldRecords(story)
        expect(layers && described(layers)).toEqual(modelOf(story))
        expect(layers && `${layers.epoch}/${layers.rev}`).toBe(layers && modelRev(story.filter((one) => !one.refused)))
      }),
      { numRuns: enough(900, 3000) },
    )
  })

  test('leaving imports out gives what voiding them gives', () => {
    fc.assert(
      fc.property(histories, (story) => {
        const [tried, voided] = [refoldRecords(story, voidedImports(story)).layers, refoldRecords(story).layers]
        expect(tried && described(tried)).toEqual(voided && described(voided))
      }),
      { numRuns: enough(300, 1000) },
    )
  })

  test('a fold that goes on from a refold, through the database, gives what a refold of everything gives', () => {
    fc.assert(
      fc.property(histories, (story) => {
        const counting = story.filter(({ refused }) => !refused)
        const voided = voidedImports(counting)
        for (let cut = counting.length; cut >= 0; cut--) {
          const next = counting[cut]?.record
          if (next && (next.op.endsWith('void') || voided.has(next.import ?? ''))) break
          let state = stored(refoldRecords(counting.slice(0, cut)).layers)
          for (const { record, position } of counting.slice(cut)) state = stored(fold(state, record, position))
          expect(state).toEqual(refoldRecords(counting).layers)
        }
      }),
      { numRuns: enough(600, 2000) },
    )
  })

  test('no layer keeps a place that no cell has, or a memory that no record could use', () => {
    fc.assert(
      fc.property(histories, (story) => {
        for (const layer of refoldRecords(story).layers?.layers ?? []) {
          const used = new Set(Object.keys(layer.cells).map((column) => placeOf(layer, column)))
          expect(layer.from.toSorted()).toEqual([...used].toSorted())
          for (const [column, ghosts] of Object.entries(layer.ghosts ?? {})) {
            expect(ghosts.length).toBeGreaterThan(0)
            expect(new Set(ghosts.map(([value]) => value)).size).toBe(ghosts.length)
            expect(ghosts.map(([value]) => value)).not.toContain(JSON.stringify(layer.cells[column]))
          }
        }
      }),
      { numRuns: enough(300, 1000) },
    )
  })
})
