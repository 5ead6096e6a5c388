import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, openChoice } from '../../../transforms/recommend/open-choice.ts'
import { stepsOf } from '../../../transforms/recommend/steps-of.ts'

const id = fc.integer({ min: 0, max: 12 }).map(String)
const candidates = fc.array(
  fc.record({ id, family: fc.option(fc.constantFrom('0', '1', '2', '3')), isBuyable: fc.boolean() }),
  { maxLength: 12 },
)
/** A product has one family, and can be had or not, wherever it is found. */
const same = (found: readonly Candidate[][]) => {
  const known = new Map<string, Candidate>()
  for (const one of found.flat()) if (!known.has(one.id)) known.set(one.id, one)
  return found.map((of) => of.map((one) => known.get(one.id) as Candidate))
}
const keyOf = ({ id, family }: Candidate) => family ?? id

test('whatever methods find: no family twice, what can be had first, and as many as there are', () => {
  fc.assert(
    fc.property(
      fc.array(candidates, { maxLength: 4 }),
      fc.integer({ min: 1, max: 8 }),
      fc.option(fc.nat({ max: 12 })),
      (parts, limit, about) => {
        const found = same(parts)
        const subject = (about !== null && found.flat()[about]) || null
        const choice = openChoice(limit, subject)
        const steps = found.map(() => ({ method: 'popular', category: null }) as const)
        found.forEach((products, i) => {
          if (!choice.isFull) choice.add(steps[i] as (typeof steps)[number], products)
        })
        const chosen = choice.result()
        const shown = chosen.map(({ product }) => product)
        expect(shown.length).toBeLessThanOrEqual(limit)
        expect(new Set(shown.map(keyOf)).size).toBe(shown.length)
        if (subject) {
          expect(shown.map(({ id }) => id)).not.toContain(subject.id)
          expect(shown.map(keyOf)).not.toContain(subject.family ?? subject.id)
        }
        const firstOut = shown.findIndex(({ isBuyable }) => !isBuyable)
        if (firstOut >= 0) expect(shown.slice(firstOut).every(({ isBuyable }) => !isBuyable)).toBe(true)
        // What is left out has no room, or one of its family is there.
        const own = subject && keyOf(subject)
        const left = found.flat().filter((one) => keyOf(one) !== own)
        if (shown.length < limit) for (const one of left) expect(shown.map(keyOf)).toContain(keyOf(one))
      },
    ),
  )
})

test('a method is followed by those behind it, and what looks in a category by the categories above', () => {
  const said = (steps: ReturnType<typeof stepsOf>) =>
    steps.map(({ method, category }) => [method, category?.join('>') ?? null])
  expect(said(stepsOf('viewed_together', null, ['Shoes', 'Boots']))).toEqual([
    ['viewed_together', null],
    ['trending', 'Shoes>Boots'],
    ['trending', 'Shoes'],
    ['trending', null],
    ['popular', 'Shoes>Boots'],
    ['popular', 'Shoes'],
    ['popular', null],
    ['best', 'Shoes>Boots'],
    ['best', 'Shoes'],
    ['best', null],
  ])
  expect(said(stepsOf('popular', ['Hats'], ['Shoes']))).toEqual([
    ['popular', 'Hats'],
    ['best', 'Hats'],
  ])
  expect(said(stepsOf('similar', null, null)).map(([method]) => method)).toEqual(['trending', 'popular', 'best'])
})
