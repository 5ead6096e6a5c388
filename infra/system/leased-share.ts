/** A worker's share of the partitions of a topic, leased in the catalog: what it has it works on, and others take it over when it falls silent. */
import type { PartitionShare } from '../../transforms/ports.ts'
import { giveBack, type Lease, leaveGroup, type Share } from '../catalog/share-queries.ts'
import { type LeaseTurns, silentMs } from './lease-turns.ts'

interface AtWork {
  readonly stop: AbortController
  readonly ended: Promise<void>
}

export function leasedShare(turns: LeaseTurns, lease: Lease, onError: (error: unknown) => void): PartitionShare {
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
      const took = ({ share, held }: Share) => {
        turnedAt = performance.now()
        // Lost: it is fenced already, and ends by itself with what it has in hand.
        for (const partition of atWork.keys()) if (!held.includes(partition)) void end(partition)
        for (const partition of held.slice(0, share)) if (!atWork.has(partition)) begin(partition)
        // Not awaited: a commit that hangs must not cost this worker its other partitions.
        for (const partition of held.slice(share))
          void Promise.resolve(end(partition))
            .then(() => giveBack(turns.pool, lease, [partition]))
            .catch(onError)
      }
      const stopTurns = turns.take(lease, took, onError)
      return {
        isMember: () => performance.now() - turnedAt < silentMs,
        async leave() {
          await stopTurns()
          await Promise.all([...atWork.keys()].map(end))
          await leaveGroup(turns.pool, lease)
        },
      }
    },
  }
}
