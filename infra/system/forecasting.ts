/** Forecasts of feeds as jobs: goes through one published version and judges each product by two profiles. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { ServiceError } from '../../schemas/errors.ts'
import type { OwnProfile } from '../../schemas/feeds/own-rules.ts'
import { findProfile, madeProfile } from '../../serving/feeds/find-profile.ts'
import { emptyTally, type ForecastTally, tallied } from '../../serving/feeds/forecast-tally.ts'
import { type Judged, lineJudge } from '../../serving/feeds/judge-line.ts'
import type { ConfigSettings } from '../catalog/feed-configs.ts'
import { holdFeedJob, writeForecast } from '../catalog/feed-forecasts.ts'
import { twin } from '../catalog/feed-names.ts'
import { type PublishedRow, publishedPage } from '../catalog/feed-queries.ts'
import { claimNames, dropNames, type ForecastName } from '../catalog/forecast-names.ts'
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

/** How products are judged now, or then. */
interface Side {
  readonly judge: ReturnType<typeof lineJudge>
  readonly named: string | undefined
}

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

  async function judges({ workspace, input }: JobRow): Promise<readonly [Side, Side]> {
    const { settings, to } = input as unknown as Input
    const { platform, profileVersion } = settings
    const present = await findProfile(pool, workspace, platform, profileVersion)
    const other = typeof to === 'number' ? await findProfile(pool, workspace, platform, to) : madeProfile(to)
    if (!present || !other) throw new Error('a profile of the forecast is not written any more')
    const [now, then] = [present, other].map((profile) => ({
      judge: lineJudge(profile, settings),
      named: profile.named,
    }))
    return [now as Side, then as Side]
  }

  /** One page, in the transaction of its place: cut off anywhere, it is gone on with. @returns null at the end */
  async function step(job: JobRow, sides: readonly [Side, Side], from: Cursor | null): Promise<Cursor | null> {
    const { id, workspace, brand } = job
    const { catalog: of, version } = job.input as unknown as Input
    const rows = await catalog.inTransaction(pool, (tx) =>
      publishedPage(tx, of, version, from?.after ?? null, pageRows),
    )
    const last = rows.at(-1)
    if (!last) return null
    const at = from?.at ?? now().toISOString()
    const tally = structuredClone(from?.tally ?? emptyTally())
    const judged = sides.map(({ judge }) => rows.map((row) => judge(row, at)))
    const to: Cursor = { after: last.id, tally, at }
    await catalog.inTransaction(pool, async (tx) => {
      const [present, other] = await settled(tx, { catalog: of, job: id }, sides, rows, judged)
      const items = rows.flatMap((row, n) => tallied(tally, row.id, present[n] as Judged, other[n] as Judged) ?? [])
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
      await dropNames(pool, (job.input as unknown as Input).catalog, id)
    },
  }
}

/** Of products that come to one id all but the first are refused. */
async function settled(
  tx: PoolClient,
  of: { readonly catalog: string; readonly job: string },
  sides: readonly [Side, Side],
  rows: readonly PublishedRow[],
  judged: readonly (readonly Judged[])[],
): Promise<readonly [readonly Judged[], readonly Judged[]]> {
  const names = judged.flatMap((all, side) =>
    all.flatMap((one, n): (ForecastName & { readonly n: number })[] =>
      one.verdict === 'valid' && one.name !== undefined
        ? [{ side: side === 0 ? 0 : 1, n, product: rows[n]?.id ?? '', name: one.name }]
        : [],
    ),
  )
  const holders = await claimNames(tx, of, names)
  const after = judged.map((all) => [...all])
  for (const [i, { side, n, product, name }] of names.entries()) {
    const holder = holders[i] ?? product
    const field = sides[side].named ?? ''
    const problem = { ...twin(field, name, holder), rule: 'an id that no other product has' }
    if (holder !== product) (after[side] as Judged[])[n] = { verdict: 'refused', problems: [problem] }
  }
  return after as [Judged[], Judged[]]
}
