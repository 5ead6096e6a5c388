import { expect, test } from 'vitest'
import { readTags } from '../../../transforms/silver/tags.ts'

test.each([
  ['Gold, Turquoise , Gold', ['Gold', 'Turquoise']],
  ['category:Electronics|brand:Apple, Inc', ['category:Electronics', 'brand:Apple, Inc']],
  ['a; b', ['a', 'b']],
  ['["a", "b, c"]', ['a', 'b, c']],
  ['[draft', ['[draft']],
  ['[{"id":4,"name":"Gift, small","slug":"gift"},"Red",{"id":5,"name":"Red"}]', ['Gift, small', 'Red']],
  [' , ', []],
])('%j holds %j', (raw, tags) => {
  expect(readTags(raw)).toEqual({ value: tags, findings: [] })
})

test('tags are each once over several cells, and what has no name is told', () => {
  expect(readTags(['Red, Blue', 'Red']).value).toEqual(['Red', 'Blue'])
  const { value, findings } = readTags('[{"id":4,"slug":"gift"},7,{"name":"Red"}]')
  expect(value).toEqual(['Red'])
  expect(findings).toMatchObject([{ code: 'unreadable_tags', says: expect.stringMatching(/"{id, slug}" and 1 more/) }])
})
