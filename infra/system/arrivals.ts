/** Partitions at their end wait for records together: one question for all ends each time, however many wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkerPorts } from '../../transforms/worker.ts'
import type { Notices } from '../catalog/notices.ts'
import { logChannel } from '../log/postgres.ts'

interface Waiting {
  readonly partition: number
  readonly from: number
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

/** Of an engine that tells of what comes. */
export interface ArrivalsTold {
  /** Whether what comes now would be told. */
  tells(): boolean
  /** @param heard something came, or may have come untold */
  onTold(heard: () => void): void
}

/** Where the embedded log keeps the topic. */
export const arrivalsTold = (notices: Notices, topic: string): ArrivalsTold => ({
  tells: notices.hears,
  onTold: (heard) =>
    void notices.listen(logChannel, (said) => {
      if (said === null || said === topic) heard()
    }),
})

/** A question costs one look-up. Each partition by itself was 71 reads a second of an idle server's 110 queries. */
const everyMs = 50
/** Where nothing has come for a while, the next look is a tenth of that away: the first edit after two quiet seconds waits so much longer. */
const quietShare = 0.1
const quietMs = 200
/** What comes is told: this is for what was not, since its writer died just then. */
const toldMs = 2_000
/** Of what comes record by record several are read together. */
const togetherMs = 5

interface Pace {
  /** Between two looks, while something comes. */
  readonly pauseMs?: number
  /** Where nothing does. */
  readonly mostMs?: number
  readonly told?: ArrivalsTold | undefined
}

/** @param ends next offset of each partition */
export function openArrivals(
  ends: () => Promise<readonly number[]>,
  { pauseMs = everyMs, mostMs = quietMs, told }: Pace = {},
): WorkerPorts['arrival'] {
  const waiting = new Set<Waiting>()
  let looking = false
  let cameAt = performance.now()
  let hurry = new AbortController()
  const pause = () =>
    told?.tells() ? toldMs : Math.max(pauseMs, Math.min(mostMs, (performance.now() - cameAt) * quietShare))
  told?.onTold(() => hurry.abort())

  /** Nothing is awaited between the last look and its end: who comes after it begins anew. */
  async function look(): Promise<void> {
    if (looking) return
    looking = true
    try {
      for (;;) {
        await sleep(pause(), undefined, { signal: hurry.signal }).catch(() => sleep(togetherMs))
        if (waiting.size === 0) break
        // What is told from here on may not be in the answer.
        hurry = new AbortController()
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
      // It may have been told between the last look at the partition and now.
      if (told) hurry.abort()
      look()
    })
}
