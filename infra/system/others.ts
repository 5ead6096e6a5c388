/** Whether others are at work, so that what can wait gives way: somebody calls some node, or the sink has not met all records. */
import type { Pool } from 'pg'
import { topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { tellCall, wasCalledWithin } from '../catalog/last-call.ts'
import type { Log } from '../log/port.ts'

export interface Others {
  /** Somebody calls this node; who only follows a job does not. */
  called(): void
  /** As it was at most some hundred milliseconds ago. */
  areAtWork(): Promise<boolean>
}

/** Who called may call again, and waits for nothing meanwhile. */
const callHoldsMs = 2_000
const tellEveryMs = 500
const askEveryMs = 200

export function openOthers(
  { pool, log }: { readonly pool: Pool; readonly log: Log },
  onError: (error: unknown) => void,
) {
  let told = Number.NEGATIVE_INFINITY
  let asked = { at: Number.NEGATIVE_INFINITY, atWork: true }

  async function hasUnread(): Promise<boolean> {
    const passed = await sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
    return (await log.ends(topics.bronze)).some((end, partition) => end > (passed[partition] ?? 0))
  }

  const others: Others = {
    called() {
      const now = performance.now()
      if (now - told < tellEveryMs) return
      told = now
      tellCall(pool).catch(onError)
    },
    async areAtWork() {
      const now = performance.now()
      if (now - told < callHoldsMs) return true
      if (now - asked.at >= askEveryMs)
        asked = { at: now, atWork: (await wasCalledWithin(pool, callHoldsMs)) || (await hasUnread()) }
      return asked.atWork
    },
  }
  return others
}
