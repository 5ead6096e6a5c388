/** Lets a job that runs be cancelled from any node: who runs it asks every second, stops, and ends it. */
import { cancelsAsked } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler } from '../jobs.ts'
import { startLoop } from './loop.ts'

/** Ends a job whose handler has stopped: takes back what must not stay, says what does. Repeated after a crash. */
export type EndCancelled = (jobId: string, signal: AbortSignal) => Promise<void>

export interface Cancellable {
  wrap(handler: JobHandler, end: EndCancelled): JobHandler
  /** @returns stops it */
  watch(onError: (error: unknown) => void): () => Promise<void>
}

const askEveryMs = 1_000

export function openCancellable({ pipeline }: Pick<Catalog, 'pipeline'>): Cancellable {
  const running = new Map<string, AbortController>()
  return {
    wrap: (handler, end) => async (job, signal) => {
      const cancel = new AbortController()
      running.set(job, cancel)
      try {
        const [asked] = await cancelsAsked(pipeline, [job])
        if (asked === undefined)
          await handler(job, AbortSignal.any([signal, cancel.signal])).catch((error: unknown) => {
            if (!cancel.signal.aborted || signal.aborted) throw error
          })
        // It may have come to its end all the same: then there is nothing to end.
        if (asked !== undefined || cancel.signal.aborted) await end(job, signal)
      } finally {
        if (running.get(job) === cancel) running.delete(job)
      }
    },
    watch: (onError) =>
      startLoop(
        async () => {
          if (running.size === 0) return false
          for (const id of await cancelsAsked(pipeline, [...running.keys()]))
            running.get(id)?.abort(new Error('the job is cancelled'))
          return false
        },
        askEveryMs,
        onError,
      ),
  }
}
