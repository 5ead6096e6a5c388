import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultOf, newSynonym } from '../../../serving/search/synonym-resource.ts'

const brand = '00000000-0000-4000-8000-000000000001'
const words = fc.uniqueArray(fc.constantFrom('mug', 'cup', 'tea cup', 'łódka', '自転車'), { minLength: 2 })

test('the same words in whatever order, spelling and number are the same synonym', () => {
  fc.assert(
    fc.property(words, fc.array(fc.nat()), (own, more) => {
      const again = more.map((i) => (own[i % own.length] ?? '').toUpperCase())
      const of = (words: string[]) => newSynonym(brand, { term: null, words, locale: null })
      const other = of([...again, ...own.toReversed()])
      expect(other.id).toBe(of(own).id)
      expect(new Set(other.keys)).toEqual(new Set(of(own).keys))
    }),
  )
})

test.each([
  [null, ['mug', 'MUG']],
  ['mug', ['Mug']],
  ['mug', ['a b c d e']],
  ['mug', ['!']],
])('%s, %j mean nothing new, or nothing that can be found', (term, words) => {
  expect(faultOf({ term, words, locale: null })).not.toBeNull()
  expect(faultOf({ term, words: ['mug', 'cup'], locale: null })).toBeNull()
})
