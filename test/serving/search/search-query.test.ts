/** What a search asks, as its event tells it. */
import { expect, test } from 'vitest'
import { filtersSaid, searchQuery } from '../../../serving/search/search-query.ts'

const said = (query: object) => filtersSaid(searchQuery.parse(query))

test('of an attribute all its values are told, in the order in which they are asked', () => {
  expect(said({ attributes: ['Color:red', 'size:42', 'color:blue'] })).toEqual({
    filter_color: 'red, blue',
    filter_size: '42',
  })
})

test('an attribute that is named as a filter of its own is told beside it', () => {
  expect(said({ brand: 'Kelo', condition: 'used', attributes: ['brand:Orle', 'condition:mint'] })).toEqual({
    filter_brand: 'Kelo',
    filter_condition: 'used',
    filter_attribute_brand: 'Orle',
    filter_attribute_condition: 'mint',
  })
  expect(said({ attributes: 'brand:Orle' })).toEqual({ filter_attribute_brand: 'Orle' })
})
