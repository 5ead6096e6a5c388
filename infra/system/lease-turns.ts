/** The turns of a process's leases: each has one at once, and then all of them in one statement a round. */
import type { Pool } from 'pg'
import { type Lease, type Share, takeShares } from '../catalog/share-queries.ts'
import { startLoop } from './loop.ts'

/** How soon a partition that was given back, or whose owner died, is taken. */
const turnMs = 1_000
/** Several turns may be late on a busy machine; a process that is stopped is missed after this. */
export const silentMs = 5_000

export interface LeaseTurns {
  readonly pool: Pool
  /** @returns ends them after the round under way */
  take(lease: Lease, took: (share: Share) => void, onError: (error: unknown) => void): () => Promise<void>
}

interface Taker {
  readonly lease: Lease
  readonly took: (share: Share) => void
  readonly onError: (error: unknown) => void
}

/** @param pool whose connections nothing else waits for: a turn that comes late counts as silence */
export function openLeaseTurns(pool: Pool): LeaseTurns {
  const takers = new Set<Taker>()
  const underWay = new Set<Promise<false>>()
  let stopRounds: (() => Promise<void>) | null = null

  function turn(some: readonly Taker[]): Promise<false> {
    const one = takeTurn(some).finally(() => underWay.delete(one))
    underWay.add(one)
    return one
  }

  async function takeTurn(some: readonly Taker[]): Promise<false> {
    try {
      const leases = some.map(({ lease }) => lease)
      const shares = await takeShares(pool, leases, silentMs)
      for (const [i, one] of some.entries()) {
        const share = shares[i]
        if (share && takers.has(one)) one.took(share)
      }
    } catch (error) {
      for (const one of some) if (takers.has(one)) one.onError(error)
    }
    return false
  }

  return {
    pool,
    take(lease, took, onError) {
      const one = { lease, took, onError }
      takers.add(one)
      if (stopRounds) void turn([one])
      else stopRounds = startLoop(async () => (takers.size > 0 ? turn([...takers]) : false), turnMs, onError)
      return async () => {
        takers.delete(one)
        const stop = takers.size === 0 ? stopRounds : null
        if (stop) stopRounds = null
        await Promise.all([stop?.(), ...underWay])
      }
    },
  }
}
