import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import { platforms, profiles } from '../../../schemas/feeds/registry.ts'
import { holdsUntil } from '../../../serving/feeds/holds-until.ts'
import { complete, feedOf } from '../../schemas/feeds/complete-product.ts'

const dayMs = 86_400_000
const start = Date.parse('2026-11-28T12:00:00Z')
/** Days of leap years among them, as a day alone and as a moment. */
const date = fc
  .tuple(fc.integer({ min: -400, max: 900 }), fc.integer({ min: 0, max: dayMs - 1 }), fc.boolean())
  .map(([days, ms, alone]) => {
    const text = new Date(Date.parse('2026-11-28T00:00:00Z') + days * dayMs + ms).toISOString()
    return alone ? text.slice(0, 10) : text
  })

test('until then every platform judges alike, whenever it is asked', () => {
  fc.assert(
    fc.property(
      fc.option(date),
      fc.option(date),
      fc.constantFrom('in_stock' as const, 'preorder' as const),
      fc.integer({ min: 0, max: 700 * dayMs }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (expirationDate, availabilityDate, availability, offset, share) => {
        const product = { ...complete, expirationDate, availabilityDate, availability }
        const from = start + offset
        const until = holdsUntil(product, new Date(from).toISOString())
        const untilMs = until === null ? from + 3_000 * dayMs : Date.parse(until)
        expect(untilMs).toBeGreaterThan(from)
        const later = new Date(Math.min(untilMs - 1, Math.floor(from + (untilMs - from) * share))).toISOString()
        for (const platform of new Set([...platforms, ...profiles])) {
          const judged = (at: string) => problemsOf(platform, { ...feedOf(product), at }).map(({ field }) => field)
          expect({ platform: platform.platform, later, found: judged(later) }).toEqual({
            ...{ platform: platform.platform, later },
            found: judged(new Date(from).toISOString()),
          })
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a product without dates is judged once', () => {
  expect(holdsUntil(complete, '2026-11-28T12:00:00Z')).toBe(null)
  expect(holdsUntil({ ...complete, expirationDate: 'soon' }, '2026-11-28T12:00:00Z')).toBe(null)
  expect(holdsUntil({ ...complete, expirationDate: '2026-11-27' }, '2026-11-28T12:00:00Z')).toBe(null)
  expect(holdsUntil({ ...complete, expirationDate: '2026-11-28' }, '2026-11-28T12:00:00Z')).toBe(
    '2026-11-29T00:00:00.000Z',
  )
})
