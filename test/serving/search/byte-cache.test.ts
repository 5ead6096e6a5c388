import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteCache } from '../../../serving/search/byte-cache.ts'

const entry = (bytes: number) => bytes - 150

test('what was asked for stays, and of what was not the oldest goes first', () => {
  const cache = byteCache<string>(3_000)
  cache.set(1, 'a', 'first', entry(1_000))
  cache.set(1, 7, 'second', entry(1_000))
  cache.set(2, 'a', 'third', entry(1_000))
  expect(cache.get(1, 'a')).toBe('first')
  cache.set(2, 7, 'fourth', entry(1_000))
  expect(cache.get(1, 7)).toBeUndefined()
  expect([cache.get(1, 'a'), cache.get(2, 'a'), cache.get(2, 7)]).toEqual(['first', 'third', 'fourth'])
})

test('all that is held has been set, is the newest of its name, and fits; what is too large for all of it is held alone', () => {
  const step = fc.record({
    segment: fc.nat(3),
    name: fc.oneof(fc.nat(3), fc.constantFrom('a', 'b')),
    size: fc.nat(900),
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), step), { maxLength: 60 }), (steps) => {
      const cache = byteCache<number>(2_000)
      const set = new Map<string, { n: number; size: number; of: [number, string | number] }>()
      for (const [n, [isSet, { segment, name, size }]] of steps.entries()) {
        const key = JSON.stringify([segment, name])
        if (isSet) {
          cache.set(segment, name, n, size)
          set.set(key, { n, size, of: [segment, name] })
          expect(cache.get(segment, name)).toBe(n)
        } else expect([undefined, set.get(key)?.n]).toContain(cache.get(segment, name))
      }
      const held = [...set.values()].filter(({ of }) => cache.get(...of) !== undefined)
      expect(held.reduce((sum, { size }) => sum + size + 150, 0)).toBeLessThanOrEqual(2_000)
    }),
  )
  const cache = byteCache<string>(1_000)
  cache.set(1, 1, 'small', 100)
  cache.set(1, 2, 'large', 5_000)
  expect([cache.get(1, 1), cache.get(1, 2)]).toEqual([undefined, 'large'])
})
