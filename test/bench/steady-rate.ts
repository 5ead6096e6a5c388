/** The rate of something that counts up, once its compilers are warm. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Of all that is counted, and comes before the clock starts. */
const warmShare = 0.2
const lookEveryMs = 50
/** Nothing more in so long: it will not come. */
const stuckMs = 120_000

/**
 * Looks at a count until all are there; one that ends between two looks is measured too short by one look at most.
 * @returns a second
 */
export async function steadyRate(all: number, count: () => Promise<number>): Promise<number> {
  const from = await reached(all * warmShare, count)
  const to = await reached(all, count)
  if (to.n !== all) throw new Error(`${to.n} were counted, of ${all}`)
  return (to.n - from.n) / ((to.at - from.at) / 1_000)
}

async function reached(wanted: number, count: () => Promise<number>): Promise<{ n: number; at: number }> {
  for (let last = { n: -1, at: performance.now() }; ; await sleep(lookEveryMs)) {
    const n = await count()
    const at = performance.now()
    if (n >= wanted) return { n, at }
    if (n > last.n) last = { n, at }
    else if (at - last.at > stuckMs) throw new Error(`${n} of ${wanted} came, and then no more`)
  }
}
