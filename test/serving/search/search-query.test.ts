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

test('an attribute that is named as a filter of its own takes nothing from what is told of it', () => {
  expect(said({ brand: 'Kelo', attributes: ['brand:Orle', 'condition:mint'] })).toEqual({
    filter_brand: 'Kelo, Orle',
    filter_condition: 'mint',
  })
})
