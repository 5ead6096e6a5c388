import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DemandKind } from '../../../schemas/demand.ts'
import { askedField } from '../../../transforms/demand/asked-field.ts'
import { lostSentence, rankLost } from '../../../transforms/demand/rank-lost.ts'

const want = (name: string, kind: DemandKind, times: number, matching: number, lacking: number) => ({
  ...{ asked: askedField(name), kind, times, words: [], products: null, matching, lacking, examples: [] },
})

test('the sentence says how it was asked for, how often, and how many lack it', () => {
  const [one] = rankLost([want('material', 'filter', 4_100, 100, 61)])
  expect(one && lostSentence(one)).toBe('Filtered by material 4,100 times; 61 % of matching products lack it')
  const [two] = rankLost([want('size', 'argument', 20, 10, 0), want('size', 'cancelled', 1, 1_000, 5)])
  expect(two && lostSentence(two)).toBe(
    'Called for with size 20 times, cancelled over size 1 times; less than 1 % of matching products lack it',
  )
})

test('what is asked for seldom and lacking everywhere may cost more than what is asked for often', () => {
  const ranked = rankLost([
    ...[want('color', 'filter', 1_000, 100, 1), want('material', 'filter', 100, 100, 90)],
    ...[want('brand', 'filter', 500, 100, 0), want('gender', 'filter', 9_000, 0, 0)],
  ])
  expect(ranked.map(({ asked, lost }) => [asked.name, lost])).toEqual([
    ['material', 90],
    ['color', 10],
  ])
})

test('an argument that no product answers to is the tool’s own; a filter that none does is lost altogether', () => {
  const ranked = rankLost([want('page', 'argument', 900, 50, 50), want('wattage', 'filter', 30, 50, 50)])
  expect(ranked.map(({ asked, lost }) => [asked.name, lost])).toEqual([['wattage', 30]])
})

test('lost demand is never more than was asked for, and its share is of that', () => {
  const wants = fc.array(
    fc
      .record({
        name: fc.constantFrom('material', 'color', 'wattage'),
        kind: fc.constantFrom<DemandKind>('filter', 'argument', 'query', 'cancelled'),
        times: fc.integer({ min: 1, max: 1e6 }),
        matching: fc.integer({ min: 0, max: 1_000 }),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ name, kind, times, matching, part }) => want(name, kind, times, matching, Math.round(matching * part))),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(wants, (all) => {
      const ranked = rankLost(all)
      for (const { times, lost, share, by } of ranked) {
        expect(lost).toBeGreaterThan(0)
        expect(lost).toBeLessThanOrEqual(times * (1 + 1e-9))
        expect(share).toBeCloseTo(lost / times)
        expect(Object.values(by).reduce((a, b) => a + b, 0)).toBe(times)
      }
      expect(ranked.map(({ lost }) => lost)).toEqual(ranked.map(({ lost }) => lost).sort((a, b) => b - a))
    }),
  )
})
