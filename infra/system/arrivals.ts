/** Partitions at their end wait for records together: one question for all ends each time, however many wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkerPorts } from '../../transforms/worker.ts'

interface Waiting {
  readonly partition: number
  readonly from: number
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

/** A question costs one look-up; NOTIFY would serialise commits. Each partition by itself was 71 reads a second of an idle server's 110 queries. */
const everyMs = 50
/** Where nothing has come for a while, the next look is a tenth of that away: the first edit after two quiet seconds waits so much longer. */
const quietShare = 0.1
const quietMs = 200

/** @param ends next offset of each partition @param pauseMs between two looks, while something comes @param mostMs where nothing does */
export function openArrivals(
  ends: () => Promise<readonly number[]>,
  pauseMs = everyMs,
  mostMs = quietMs,
): WorkerPorts['arrival'] {
  const waiting = new Set<Waiting>()
  let looking = false
  let cameAt = performance.now()
  const pause = () => Math.max(pauseMs, Math.min(mostMs, (performance.now() - cameAt) * quietShare))

  /** Nothing is awaited between the last look and its end: who comes after it begins anew. */
  async function look(): Promise<void> {
    if (looking) return
    looking = true
    try {
      for (;;) {
        await sleep(pause())
        if (waiting.size === 0) break
        const found = await ends()
        for (const one of [...waiting]) {
          if ((found[one.partition] ?? 0) <= one.from) continue
          cameAt = performance.now()
          one.go()
        }
        if (waiting.size === 0) break
      }
    } catch (error) {
      for (const one of [...waiting]) one.fail(error)
    } finally {
      looking = false
    }
  }

  return (partition, from, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return resolve()
      const leave = () => {
        waiting.delete(one)
        signal.removeEventListener('abort', one.go)
      }
      const one: Waiting = {
        partition,
        from,
        go() {
          leave()
          resolve()
        },
        fail(error) {
          leave()
          reject(error)
        },
      }
      waiting.add(one)
      signal.addEventListener('abort', one.go)
      look()
    })
}
