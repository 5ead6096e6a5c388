/** Forecasts of feeds as jobs: goes through one published version and judges each product by two profiles. */
import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../schemas/errors.ts'
import type { OwnProfile } from '../../schemas/feeds/own-rules.ts'
import { findProfile, madeProfile } from '../../serving/feeds/find-profile.ts'
import { emptyTally, type ForecastTally, tallied } from '../../serving/feeds/forecast-tally.ts'
import { lineJudge } from '../../serving/feeds/judge-line.ts'
import type { ConfigSettings } from '../catalog/feed-configs.ts'
import { holdFeedJob, writeForecast } from '../catalog/feed-forecasts.ts'
import { publishedPage } from '../catalog/feed-queries.ts'
import { completeJob, findJob, insertJob, type JobRow, moveJob, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'

export interface ForecastOrder {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  /** The published version that is gone through. */
  readonly version: number
  /** With what the feed is made now. */
  readonly settings: ConfigSettings
  /** The other version of it, or a profile that is not saved. */
  readonly to: number | OwnProfile
  readonly by: string
  readonly notify: Notify | null
}

export interface Forecasting {
  /** @throws ServiceError 409 where the catalog is being gone through */
  start(order: ForecastOrder): Promise<string>
  readonly run: JobHandler
}

interface Parts {
  readonly catalog: Catalog
  readonly jobs: () => Jobs | null
  readonly now: () => Date
}

type Input = Pick<ForecastOrder, 'catalog' | 'version' | 'settings' | 'to'>

interface Cursor {
  readonly after: string
  readonly tally: ForecastTally
  /** All are judged as of one moment, however long it takes. */
  readonly at: string
}

/** Judged in one go: twice a product, and the process serves nobody meanwhile. */
const pageRows = 500

export function openForecasting({ catalog, jobs, now }: Parts): Forecasting {
  const pool = catalog.pipeline

  async function judges({ workspace, input }: JobRow) {
    const { settings, to } = input as unknown as Input
    const { platform, profileVersion } = settings
    const present = await findProfile(pool, workspace, platform, profileVersion)
    const other = typeof to === 'number' ? await findProfile(pool, workspace, platform, to) : madeProfile(to)
    if (!present || !other) throw new Error('a profile of the forecast is not written any more')
    return [lineJudge(present, settings), lineJudge(other, settings)] as const
  }

  /** One page, in the transaction of its place: cut off anywhere, it is gone on with. @returns null at the end */
  async function step(
    job: JobRow,
    [judgeNow, judgeThen]: Awaited<ReturnType<typeof judges>>,
    from: Cursor | null,
  ): Promise<Cursor | null> {
    const { id, workspace, brand } = job
    const { catalog: of, version } = job.input as unknown as Input
    const rows = await catalog.inTransaction(pool, (tx) =>
      publishedPage(tx, of, version, from?.after ?? null, pageRows),
    )
    const last = rows.at(-1)
    if (!last) return null
    const at = from?.at ?? now().toISOString()
    const tally = structuredClone(from?.tally ?? emptyTally())
    const items = rows.flatMap((row) => tallied(tally, row.id, judgeNow(row, at), judgeThen(row, at)) ?? [])
    const to: Cursor = { after: last.id, tally, at }
    await catalog.inTransaction(pool, async (tx) => {
      await writeForecast(tx, id, { workspace, brand, catalog: of }, items)
      if (!(await moveJob(tx, id, { from, to, done: tally.products, total: null })))
        throw new Error('this job has ended, or is run by another process')
    })
    return to
  }

  return {
    start: ({ workspace, brand, by, notify, ...input }) =>
      catalog.inTransaction(pool, async (tx) => {
        const running = await holdFeedJob(tx, input.catalog, 'forecast')
        if (running !== null)
          throw new ServiceError('JOB_ALREADY_RUNNING', { message: `Job ${running} makes a forecast of the catalog` })
        const id = randomUUID()
        await insertJob(tx, { id, workspace, brand, catalog: input.catalog, kind: 'forecast', input, by, notify })
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        await queue.send('forecast', id, tx)
        return id
      }),
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job) return
      const both = await judges(job)
      let cursor = job.cursor as Cursor | null
      for (let next = cursor; ; cursor = next) {
        signal.throwIfAborted()
        next = await step(job, both, cursor)
        if (next === null) break
      }
      const { version, settings, to } = job.input as unknown as Input
      const { fields, ...counts } = cursor?.tally ?? emptyTally()
      await completeJob(pool, id, {
        ...{ platform: settings.platform, version, profileVersion: settings.profileVersion },
        // null: a profile that is not saved.
        ...{ toVersion: typeof to === 'number' ? to : null, counts },
        fields: fields.toSorted((a, b) => b.fails + b.passes - (a.fails + a.passes)),
      })
    },
  }
}
