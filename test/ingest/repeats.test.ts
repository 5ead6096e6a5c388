import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openRepeats } from '../../ingest/repeats.ts'

const text = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('A-1', 'a-1', 'Ä', '4006381333931'))
const seen = fc.array(fc.tuple(fc.nat(2), text), { maxLength: 200 })

describe('identifiers of a file', () => {
  test('repeat where two rows have one, of one kind, whatever the table grew to meanwhile', () => {
    fc.assert(
      fc.property(seen, (all) => {
        const repeats = openRepeats([4, 2 ** 20])
        const counts = new Map<string, number>()
        for (const [kind, one] of all) {
          repeats.see(kind, one)
          counts.set(`${kind} ${one}`, (counts.get(`${kind} ${one}`) ?? 0) + 1)
        }
        for (const [kind, one] of all) expect(repeats.has(kind, one)).toBe((counts.get(`${kind} ${one}`) ?? 0) > 1)
        expect(repeats.some).toBe([...counts.values()].some((count) => count > 1))
      }),
    )
  })

  test('that a full table has no room for are looked at closer, and what it holds is still known', () => {
    const repeats = openRepeats([4, 8])
    for (let i = 0; i < 100; i++) repeats.see(0, `S-${i}`)
    repeats.see(0, 'S-1')
    expect([repeats.has(0, 'S-0'), repeats.has(0, 'S-1'), repeats.has(0, 'S-99')]).toEqual([false, true, true])
    expect(repeats.some).toBe(true)
  })

  test('of a hundred thousand numbers in a row none is taken for another', () => {
    const repeats = openRepeats()
    for (let i = 0; i < 100_000; i++) repeats.see(3, `0${4_000_000_000_000 + i}`)
    expect(repeats.some).toBe(false)
  })
})
