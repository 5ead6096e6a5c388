import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DemandKind } from '../../../schemas/demand.ts'
import { askedField } from '../../../transforms/demand/asked-field.ts'
import { boundWants } from '../../../transforms/demand/bound-wants.ts'
import type { Want } from '../../../transforms/demand/wants.ts'

const kinds: readonly DemandKind[] = ['filter', 'argument', 'query', 'cancelled']
const want = fc.record({
  name: fc.integer({ min: 0, max: 60 }).map((n) => `name_${n}x`),
  kind: fc.constantFrom(...kinds),
  times: fc.integer({ min: 1, max: 1_000 }),
  words: fc.array(fc.constantFrom('oak', 'table', 'lamp', 'red'), { maxLength: 2 }),
  products: fc.option(fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 2 })),
})

test('no event of a field is lost, and no field has more than a few questions', () => {
  fc.assert(
    fc.property(fc.array(want, { maxLength: 300 }), (some) => {
      const wants = some.map(({ name, products, words, ...one }): Want => {
        return { ...one, asked: askedField(name), products, words: products ? [] : words }
      })
      const sums = (of: readonly Want[]) => {
        const all = new Map<string, number>()
        for (const { asked, kind, times } of of)
          all.set(`${asked.name} ${kind}`, (all.get(`${asked.name} ${kind}`) ?? 0) + times)
        return all
      }
      const bound = boundWants(wants)
      const fields = Map.groupBy(bound, ({ asked }) => asked.name)
      expect(fields.size).toBeLessThanOrEqual(40)
      for (const of of fields.values()) expect(of.length).toBeLessThanOrEqual(3 + 2 * kinds.length)
      const before = sums(wants)
      for (const [name, times] of sums(bound)) expect(times).toBe(before.get(name))
      if (Map.groupBy(wants, ({ asked }) => asked.name).size <= 40) expect(sums(bound).size).toBe(before.size)
    }),
  )
})
