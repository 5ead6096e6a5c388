import { expect, test } from 'vitest'
import { readTags } from '../../../transforms/silver/tags.ts'

test.each([
  ['Gold, Turquoise , Gold', ['Gold', 'Turquoise']],
  ['category:Electronics|brand:Apple, Inc', ['category:Electronics', 'brand:Apple, Inc']],
  ['a; b', ['a', 'b']],
  ['["a", "b, c"]', ['a', 'b, c']],
  ['[draft', ['[draft']],
  [' , ', []],
])('%j holds %j', (raw, tags) => {
  expect(readTags(raw)).toEqual(tags)
})
