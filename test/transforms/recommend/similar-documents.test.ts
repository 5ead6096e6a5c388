import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RefinedProduct, unrefined } from '../../../schemas/product.ts'
import { popularityColumn, popularitySteps } from '../../../transforms/recommend/popularity-steps.ts'
import { rankDocuments } from '../../../transforms/recommend/rank-documents.ts'
import { openSimilar } from '../../../transforms/recommend/similar-documents.ts'
import { subjectOf } from '../../../transforms/recommend/subject-of.ts'
import { openSegmentBuilder } from '../../../transforms/search/build-segment.ts'
import { type OpenSegment, readColumns } from '../../../transforms/search/open-segment.ts'
import { bucketOf, findPostings } from '../../../transforms/search/postings.ts'
import { termHash } from '../../../transforms/search/term-hash.ts'
import type { TopRow } from '../../../transforms/search/top-rows.ts'

interface Made {
  readonly id: string
  readonly product: RefinedProduct
  readonly score: number | null
}

function segmentOf(made: readonly Made[], popular: readonly number[] = []): OpenSegment {
  const builder = openSegmentBuilder(made.length)
  builder.add(made.map((one) => ({ ...one, kind: 'single', createdAt: '2026-11-01T00:00:00.000Z', valid: 0 })))
  const { documents, buckets, columns, postings } = builder.finish()
  const rows = new Map([...postings].map(({ key, data }) => [key, new Uint32Array(Uint8Array.from(data).buffer)]))
  const own = Object.entries(columns).map(([group, data]) => [group, readColumns(group as keyof typeof columns, data)])
  const trends = popular.map((points, document) => ({ document, points, trend: 0 }))
  return {
    documents,
    columns: {
      ...(Object.fromEntries(own) as OpenSegment['columns']),
      popularity: readColumns('popularity', popularityColumn(documents, trends)),
    },
    catalog: 'one',
    gone: null,
    postings(term) {
      const hash = termHash(term)
      return findPostings(hash, rows.get(hash) ?? null, rows.get(bucketOf(hash, buckets)) ?? null)
    },
  }
}

const product = (title: string, more: Partial<RefinedProduct> = {}): Made => ({
  ...{ id: randomUUID(), score: 50 },
  product: { ...unrefined, title, availability: 'in_stock', currency: 'EUR', ...more },
})
const mugs = ['Kitchen', 'Mugs']

describe('what is similar', () => {
  const mug = product('Enamel mug with handle', { categoryPath: mugs, brand: 'Lumo', price: '12.00', color: 'blue' })
  const others = {
    near: product('Enamel mugs, large', { categoryPath: mugs, brand: 'Lumo', price: '14.00' }),
    dear: product('Enamel mugs, large', { categoryPath: mugs, brand: 'Lumo', price: '140.00' }),
    stranger: product('Enamel mugs, large', { categoryPath: mugs, brand: 'Other', price: '140.00' }),
    plate: product('Porcelain plate', { categoryPath: ['Kitchen', 'Plates'], brand: 'Lumo', price: '12.00' }),
    gone: product('Enamel mug', { categoryPath: mugs, brand: 'Lumo', price: '12.00', availability: 'out_of_stock' }),
    drill: product('Cordless drill', { categoryPath: ['Tools'], brand: 'Lumo', price: '12.00' }),
  }
  const names = new Map(Object.entries(others).map(([name, { id }]) => [id, name]))
  const segment = segmentOf([mug, ...Object.values(others)])
  const similar = openSimilar()
  /** Without the product itself, which is like itself. */
  const named = (rows: readonly { id: string }[]) => rows.flatMap(({ id }) => names.get(id) ?? [])

  test('comes by words, category, brand and price; what is out of stock last, and what shares nothing not at all', () => {
    const found = similar([segment], subjectOf(mug.id, mug.product), { categories: [] }, 10)
    expect(named(found)).toEqual(['near', 'dear', 'stranger', 'plate', 'gone'])
  })

  test('is in the category that is asked for', () => {
    const found = similar([segment], subjectOf(mug.id, mug.product), { categories: [['plates']] }, 10)
    expect(named(found)).toEqual(['plate'])
  })

  test('is the same however the documents lie in segments, but for what is the same in all', () => {
    const [a, b] = [Object.values(others).slice(0, 3), Object.values(others).slice(3)]
    const ask = (segments: OpenSegment[]) =>
      named(similar(segments, subjectOf(mug.id, mug.product), { categories: [] }, 10))
    expect(ask([segmentOf([mug, ...b]), segmentOf(a)])).toEqual(ask([segment]))
  })

  test('goes on where a page ended, with nothing twice and nothing missed', () => {
    const ask = (most: number, after: TopRow | null) =>
      similar([segment], subjectOf(mug.id, mug.product), { categories: [] }, most, after)
    const pages: TopRow[] = []
    for (let page = ask(2, null); page.length > 0; page = ask(2, page.at(-1) ?? null)) pages.push(...page)
    expect(pages).toEqual(ask(10, null))
  })

  test('a product with nothing to go by is like none', () => {
    expect(similar([segment], subjectOf(mug.id, unrefined), { categories: [] }, 10)).toEqual([])
  })
})

test('what is popular comes by its points, of the same by score and id, whatever the documents are', () => {
  const one = fc.record({ points: fc.nat({ max: 3 }), score: fc.nat({ max: 2 }), isOut: fc.boolean() })
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 20 }), (drawn) => {
      const made = drawn.map(({ score, isOut }) => ({
        ...product('x', isOut ? { availability: 'out_of_stock' } : {}),
        score,
      }))
      const segment = segmentOf(
        made,
        drawn.map(({ points }) => points),
      )
      const found = rankDocuments([segment], 'popular', { categories: [] }, 100).map(({ id }) => id)
      const expected = made
        .map(({ id, score }, i) => ({ id, score, ...drawn[i] }))
        .filter(({ points = 0 }) => points > 0)
        .sort(
          (a, b) =>
            Number(a.isOut) - Number(b.isOut) ||
            (b.points ?? 0) - (a.points ?? 0) ||
            b.score - a.score ||
            (a.id < b.id ? -1 : 1),
        )
      expect(found).toEqual(expected.map(({ id }) => id))
    }),
    { numRuns: 50 },
  )
})

test('more is never fewer steps, and something is never none', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 1e9, noNaN: true }), (a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a]
      expect(popularitySteps(less)).toBeLessThanOrEqual(popularitySteps(more))
      expect(popularitySteps(more)).toBeLessThanOrEqual(65_535)
      expect(popularitySteps(a) > 0).toBe(a > 0)
    }),
  )
})
