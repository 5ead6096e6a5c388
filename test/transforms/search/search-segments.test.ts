import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Availability, type RefinedProduct, unrefined } from '../../../schemas/product.ts'
import { noFilter, type SearchFilter } from '../../../transforms/search/filter-documents.ts'
import type { OpenSegment } from '../../../transforms/search/open-segment.ts'
import { readQuery } from '../../../transforms/search/read-query.ts'
import { openSearcher, type Question } from '../../../transforms/search/search-segments.ts'
import { enough } from '../../enough.ts'
import { opened } from './opened.ts'

const words = ['lamp', 'desk', 'oak', 'red', 'shade', 'brass']
interface Drawn {
  readonly title: readonly string[]
  readonly description: readonly string[]
  readonly score: number
  readonly price: number
  readonly availability: Availability
  readonly gone: boolean
}
const drawn = fc.record<Drawn>({
  title: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
  description: fc.array(fc.constantFrom(...words), { maxLength: 3 }),
  score: fc.nat(100),
  price: fc.nat(50),
  availability: fc.constantFrom<Availability>('in_stock', 'out_of_stock'),
  gone: fc.boolean(),
})

const idOf = (i: number) => `0b2c3d4e-0000-4000-8000-${String(i).padStart(12, '0')}`
const refined = ({ title, description, price, availability }: Drawn, i: number): RefinedProduct => ({
  ...{ ...unrefined, sku: `SKU-${i}`, title: title.join(' '), description: description.join(' ') },
  ...{ price: String(price), currency: 'EUR', availability },
})

/** As the publish makes them: the best first. */
function segmentOf(all: readonly (readonly [Drawn, number])[]): OpenSegment {
  const sorted = [...all].sort(([a], [b]) => b.score - a.score)
  return opened(
    sorted.map(([one, i]) => ({
      ...{ id: idOf(i), kind: 'single', createdAt: '2026-01-01T00:00:00Z', product: refined(one, i) },
      ...{ score: one.score, valid: 1 },
    })),
    'a catalog',
    Uint8Array.from(sorted, ([{ gone }]) => Number(gone)),
  )
}

const passes = ({ priceMax, availability }: SearchFilter, one: Drawn) =>
  (priceMax === null || one.price * 100 <= priceMax) &&
  (availability.length === 0 || availability.includes(one.availability))

const cases = fc.record({
  products: fc.array(drawn, { minLength: 1, maxLength: 60 }),
  q: fc.array(fc.constantFrom(...words), { maxLength: 3 }),
  filter: fc.record({
    priceMax: fc.option(fc.nat(5_000)),
    availability: fc.subarray<Availability>(['in_stock', 'out_of_stock']),
  }),
})

describe('answers over segments', () => {
  const ask = (q: string, filter: SearchFilter, more: Partial<Question> = {}): Question => ({
    ...{ query: readQuery(q, []), filter, sort: 'relevance', facets: [], limit: 5, after: null, atMs: 0, rules: [] },
    ...more,
  })

  test('what is found is what a plain look at every product finds, on pages that miss and repeat none, however few are looked at closely', () => {
    fc.assert(
      fc.property(cases, ({ products, q, filter: asked }) => {
        const filter = { ...noFilter, ...asked }
        const half = Math.ceil(products.length / 2)
        const placed = products.map((one, i) => [one, i] as const)
        const segments = [placed.slice(0, half), placed.slice(half)].filter(({ length }) => length > 0).map(segmentOf)
        const has = ({ title, description, gone }: Drawn) =>
          !gone && q.every((word) => title.includes(word) || description.includes(word))
        const expected = placed.flatMap(([one, i]) => (has(one) && passes(filter, one) ? [idOf(i)] : [])).sort()
        for (const ranked of [1, 10_000]) {
          const search = openSearcher(ranked)
          const first = search(segments, ask(q.join(' '), filter))
          if (first.relaxed) {
            expect(placed.some(([one]) => has(one))).toBe(false)
            continue
          }
          expect(first.total).toBe(expected.length)
          const counted = search(segments, ask(q.join(' '), filter, { facets: ['availability'] }))
          expect(counted.rows).toEqual(first.rows)
          const seen: string[] = []
          for (let after: Question['after'] = null; ; ) {
            const page: ReturnType<typeof search> = search(segments, ask(q.join(' '), filter, { after }))
            seen.push(...page.rows.map(({ id }) => id))
            after = page.next
            if (!after) break
          }
          expect([...seen].sort()).toEqual(expected)
        }
      }),
      { numRuns: enough(80, 300) },
    )
  })
})
