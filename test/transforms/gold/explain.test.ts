import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultWeights, dimensions } from '../../../schemas/score.ts'
import { explain } from '../../../transforms/gold/explain.ts'
import { gapsOf } from '../../../transforms/gold/gaps.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'
import { feedOf, judgedAt } from '../../schemas/feeds/complete-product.ts'
import { anyWeights } from './any-points.ts'

const explained = (change: Parameters<typeof feedOf>[0]) => explain(feedOf(change), 'single', defaultWeights)
const ruleOf = (id: string, change: Parameters<typeof feedOf>[0]) => {
  const found = explained(change).rules.find(({ rule }) => rule.id === id)
  if (!found) throw new Error(`no rule ${id}`)
  return found
}

describe('an explained rule', () => {
  test('says what it could give, gave and took, in hundredths of a point', () => {
    expect(ruleOf('title.length', { title: 'Oak stool 12345' })).toMatchObject({
      percent: 50,
      // 18 of the 84 points that apply, of a quarter of the score
      ...{ possible: 536, given: 268, lost: 268 },
      saw: [{ name: 'title', value: 'Oak stool 12345', size: 15 }],
    })
  })

  test('that does not apply gives nothing and takes nothing', () => {
    expect(ruleOf('sale_price', {})).toMatchObject({ percent: null, possible: 0, given: 0, lost: 0 })
  })

  test('saw all that its answer hangs on, and no more', () => {
    const names = (id: string, change = {}) => ruleOf(id, change).saw.map(({ name }) => name)
    expect(names('mpn', { mpn: 'A-1' })).toEqual(['mpn'])
    expect(names('mpn')).toEqual(['mpn', 'gtin'])
    expect(names('description.own')).toEqual(['title', 'description'])
    expect(names('category.any', { categoryPath: [] })).toEqual(['categoryPath', 'googleProductCategory'])
  })

  test('shows long values short, with their full size', () => {
    const [saw] = ruleOf('description.length', { description: 'x'.repeat(700) }).saw
    expect(saw).toEqual({ name: 'description', value: `${'x'.repeat(79)}…`, size: 700 })
    const images = Array.from({ length: 9 }, (_, n) => `https://cdn.example.test/${n}.jpg`)
    expect(ruleOf('images', { images }).saw[0]).toMatchObject({ value: images.slice(0, 5), size: 9 })
  })

  test('that speaks for the platform says in its words why the product is refused', () => {
    const { refusals, saw } = ruleOf('feed.currency', { currency: null })
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'The price "79.00" has no currency; send one, as in 9.50 EUR',
    ])
    expect(saw).toEqual([{ name: 'currency', value: null, size: null }])
    expect(ruleOf('feed.title', { currency: null }).refusals).toEqual([])
  })
})

test('what the rules of a field take is its gap, give or take a hundredth a rule, and all that they give is the score', () => {
  fc.assert(
    fc.property(anyProduct, anyWeights, (product, weights) => {
      const { rules, grade } = explain({ id: 'x', itemGroupId: null, product, at: judgedAt }, 'single', weights)
      for (const { field, points } of gapsOf(grade.points, weights).gaps) {
        const own = rules.filter(({ rule }) => rule.field === field)
        const lost = own.reduce((sum, rule) => sum + rule.lost, 0)
        expect(Math.abs(lost - points)).toBeLessThanOrEqual(own.length)
      }
      for (const { possible, given, lost } of rules) expect(given + lost).toBe(possible)
      const inUse = dimensions.map((dimension, place) =>
        rules.some(({ rule, percent }) => percent !== null && rule.dimension === dimension) ? (weights[place] ?? 0) : 0,
      )
      const possible = rules.reduce((sum, rule) => sum + rule.possible, 0)
      expect(Math.abs(possible - inUse.reduce((a, b) => a + b, 0))).toBeLessThanOrEqual(rules.length)
    }),
  )
})
