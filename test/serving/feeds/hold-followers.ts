/** Holds those who follow a feed to what is published: one comes and goes while a writer publishes many versions. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import { goingPages } from '../../../serving/feeds/feed-pages.ts'
import { readPosition } from '../../../serving/feeds/feed-position.ts'
import type { feedGround } from './feed-ground.ts'

type Ground = ReturnType<typeof feedGround>

interface Line {
  readonly _position: string
  readonly _product?: string
  readonly _removed?: true
  readonly _heartbeat?: string
}

/** Keeps what it is told by product, goes away after so many lines, also in the middle of a page, and comes back with its last position. */
function follower(ground: Ground, leavesAfter: () => number) {
  const kept = new Map<string, string>()
  const seen: string[] = []
  const stopped = new AbortController()
  let position: string | null = null
  async function connection(): Promise<void> {
    const from = position === null ? null : readPosition(position)
    const times = { pollMs: 3, heartbeatMs: 5 }
    const follow = { mayStill: async () => true, times, signal: stopped.signal }
    let left = leavesAfter()
    for await (const { bytes } of goingPages(await ground.reading(), from, follow).pages)
      for (const one of bytes.toString().split('\n').filter(Boolean)) {
        const { _position, _product, _removed, _heartbeat, ...line } = JSON.parse(one) as Line
        position = _position
        if (_heartbeat !== undefined) continue
        seen.push(_position)
        if (_removed) kept.delete(_product ?? '')
        else kept.set(_product ?? '', JSON.stringify(line))
        if (--left === 0) return
      }
  }
  const ended = (async () => {
    while (!stopped.signal.aborted) await connection()
  })()
  return {
    kept,
    seen,
    stop: async () => {
      stopped.abort()
      await ended
    },
  }
}

const change = fc.record({
  product: fc.nat({ max: 11 }),
  what: fc.constantFrom('title', 'refused', 'removed', 'sku', 'as it was'),
  word: fc.constantFrom('oiled', 'waxed', 'raw'),
})
const versions = (n: number) =>
  fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { minLength: n, maxLength: n })

/** @param rounds versions of a run @throws where one ends with anything else, or is told a thing twice */
export async function holdFollowers(ground: Ground, rounds: number, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      versions(rounds),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5 }),
      async (changesOf, leaves) => {
        const ids = await ground.offers(12)
        await ground.publish()
        let times = 0
        const reader = follower(ground, () => leaves[times++ % leaves.length] ?? 1)
        for (const changes of changesOf) {
          for (const { product, what, word } of changes) {
            const id = ids[product] as string
            if (what === 'removed') await ground.remove([id])
            else if (what === 'refused') await ground.put(id, { title: null })
            else if (what === 'sku') await ground.put(id, { title: `Stool ${id}`, sku: `${word}-${id.slice(0, 8)}` })
            else await ground.put(id, { title: what === 'title' ? `Stool, ${word}` : `Stool ${id}` })
          }
          await ground.publish()
        }
        const expected = await ground.expected()
        const same = () => JSON.stringify([...reader.kept].sort()) === JSON.stringify([...expected].sort())
        for (const until = Date.now() + 20_000; !same() && Date.now() < until; ) await sleep(10)
        await reader.stop()
        expect(new Map([...reader.kept].sort())).toEqual(new Map([...expected].sort()))
        expect(new Set(reader.seen).size).toBe(reader.seen.length)
      },
    ),
    { numRuns: runs, endOnFailure: true },
  )
}
