/** What a process does whose epoch of the log was closed under it: it leaves its partitions and its other turns to others, and takes no job. */
import { isClosed } from '../catalog/log-epochs.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler } from '../jobs.ts'
import { EpochClosed } from '../log/fenced.ts'
import type { Log } from '../log/port.ts'
import { startLoop } from './loop.ts'

type Leave = () => Promise<unknown>

export interface LeftBehind {
  /** What is to be left; @returns the same for the end of the process: it is done once */
  leaves(leave: Leave): Leave
  /** Leaves a job to a process of the present epoch. */
  inEpoch(handler: JobHandler): JobHandler
  /** @returns stops it */
  watch(onError: (error: unknown) => void): () => Promise<void>
}

/** A move is rare, and its fence holds meanwhile. */
const lookMs = 1_000

export function openLeftBehind({ pipeline }: Pick<Catalog, 'pipeline'>, { epoch }: Log): LeftBehind {
  const all: Leave[] = []
  let left = false
  return {
    leaves(leave) {
      let done: Promise<unknown> | undefined
      const once = () => {
        done ??= leave()
        return done
      }
      all.push(once)
      return once
    },
    inEpoch: (handler) => async (job, signal) => {
      if (await isClosed(pipeline, epoch)) throw new EpochClosed(epoch)
      return handler(job, signal)
    },
    watch: (onError) =>
      startLoop(
        async () => {
          if (left || !(await isClosed(pipeline, epoch))) return false
          left = true
          for (const leave of all) await leave().catch(onError)
          throw new EpochClosed(epoch)
        },
        lookMs,
        onError,
      ),
  }
}
