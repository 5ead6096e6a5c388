/** Runs the product topology over one partition: read a batch, compute, commit it with its position in one transaction. */
import type { Log, StoredRecord } from '../infra/log/port.ts'
import { computeBatch, UngradedError } from './batch.ts'
import type { Committed, ProductStore } from './ports.ts'
import type { KnownCategories } from './silver/taxonomy.ts'
import { DeadError } from './step.ts'
import type { ProductTopology } from './topology.ts'

export interface WorkerPorts {
  readonly log: Pick<Log, 'read' | 'begins' | 'epoch'>
  readonly store: ProductStore
  readonly digest: (text: string) => string
  /** See `Lookups`. */
  readonly taxonomy?: KnownCategories | undefined
  /** Waits at the end of a partition: resolves when there may be something from the offset on, or when the signal fires. */
  readonly arrival: (partition: number, from: number, signal: AbortSignal) => Promise<void>
  /** Told what went wrong and goes on; a store that is away stops the batch, not the worker. */
  readonly onError: (error: unknown, partition: number) => void
  /** Told of each batch before it is worked on, as a trace wants it. */
  readonly around?: <T>(partition: number, records: number, work: () => Promise<T>) => Promise<T>
}

/** One append leaves about this many in a partition; larger batches gained nothing and live long enough to cost the collector. */
const batchRecords = 2_000

/**
 * Until the signal fires, the partition is lost, or something goes wrong. Whose the partition is then is for `PartitionShare` to
 * say: a worker that claimed it anew by itself would take it from who has it by right (KF-46).
 */
export async function runPartition(
  topology: ProductTopology,
  partition: number,
  ports: WorkerPorts,
  signal: AbortSignal,
): Promise<void> {
  const around = ports.around ?? ((_partition, _records, work) => work())
  try {
    let next = await ports.store.claim(partition)
    while (next !== null && !signal.aborted) {
      const from: number = next
      const records = await ports.log.read(topology.topic, partition, from, batchRecords)
      if (records[0] && records[0].offset > from) await refuseGap(topology, partition, from, ports)
      if (records.length === 0) await ports.arrival(partition, from, signal)
      else next = await around(partition, records.length, () => commitBatch(topology, partition, from, records, ports))
    }
  } catch (error) {
    ports.onError(error, partition)
  }
}

/** Marks that the engine keeps for itself have offsets too; what was dropped before it was read is a loss, and never passed over. */
async function refuseGap(
  topology: ProductTopology,
  partition: number,
  next: number,
  { log }: WorkerPorts,
): Promise<void> {
  const first = (await log.begins(topology.topic))[partition] ?? 0
  if (first > next)
    throw new Error(
      `the log of ${topology.topic} begins at ${first} in partition ${partition}: what is from ${next} on was never read`,
    )
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
    let to: number
    let committed: Committed
    try {
      const batch = await computeBatch(topology, partition, from, records, ports, trusting)
      to = batch.to
      committed = await ports.store.commit(batch)
    } catch (error) {
      if (!(error instanceof UngradedError) && !ports.store.refusedValue(error)) throw error
      return isolate(topology, partition, from, records, ports)
    }
    if (committed === 'done') return to
    if (committed === 'lost') return null
    // A row that should not have been there, or moved: read everything and compute again.
    trusting = false
  }
}

/** The catalog can never store a value of this batch: halve it until the record stands alone, and bury that one (KF-47). */
async function isolate(
  topology: ProductTopology,
  partition: number,
  from: number,
  records: readonly StoredRecord[],
  ports: WorkerPorts,
): Promise<number | null> {
  const [only] = records
  if (records.length === 1 && only) {
    const refuse = () => fail(new DeadError('the catalog cannot store a value of it', 'unstorable'))
    const unstorable = { ...topology, apply: refuse, settle: refuse }
    return commitBatch(unstorable, partition, from, records, ports)
  }
  const half = Math.ceil(records.length / 2)
  const next = await commitBatch(topology, partition, from, records.slice(0, half), ports)
  return next === null ? null : commitBatch(topology, partition, next, records.slice(half), ports)
}

function fail(error: Error): never {
  throw error
}
