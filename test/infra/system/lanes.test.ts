import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inLanes } from '../../../infra/system/lanes.ts'

const { signal } = new AbortController()
const keyOf = (item: string) => item.charAt(0)

test('each item passes both steps once: those of a key in order, some keys at a time, the second step one at a time', async () => {
  const item = fc.stringMatching(/^[a-e][0-9]$/)
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(item, { maxLength: 12 }), async (items) => {
      const begun: string[] = []
      const done: string[] = []
      const busy = new Map<string, number>()
      let most = 0
      let inSecond = 0
      await inLanes(
        items,
        { lanes: 3, keyOf, signal },
        async (one) => {
          busy.set(keyOf(one), (busy.get(keyOf(one)) ?? 0) + 1)
          most = Math.max(most, busy.size)
          expect(busy.get(keyOf(one))).toBe(1)
          begun.push(one)
          await sleep(1)
          busy.delete(keyOf(one))
        },
        async (one) => {
          expect(++inSecond).toBe(1)
          await sleep(0)
          inSecond--
          done.push(one)
        },
      )
      expect(done.toSorted()).toEqual(items.toSorted())
      expect(most).toBeLessThanOrEqual(3)
      for (const key of new Set(items.map(keyOf)))
        expect(done.filter((one) => keyOf(one) === key)).toEqual(items.filter((one) => keyOf(one) === key))
    }),
    { numRuns: 50 },
  )
})

test('the first error stops all, and nothing more is begun', async () => {
  const begun: string[] = []
  const stopped: string[] = []
  const work = inLanes(
    ['a1', 'b1', 'a2', 'c1'],
    { lanes: 2, keyOf, signal },
    async (one, within) => {
      begun.push(one)
      if (one === 'a1') throw new Error('broken')
      await sleep(1_000, undefined, { signal: within }).catch(() => stopped.push(one))
    },
    async () => {},
  )
  await expect(work).rejects.toThrow('broken')
  expect([begun, stopped]).toEqual([['a1', 'b1'], ['b1']])
})
