/** Runs the product topology over the partitions that are this process's: all of the embedded log, on Kafka those that the group gives it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { products as topology } from '../../transforms/topology.ts'
import { runPartition, type WorkerPorts } from '../../transforms/worker.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { productStore } from '../catalog/product-store.ts'
import { batchSpan } from './batch-span.ts'
import type { OpenLog } from './open-log.ts'

interface Parts {
  readonly catalog: Catalog
  readonly open: Pick<OpenLog, 'log' | 'kafka'>
  readonly digest: (text: string) => string
  readonly onError: (error: unknown) => void
}

/** One loop a partition: while one waits for its commit, another computes. @returns stops them after the batch under way */
export function startTransforms({ catalog, open: { log, kafka }, digest, onError }: Parts): () => Promise<void> {
  const store = productStore(catalog.pipeline, log, {
    group: topology.group,
    rubricVersion,
    silentMs: kafka?.sessionMs,
  })
  const ports: WorkerPorts = {
    log,
    store: {
      ...store,
      async commit(batch) {
        const committed = await store.commit(batch)
        if (committed === 'done') member?.passed(batch.partition, batch.to)
        return committed
      },
    },
    digest,
    pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    onError,
    around: batchSpan,
  }
  const loops = new Map<number, { readonly stop: AbortController; readonly ended: Promise<void> }>()

  async function own(partitions: readonly number[]): Promise<void> {
    const letGo = [...loops].filter(([partition]) => !partitions.includes(partition))
    for (const [partition, { stop }] of letGo) {
      stop.abort()
      loops.delete(partition)
    }
    await Promise.all(letGo.map(([, { ended }]) => ended))
    for (const partition of partitions) {
      if (loops.has(partition)) continue
      const stop = new AbortController()
      loops.set(partition, { stop, ended: runPartition(topology, partition, ports, stop.signal) })
    }
  }

  const member = kafka?.join(topology.group, topology.topic, { own, onError }) ?? null
  if (member === null) void own(Array.from({ length: log.partitions }, (_, partition) => partition))
  return async () => {
    await member?.close()
    await own([])
  }
}
