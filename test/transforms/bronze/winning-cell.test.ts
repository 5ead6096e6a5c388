import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { familyRow } from '../../../schemas/pipeline.ts'
import { edit, field, folded, record } from './story.ts'

const columns = ['title']
const family = (title: string) =>
  record('family', { title }, { rows: [], kind: 'variant', inherited: { row: familyRow, columns } })
const passedOn = (title: string) => edit({ title }, { inherited: { row: familyRow, columns } })

test('what a variant takes from a parent that another file tells fills in where no source of its own speaks', () => {
  expect(field(folded(record('file-a', { sku: 'T-1' }), family('Tee')), 'title')).toBe('Tee')
  expect(field(folded(record('file-a', { title: 'Own' }), family('Tee')), 'title')).toBe('Own')
  expect(field(folded(record('file-a', { title: '__CLEAR__' }), family('Tee')), 'title')).toBeNull()
})

test('of an edit of the parent that was passed on and its file’s next word the later counts', () => {
  const variant = record('file-a', { sku: 'T-1' })
  expect(field(folded(variant, family('Tee'), passedOn('By hand')), 'title')).toBe('By hand')
  expect(field(folded(variant, passedOn('By hand'), family('Tee')), 'title')).toBe('Tee')
  expect(field(folded(variant, family('Tee'), family('__CLEAR__')), 'title')).toBeNull()
})

test('for any order of what is said, a source of the variant’s own wins', () => {
  const others = fc.constantFrom<BronzeRecord>(family('Tee'), family('Tee 2'), family('__CLEAR__'))
  fc.assert(
    fc.property(fc.array(others, { maxLength: 4 }), fc.array(others, { maxLength: 4 }), (before, after) => {
      const state = folded(...before, record('file-a', { title: 'Own' }), ...after)
      expect(field(state, 'title')).toBe('Own')
    }),
  )
})
