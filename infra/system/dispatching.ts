/** Full pushes of a published catalog to its webhooks, as jobs: begun here, sent by those who deliver, followed until each has it or is waited for. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../schemas/errors.ts'
import type { DispatchPorts } from '../../serving/webhooks/delta-dispatch.ts'
import { beginPushes, endPushes, pushable, pushProgress } from '../catalog/delta-pushes.ts'
import { completeJob, failJob, findJob, insertJob, jobProgress, moveJob, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { EndCancelled } from './cancellable.ts'

export interface Dispatching {
  readonly start: DispatchPorts['dispatch']
  readonly run: JobHandler
  readonly end: EndCancelled
}

const askEveryMs = 250
/** Of those that did not get all. */
const mostNamed = 100

export function openDispatching({ catalog, jobs }: { catalog: Catalog; jobs: () => Jobs | null }): Dispatching {
  const pool = catalog.pipeline
  return {
    start: (row, ids, by, and) =>
      catalog.inTransaction(pool, async (tx) => {
        const webhooks = await pushable(tx, row.id, ids)
        if (ids === null ? webhooks.length === 0 : webhooks.length < new Set(ids).size)
          throw new ServiceError('NOT_FOUND', {
            message: ids === null ? 'The catalog has no active webhook' : 'No such active webhook of this catalog',
            field: 'webhook_ids',
          })
        const job = randomUUID()
        const place = { workspace: row.workspaceId, brand: row.brandId, catalog: row.id }
        await insertJob(tx, { id: job, ...place, kind: 'dispatch', input: { webhooks }, by })
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        await queue.send('dispatch', job, tx)
        await and(tx, job, webhooks.length)
        return job
      }),
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job || job.catalog === null) return
      const { catalog: of } = job
      const begun =
        (job.cursor as { begun: number } | null)?.begun ??
        (await catalog.inTransaction(pool, async (tx) => {
          const begun = await beginPushes(tx, of, job.input.webhooks as string[], id)
          await moveJob(tx, id, { from: null, to: { begun }, done: 0, total: null })
          return begun
        }))
      for (;;) {
        signal.throwIfAborted()
        const { open, stuck, delivered, parts } = await pushProgress(pool, of, id)
        await jobProgress(pool, id, delivered, parts)
        if (open === stuck.length) {
          const waiting = { waiting: stuck.length, waitingFor: stuck.slice(0, mostNamed) }
          await completeJob(pool, id, { webhooks: begun, pushed: begun - open, ...waiting, parts: delivered })
          return
        }
        await sleep(askEveryMs, undefined, { signal }).catch(() => {})
      }
    },
    async end(id) {
      await endPushes(pool, id)
      await failJob(pool, id, 'cancelled', 'The push was cancelled; what was acknowledged stays with its receivers.')
    },
  }
}
