/** A worker's share of the partitions of a topic, leased in the catalog: what it has it works on, and others take it over when it falls silent. */
import type { Pool } from 'pg'
import type { PartitionShare } from '../../transforms/ports.ts'
import { giveBack, type Lease, leaveGroup, takeShare } from '../catalog/share-queries.ts'
import { startLoop } from './loop.ts'

/** How soon a partition that was given back, or whose owner died, is taken. */
const turnMs = 1_000
/** Several turns may be late on a busy machine; a process that is stopped is missed after this. */
const silentMs = 5_000

interface AtWork {
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** @param pool whose connections nothing else waits for: a turn that comes late counts as silence */
export function leasedShare(pool: Pool, lease: Lease, onError: (error: unknown) => void): PartitionShare {
  return {
    join(work) {
      const atWork = new Map<number, AtWork>()
      let turnedAt = Number.NEGATIVE_INFINITY

      const begin = (partition: number) => {
        const stop = new AbortController()
        const ended = work(partition, stop.signal)
          .catch(onError)
          .finally(() => atWork.delete(partition))
        atWork.set(partition, { stop, ended })
      }
      const end = (partition: number) => {
        const one = atWork.get(partition)
        one?.stop.abort()
        return one?.ended
      }
      const turn = async () => {
        const { share, held } = await takeShare(pool, lease, silentMs)
        turnedAt = performance.now()
        // Lost: it is fenced already, and ends by itself with what it has in hand.
        for (const partition of atWork.keys()) if (!held.includes(partition)) void end(partition)
        for (const partition of held.slice(0, share)) if (!atWork.has(partition)) begin(partition)
        // Not awaited: a commit that hangs must not cost this worker its other partitions.
        for (const partition of held.slice(share))
          void Promise.resolve(end(partition))
            .then(() => giveBack(pool, lease, [partition]))
            .catch(onError)
        return false
      }
      const stopTurns = startLoop(turn, turnMs, onError)
      return {
        isMember: () => performance.now() - turnedAt < silentMs,
        async leave() {
          await stopTurns()
          await Promise.all([...atWork.keys()].map(end))
          await leaveGroup(pool, lease)
        },
      }
    },
  }
}
