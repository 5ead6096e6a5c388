import fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicateReasons } from '../../../schemas/duplicate.ts'
import { gatherGroups, type Twin, type TwinPair } from '../../../transforms/duplicates/gather-groups.ts'

const twin = (id: string, more: Partial<Twin> = {}): Twin => ({ id, family: null, gtin: null, rank: '', ...more })
const pair = (a: string, b: string, confidence = 90): TwinPair => ({ a, b, reasons: ['title'], confidence })
const ids = (groups: ReturnType<typeof gatherGroups>) => groups.map(({ members }) => members.map(({ id }) => id))

test('pairs that hang together are a group, with the reasons of all and the confidence of its least sure member', () => {
  const pairs: TwinPair[] = [pair('a', 'b', 80), { a: 'b', b: 'c', reasons: ['gtin', 'title'], confidence: 99 }]
  const [group] = gatherGroups([twin('a'), twin('b'), twin('c'), twin('d')], pairs, new Set())
  expect(group).toEqual({
    members: [
      { id: 'a', reasons: ['title'], confidence: 80 },
      { id: 'b', reasons: ['gtin', 'title'], confidence: 99 },
      { id: 'c', reasons: ['gtin', 'title'], confidence: 99 },
    ],
    reasons: ['gtin', 'title'],
    confidence: 80,
  })
})

test('a third that is like both makes no twins of variants, of two barcodes, or of what a person told apart', () => {
  const pairs = [pair('a', 'c', 95), pair('b', 'c', 90)]
  const variants = [twin('a', { family: 'f' }), twin('b', { family: 'f' }), twin('c')]
  expect(ids(gatherGroups(variants, pairs, new Set()))).toEqual([['a', 'c']])
  const barcodes = [twin('a', { gtin: '1' }), twin('b', { gtin: '2' }), twin('c')]
  expect(ids(gatherGroups(barcodes, pairs, new Set()))).toEqual([['a', 'c']])
  expect(ids(gatherGroups([twin('a'), twin('b'), twin('c')], pairs, new Set(['a b'])))).toEqual([['a', 'c']])
  expect(ids(gatherGroups([twin('a'), twin('c')], pairs, new Set(['a c'])))).toEqual([])
})

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const anyTwins = fc.tuple(
  ...names.map((id) =>
    fc
      .record({ family: fc.option(fc.constantFrom('f', 'g')), gtin: fc.option(fc.constantFrom('1', '2')) })
      .map((more) => twin(id, more)),
  ),
)
const anyPair = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom(...names),
    fc.integer({ min: 60, max: 99 }),
    fc.subarray([...duplicateReasons], { minLength: 1 }),
  )
  .filter(([a, b]) => a < b)
  .map(([a, b, confidence, reasons]) => ({ a, b, confidence, reasons }))
const anyPairs = fc.uniqueArray(anyPair, { selector: ({ a, b }) => `${a} ${b}`, maxLength: 20 })

test('the order in which products and pairs come never changes the groups, and no two of a group are known to be two things', () => {
  fc.assert(
    fc.property(
      anyTwins,
      anyPairs,
      anyPairs.map((some) => new Set(some.map(({ a, b }) => `${a} ${b}`))),
      fc.infiniteStream(fc.nat()),
      (twins, pairs, apart, random) => {
        const shuffled = <T>(all: readonly T[]) =>
          all
            .map((one) => [random.next().value as number, one] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, one]) => one)
        const sorted = (groups: ReturnType<typeof gatherGroups>) =>
          groups.toSorted((a, b) => ((a.members[0]?.id ?? '') < (b.members[0]?.id ?? '') ? -1 : 1))
        const groups = gatherGroups(twins, pairs, apart)
        expect(sorted(gatherGroups(shuffled(twins), shuffled(pairs), apart))).toEqual(sorted(groups))
        for (const group of ids(groups))
          for (const a of group)
            for (const b of group) {
              if (a >= b) continue
              const [one, other] = [twins.find(({ id }) => id === a), twins.find(({ id }) => id === b)]
              expect(apart.has(`${a} ${b}`)).toBe(false)
              if (one?.family) expect(one.family).not.toBe(other?.family)
              if (one?.gtin && other?.gtin) expect(one.gtin).toBe(other.gtin)
            }
      },
    ),
  )
})
