/** Workers of one kind of job, each made when all before it are busy. */
import type { PgBoss } from 'pg-boss'

export interface Crew {
  /** There may be something to do. */
  wake(): void
}

interface Taken<T> {
  readonly id: string
  /** Aborted when the job has become someone else's. */
  readonly signal: AbortSignal
  readonly data: T
}

/** They are told of what there is to do (`watchJobs`). */
const asking = { pollingIntervalSeconds: 60, notifyPollingIntervalSeconds: 60, heartbeatRefreshSeconds: 5 }

/** A worker asks once when it is made: to make all 46 at the start was a third of what a start asked. */
export function openCrew<T extends object>(
  boss: Pick<PgBoss, 'work' | 'notifyWorker'>,
  name: string,
  most: number,
  closing: AbortSignal,
  run: (job: Taken<T>) => Promise<void>,
): Crew {
  const ids: string[] = []
  let made = 0
  let busy = 0

  const work = async ([job]: Taken<T>[]) => {
    if (!job) return
    busy++
    // The next one may have waited for this.
    wake()
    await run(job).finally(() => busy--)
  }

  function wake() {
    if (closing.aborted) return
    for (const id of ids) boss.notifyWorker(id)
    if (busy < made || made === most) return
    made++
    boss.work<T>(name, asking, work).then(
      (id) => ids.push(id),
      () => made--,
    )
  }

  return { wake }
}
