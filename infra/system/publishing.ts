/** Publishes as jobs: begun by a caller or by itself, built in chunks, resumed after a crash, flipped at the end. */
import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../schemas/errors.ts'
import { completeJob, failJob, holdRetry, insertJob, jobProgress, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import {
  beganElsewhere,
  beginPublish,
  CatalogGone,
  countBuilt,
  countDirty,
  dueForAutoPublish,
  findPublish,
  flip,
} from '../catalog/publish.ts'
import { finishCancelOf } from '../catalog/publish-cancel.ts'
import { buildChunk } from '../catalog/publish-chunk.ts'
import { indexVersion } from '../catalog/search-index.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { segmentMaker } from './segment-maker.ts'

export interface Publishing {
  /** @returns the job, and whether it is one that was building already, or one that was cancelled and is swept for a while yet */
  start(
    target: { catalog: string; workspace: string; brand: string },
    by: string,
    changelog: string | null,
    more?: { notify?: Notify | null; retryOf?: string },
  ): Promise<{ job: string; running: boolean }>
  readonly run: JobHandler
  /** Starts publishes of catalogs that publish themselves. @returns false: the next round comes by time */
  auto(): Promise<boolean>
}

/** Two hundred thousand products and more: so long whoever publishes waits for the rows of a cancelled one. */
const sweptWithinMs = 5_000

const progressEveryMs = 500

export function openPublishing({ catalog, jobs }: { catalog: Catalog; jobs: () => Jobs | null }): Publishing {
  const pool = catalog.pipeline
  const start: Publishing['start'] = async (target, by, changelog, { notify = null, retryOf } = {}) => {
    const job = randomUUID()
    for (;;) {
      try {
        const begun = await catalog.inTransaction(pool, async (tx) => {
          if (retryOf !== undefined) await holdRetry(tx, retryOf)
          const begun = await beginPublish(tx, target.catalog, job, by, changelog)
          if (!begun.started) return begun
          const input = { changelog, ...(retryOf === undefined ? {} : { retry_of: retryOf }) }
          await insertJob(tx, { id: job, ...target, kind: 'publish', input, by, notify })
          const queue = jobs()
          if (!queue) throw new Error('this process has no job queue')
          await queue.send('publish', job, tx)
          return begun
        })
        if (begun.started) return { job, running: false }
        if (!begun.cancelling || !(await finishCancelOf(pool, target.catalog, sweptWithinMs)))
          return { job: begun.job, running: true }
      } catch (error) {
        if (error instanceof CatalogGone) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        if (!beganElsewhere(error)) throw error
      }
    }
  }
  return {
    start,
    async run(job, signal) {
      if (!(await startJob(pool, job))) return
      const row = await findPublish(pool, job)
      if (!row) {
        await failJob(pool, job, 'cancelled', 'The publish was cancelled.')
        return
      }
      const { products, named } = await countDirty(pool, row.catalog, row.upto)
      let at = row.builtTo
      let told = 0
      for (let next: number | null = at; next !== null; next = await buildChunk(pool, row, at)) {
        at = next
        signal.throwIfAborted()
        if (Date.now() - told < progressEveryMs) continue
        told = Date.now()
        // In proportion: which products have their last change behind them would be asked of the whole list each time.
        const built = named === 0 ? 0 : (await countBuilt(pool, row.catalog, at)) / named
        await jobProgress(pool, job, Math.floor(products * built), products)
      }
      signal.throwIfAborted()
      await indexVersion(pool, row, segmentMaker, signal)
      await flip(pool, row, at, (tx, result) => completeJob(tx, job, result))
    },
    async auto() {
      for (const due of await dueForAutoPublish(pool)) await start(due, 'auto_publish', null)
      return false
    },
  }
}
