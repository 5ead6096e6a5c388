/** Validations of feeds as jobs: makes the lines of the present version, counts what is refused, and tells that it was looked through. */
import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../schemas/errors.ts'
import { lastProduct } from '../../schemas/position.ts'
import { showPosition } from '../../serving/feeds/feed-position.ts'
import type { ConfigSettings } from '../catalog/feed-configs.ts'
import { versionOf } from '../catalog/feed-edition.ts'
import { isFilled } from '../catalog/feed-fill.ts'
import { holdFeedJob } from '../catalog/feed-forecasts.ts'
import { feedOutcome } from '../catalog/feed-outcome.ts'
import { countLines, refusedFields } from '../catalog/feed-pages.ts'
import { completeJob, findJob, insertJob, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { findCatalog } from '../catalog/tenants.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { feedAddress } from './feed-address.ts'
import type { Feeding } from './feeding.ts'
import type { OwnAddress } from './own-address.ts'

export interface ValidationOrder {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly settings: ConfigSettings
  readonly by: string
  readonly notify: Notify | null
}

export interface Validating {
  /** @throws ServiceError 409 where the catalog is being looked through */
  start(order: ValidationOrder): Promise<string>
  readonly run: JobHandler
}

interface Parts {
  readonly catalog: Catalog
  readonly feeding: Pick<Feeding, 'configFor' | 'state' | 'step'>
  readonly config: OwnAddress
  readonly jobs: () => Jobs | null
  readonly now: () => Date
}

export function openValidating({ catalog, feeding, config, jobs, now }: Parts): Validating {
  const pool = catalog.pipeline

  /** All lines of what is published now. */
  async function filled(place: Omit<ValidationOrder, 'by' | 'notify'>, signal: AbortSignal) {
    const { settings } = place
    for (;;) {
      const row = await catalog.inTransaction(pool, (tx) => findCatalog(tx, place.catalog))
      if (!row || row.publishedVersion === 0) throw new Error('the catalog is not published any more')
      const of = await feeding.configFor(place, settings, row.publishedVersion)
      let state = await feeding.state(of)
      while (state && !isFilled(state)) {
        signal.throwIfAborted()
        state = await feeding.step(of)
      }
      // Retired between two looks.
      if (state && isFilled(state)) return { of: of.id, edition: state.edition }
    }
  }

  return {
    start: ({ workspace, brand, catalog: id, settings, by, notify }) =>
      catalog.inTransaction(pool, async (tx) => {
        const running = await holdFeedJob(tx, id, 'validate_feed')
        if (running !== null)
          throw new ServiceError('JOB_ALREADY_RUNNING', { message: `Job ${running} validates a feed of the catalog` })
        const job = randomUUID()
        await insertJob(tx, {
          id: job,
          workspace,
          brand,
          catalog: id,
          kind: 'validate_feed',
          input: { settings },
          by,
          notify,
        })
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        await queue.send('validate_feed', job, tx)
        return job
      }),
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job || job.catalog === null) return
      const { settings } = job.input as unknown as Pick<ValidationOrder, 'settings'>
      const { platform, profileVersion } = settings
      const place = { workspace: job.workspace, brand: job.brand, catalog: job.catalog }
      const { of, edition } = await filled({ ...place, settings }, signal)
      await catalog.inTransaction(pool, async (tx) => {
        const counts = await countLines(tx, of, edition)
        const version = versionOf(edition)
        const fields = await refusedFields(tx, of, edition)
        const position = showPosition({ mode: 't', config: of, edition, product: lastProduct })
        await completeJob(tx, id, { platform, profileVersion, version, position, ...counts, fields })
        await feedOutcome(tx, {
          ...{ ...place, platform, event: 'feed.validated', position, cause: `validation:${id}` },
          ...{ feedUrl: feedAddress(config, platform, place.catalog), products: counts.valid, at: now() },
        })
      })
    },
  }
}
