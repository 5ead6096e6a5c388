import { expect, test } from 'vitest'
import { contextsOf } from '../../../transforms/bronze/contexts-of.ts'
import { refoldRecords } from '../../../transforms/bronze/refold.ts'
import { create, folded, history, record } from './story.ts'

test('are those of all sources, our own field names left out', () => {
  const layers = folded(
    create({ title: 'Mug' }),
    record('file-a', { name: 'Mug' }, { context: 3 }),
    record('file-a', { name: 'Cup', price: '1' }, { context: 4 }),
    record('file-b', { label: 'Mug' }, { context: 7 }),
  )
  expect(contextsOf(layers)).toEqual(new Set([4, 7]))
})

test('are also those of values that an undone import said, since the same value again takes their place', () => {
  const said = record('file-a', { name: 'Mug' }, { context: 3, import: 'i1' })
  const { layers } = refoldRecords(history(said, record('file-a', {}, { op: 'void', import: 'i1' })))
  expect(layers && contextsOf(layers)).toEqual(new Set([3]))
})
