import { expect, test } from 'vitest'
import { platforms } from '../../../schemas/feeds/registry.ts'
import { requiredBits } from '../../../schemas/feeds/required-bits.ts'

test('a brand without platforms is measured by Google, another by all of its own and by no other', () => {
  expect(requiredBits([])).toBe(1)
  expect(requiredBits(['meta'])).toBe(2)
  expect(requiredBits(['openai', 'google'])).toBe(5)
  expect(requiredBits(platforms.map(({ platform }) => platform))).toBe(7)
})
