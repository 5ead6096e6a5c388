/** Appends the many records of a job: step by step at the pace of the sink, each step together with the job's place. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { moveJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { keepUnsent } from '../catalog/unsent.ts'
import type { Log } from '../log/port.ts'
import type { Sending } from './sending.ts'

export interface BulkStep {
  /** Or what makes them in the transaction of the step, with what must be true together with them. */
  readonly records: readonly BronzeRecord[] | ((tx: PoolClient) => Promise<readonly BronzeRecord[]>)
  /** Where the job goes on after this step; any JSON. */
  readonly cursor: unknown
  readonly done: number
  readonly total: number | null
}

export interface BulkWriter {
  /** Waits until the sink is near enough for a caller who appends by other means. */
  keepPace(signal?: AbortSignal): Promise<void>
  /**
   * Appends the records and moves the job's cursor, both or neither. A log apart from the catalog has them after that, under
   * numbers by which the worker knows a repeat.
   * @param from the cursor as the job's row had it: who else runs this job has moved it
   * @throws where it was moved, or the job has ended meanwhile
   */
  step(job: string, from: unknown, step: BulkStep, signal?: AbortSignal): Promise<void>
  /** Waits until the sink has passed one record. */
  passed(partition: number, offset: number, signal?: AbortSignal): Promise<void>
  /** Waits until the sink has passed all that is on the log now. */
  settled(signal?: AbortSignal): Promise<void>
}

/** Unread records of one partition at which a bulk writer waits, so that an edit behind it waits two or three seconds. */
const aheadAtMost = 20_000
const askEveryMs = 50

export function openBulkWriter({
  catalog,
  log,
  sending,
}: {
  catalog: Catalog
  log: Log
  sending: Sending
}): BulkWriter {
  const pool = catalog.pipeline
  const positions = () => sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
  let passed: readonly number[] = []
  const keepPace: BulkWriter['keepPace'] = async (signal) => {
    while ((await log.ends(topics.bronze)).some((end, i) => end - (passed[i] ?? 0) > aheadAtMost)) {
      signal?.throwIfAborted()
      passed = await positions()
      await sleep(askEveryMs)
    }
  }
  return {
    keepPace,
    async step(job, from, { records, cursor, done, total }, signal) {
      await keepPace(signal)
      signal?.throwIfAborted()
      const unsent = await catalog.inTransaction(pool, async (tx) => {
        if (!(await moveJob(tx, job, { from, to: cursor, done, total })))
          throw new Error('this job has ended, or is run by another process')
        const made = typeof records === 'function' ? await records(tx) : records
        const [any] = made
        if (!any) return null
        if (!log.transactional)
          return keepUnsent(tx, { id: job, workspace: any.workspace, brand: any.brand }, made.length, (first) =>
            made.map((record, i): BronzeRecord => ({ ...record, once: { of: job, number: first + i } })),
          )
        // Last, since it holds the log's counters until the commit.
        await log.append(
          topics.bronze,
          made.map((record) => ({ key: record.product, value: JSON.stringify(record) })),
          tx,
        )
        return null
      })
      if (unsent) await sending.send(job, unsent)
    },
    async passed(partition, offset, signal) {
      while (((await positions())[partition] ?? 0) <= offset) {
        signal?.throwIfAborted()
        await sleep(askEveryMs)
      }
    },
    async settled(signal) {
      const ends = await log.ends(topics.bronze)
      while ((await positions()).some((position, i) => position < (ends[i] ?? 0))) {
        signal?.throwIfAborted()
        await sleep(askEveryMs)
      }
    },
  }
}
