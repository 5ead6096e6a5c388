/** What a process does whose epoch of the log was closed under it: it takes no job any more, and those that it has go to others. */
import { isClosed } from '../catalog/log-epochs.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { EpochClosed } from '../log/fenced.ts'
import type { Log } from '../log/port.ts'
import { startLoop } from './loop.ts'

/** A move is rare, and its fence holds meanwhile. */
const lookMs = 1_000

/** @returns a handler that leaves its job to a process of the present epoch */
export function inEpoch({ pipeline }: Pick<Catalog, 'pipeline'>, { epoch }: Log, handler: JobHandler): JobHandler {
  return async (job, signal) => {
    if (await isClosed(pipeline, epoch)) throw new EpochClosed(epoch)
    return handler(job, signal)
  }
}

/** @returns stops it */
export function watchEpoch(
  { pipeline }: Pick<Catalog, 'pipeline'>,
  { epoch }: Log,
  jobs: Pick<Jobs, 'rest'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let rests = false
  return startLoop(
    async () => {
      if (rests || !(await isClosed(pipeline, epoch))) return false
      await jobs.rest()
      rests = true
      throw new EpochClosed(epoch)
    },
    lookMs,
    onError,
  )
}
