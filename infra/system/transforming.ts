/** The role `transforms`: a loop for each partition that this process has of the log. */
import type { Pool } from 'pg'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import type { Membership, PartitionShare } from '../../transforms/ports.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { products as topology } from '../../transforms/topology.ts'
import { runPartition, type WorkerPorts } from '../../transforms/worker.ts'
import { productStore } from '../catalog/product-store.ts'
import type { Log } from '../log/port.ts'
import { type ArrivalsTold, openArrivals } from './arrivals.ts'
import { batchSpan } from './batch-span.ts'
import type { LeaseTurns } from './lease-turns.ts'
import { leasedShare } from './leased-share.ts'
import { readToFold } from './read-to-fold.ts'

interface Parts {
  readonly pool: Pool
  readonly log: Log
  readonly share: PartitionShare
  /** Where the share is leased: the store claims nothing but that. */
  readonly member?: string
  /** Where it is not: after this, who still holds a partition's row is taken for stopped. */
  readonly silentMs?: number
  readonly digest: (text: string) => string
  readonly taxonomy: KnownCategories | undefined
  /** Where the log's engine tells of what comes. */
  readonly told?: ArrivalsTold | undefined
}

/** Where the log has no consumer groups of its own. @param turns of this process */
export function leasedPartitions(
  turns: LeaseTurns,
  { epoch, partitions }: Log,
  member: string,
  onError: (error: unknown) => void,
): PartitionShare {
  return leasedShare(turns, { group: topology.group, epoch, topic: topology.topic, partitions, member }, onError)
}

/** While one partition waits for its commit, another computes. */
export function startTransforms(
  { pool, log, share, member, silentMs, digest, taxonomy, told }: Parts,
  onError: (error: unknown) => void,
): Membership {
  const store = productStore(pool, log, { group: topology.group, rubricVersion, member, silentMs, read: readToFold })
  const ports: WorkerPorts = {
    log,
    store: {
      ...store,
      async commit(batch) {
        const committed = await store.commit(batch)
        if (committed === 'done') joined.passed?.(batch.partition, batch.to)
        return committed
      },
    },
    digest,
    taxonomy,
    arrival: openArrivals(() => log.ends(topology.topic), { told }),
    onError,
    around: batchSpan,
  }
  const joined = share.join((partition, signal) => runPartition(topology, partition, ports, signal))
  return joined
}
