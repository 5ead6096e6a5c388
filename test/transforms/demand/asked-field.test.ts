import { expect, test } from 'vitest'
import { askedField, regretField } from '../../../transforms/demand/asked-field.ts'

test.each([
  ['material', 'material', 'material'],
  ['colour', 'color', 'color'],
  ['farbe', 'color', 'color'],
  ['age_group', 'age_group', 'ageGroup'],
  ['price_max', 'price', 'price'],
  ['min_price', 'price', 'price'],
  ['category', 'category', 'categoryPath'],
  ['brand', 'brand', 'brand'],
])('%s means the field %s', (said, field, path) => {
  expect(askedField(said)).toEqual({ name: field, field, path })
})

test('what is no field of ours is asked of options and attributes, under its own name', () => {
  expect(askedField('screen_size_gte')).toEqual({ name: 'screen_size', field: null, path: null })
})

test.each([
  ['size', 'size'],
  ['small', 'size'],
  ['colour', 'color'],
  ['described', 'description'],
  ['product', undefined],
  ['name', undefined],
  ['changed', undefined],
])('an order that is cancelled over "%s" is one over %s', (word, field) => {
  expect(regretField(word)?.name).toBe(field)
})
