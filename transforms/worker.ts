/** Runs the product topology over one partition: read a batch, compute, commit it with its position in one transaction. */
import type { Log, StoredRecord } from '../infra/log/port.ts'
import { computeBatch } from './batch.ts'
import type { ProductStore } from './ports.ts'
import type { ProductTopology } from './topology.ts'

export interface WorkerPorts {
  readonly log: Pick<Log, 'read' | 'epoch'>
  readonly store: ProductStore
  readonly digest: (text: string) => string
  /** Resolves after the time, or at once when the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Told what went wrong and goes on; a store that is away stops the batch, not the worker. */
  readonly onError: (error: unknown, partition: number) => void
}

/** Polling costs one index look-up; NOTIFY would serialise commits. */
const pollMs = 50
const retryMs = 1_000
/** Larger batches gained nothing (DESIGN 5.12). */
export const batchRecords = 5_000

export async function runPartition(
  topology: ProductTopology,
  partition: number,
  ports: WorkerPorts,
  signal: AbortSignal,
): Promise<void> {
  let next: number | null = null
  while (!signal.aborted) {
    try {
      next ??= await ports.store.claim(partition)
      const records = await ports.log.read(topology.topic, partition, next, batchRecords)
      if (records.length === 0) await ports.pause(pollMs, signal)
      else next = await commitBatch(topology, partition, next, records, ports)
    } catch (error) {
      ports.onError(error, partition)
      next = null
      await ports.pause(retryMs, signal)
    }
  }
}

/** @returns the next offset; null where the partition was lost and must be claimed anew */
async function commitBatch(
  topology: ProductTopology,
  partition: number,
  from: number,
  records: readonly StoredRecord[],
  ports: WorkerPorts,
): Promise<number | null> {
  let trusting = true
  for (;;) {
    const batch = await computeBatch(topology, partition, from, records, ports, trusting)
    const committed = await ports.store.commit(batch)
    if (committed === 'done') return batch.to
    if (committed === 'lost') return null
    // A row that should not have been there, or moved: read everything and compute again.
    trusting = false
  }
}
