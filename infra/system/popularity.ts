/** Counts what the events of each brand say of its products, for recommendations and for the order of a search: by the hour, where there are new ones. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { type BasketMethod, popularityDays } from '../../schemas/recommendation.ts'
import { daysAfter, utcDay } from '../../schemas/utc-day.ts'
import { hasWritten } from '../catalog/event-store-id.ts'
import {
  completeJob,
  failJob,
  findJob,
  insertJob,
  JobEnded,
  type JobRow,
  moveJob,
  startJob,
} from '../catalog/job-table.ts'
import {
  addNames,
  addPairs,
  beginGeneration,
  dropFormer,
  type PopularityPlace,
  putInForce,
  writeNextColumn,
  writeProducts,
} from '../catalog/popularity-build.ts'
import { brandsToLookAt, type CountOrder, claimCount, type LookedAt } from '../catalog/popularity-queries.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { type CountedEvents, extentOf, lastReceived, namesMet, pairsOf } from '../events/popularity.ts'
import { type EventStore, EventsAway, TooMuch } from '../events/port.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { NotYet } from '../not-yet.ts'
import { eventsGroup } from './event-sink.ts'
import { segmentMaker } from './segment-maker.ts'

export interface Popularity {
  /** @returns the job; null where one is counting already */
  start(order: CountOrder): Promise<string | null>
  /** @returns whether there may be more brands to look at */
  auto(): Promise<boolean>
  readonly run: JobHandler
}

interface Parts {
  readonly catalog: Catalog
  readonly events: Pick<EventStore, 'ask' | 'identity'>
  readonly jobs: () => Jobs | null
  readonly now: () => Date
}

/** What is counted next: names, then what is met together, then products, then the columns of the search index. */
const phases = ['names', 'together', 'viewed_together', 'products', 'columns', 'whole'] as const

interface Cursor {
  readonly phase: (typeof phases)[number]
  readonly generation: number
  /** When it began: events that came later are of the next. */
  readonly began: string
  readonly from: string
  readonly events: number
  readonly parts: number
  readonly part: number
  /** The last whose column is written. */
  readonly segment: number
  readonly products: number
}

/** Who sends the first events wants to see what comes of them. */
const everyMs = { first: 120_000, later: 3_600_000 }
/** Where no event comes any more, what was counted grows old nevertheless. */
const ageMs = 24 * 3_600_000
/** What takes long is done less often: a twentieth of the store's time at most. */
const restsFor = 20
const brandsAtOnce = 50

/** Pairs are fewer than names, and each part of them costs as much. */
const partsOf = ({ phase, parts }: Cursor): number => (phase === 'names' ? parts : Math.ceil(parts / 2))

const windowFrom = (now: Date) => daysAfter(utcDay(now), 1 - popularityDays.counted)

export function openPopularity({ catalog, events, jobs, now }: Parts): Popularity {
  const pool = catalog.pipeline

  const move = (job: JobRow, from: Cursor | null, step: (tx: PoolClient) => Promise<Cursor>): Promise<Cursor> =>
    catalog.inTransaction(pool, async (tx) => {
      const to = await step(tx)
      const done = phases.indexOf(to.phase) * to.parts + to.part
      if (!(await moveJob(tx, job.id, { from, to, done, total: phases.length * to.parts }))) throw new JobEnded(job.id)
      return to
    })

  async function begin(job: JobRow, of: CountedEvents): Promise<Cursor> {
    const { from, events: n, parts } = await extentOf(events, of)
    return move(job, null, async (tx) => ({
      ...{ phase: 'names', part: 0, segment: 0, products: 0, parts, from, events: n },
      ...{ began: of.receivedBy, generation: await beginGeneration(tx, job.brand) },
    }))
  }

  /** One part of a phase, or the end of it. */
  async function next(job: JobRow, place: PopularityPlace, of: CountedEvents, cursor: Cursor): Promise<Cursor> {
    const { phase, part } = cursor
    const parts = partsOf(cursor)
    const onward: Cursor =
      part + 1 < parts
        ? { ...cursor, part: part + 1 }
        : { ...cursor, part: 0, phase: phases[phases.indexOf(phase) + 1] ?? 'whole' }
    if (phase === 'names') {
      const met = await namesMet(events, of, { part, parts })
      return move(job, cursor, async (tx) => {
        await addNames(tx, place, met)
        return onward
      })
    }
    if (phase === 'together' || phase === 'viewed_together') {
      const pairs = await pairsOf(events, of, phase satisfies BasketMethod, { part, parts })
      return move(job, cursor, async (tx) => {
        await addPairs(tx, place, phase, pairs)
        return onward
      })
    }
    if (phase === 'products')
      return move(job, cursor, async (tx) => ({
        ...{ ...cursor, part: 0, phase: 'columns' },
        products: await writeProducts(tx, place),
      }))
    return move(job, cursor, async (tx) => {
      const segment = await writeNextColumn(tx, place, cursor.segment, segmentMaker)
      return segment === null ? { ...cursor, phase: 'whole' } : { ...cursor, segment }
    })
  }

  async function count(job: JobRow, signal: AbortSignal): Promise<void> {
    const { workspace, brand } = job
    const eventsOf = (began: string, from: string): CountedEvents => ({
      ...{ workspace, brand, from, today: began.slice(0, 10), receivedBy: began },
    })
    const at = now()
    let cursor = (job.cursor as Cursor | null) ?? (await begin(job, eventsOf(at.toISOString(), windowFrom(at))))
    const place = { job: job.id, workspace, brand, generation: cursor.generation }
    const of = eventsOf(cursor.began, cursor.from)
    while (cursor.phase !== 'whole') {
      signal.throwIfAborted()
      cursor = await next(job, place, of, cursor)
    }
    const { products, began, events: counted } = cursor
    const kept = await catalog.inTransaction(pool, async (tx) => {
      await completeJob(tx, job.id, { products, events: counted, from: cursor.from })
      const tookMs = now().getTime() - Date.parse(began)
      return putInForce(
        tx,
        place,
        products,
        began,
        new Date(now().getTime() + Math.max(everyMs.later, restsFor * tookMs)),
      )
    })
    await dropFormer(pool, brand, kept, segmentMaker)
  }

  /** Whether something is to be counted that was not. */
  async function isDue({ workspace, brand, countedAt, products }: LookedAt, at: Date): Promise<boolean> {
    const last = await lastReceived(events, { workspace, brand }, windowFrom(at))
    if (last !== null && (countedAt === null || last > countedAt)) return true
    return products > 0 && countedAt !== null && at.getTime() - countedAt.getTime() > ageMs
  }

  async function start(order: CountOrder): Promise<string | null> {
    const queue = jobs()
    if (!queue) throw new Error('this process has no job queue')
    return catalog.inTransaction(pool, async (tx) => {
      const id = randomUUID()
      if ((await claimCount(tx, order, id)) !== null) return null
      await insertJob(tx, { id, ...order, catalog: null, kind: 'popularity', input: {}, by: 'assay' })
      await queue.send('popularity', id, tx)
      return id
    })
  }

  return {
    start,
    async auto() {
      // A store that nothing was written to is not asked, and an embedded one not started.
      if (!(await hasWritten(pool, eventsGroup))) return false
      const at = now()
      const found = await catalog.inTransaction(pool, (tx) => brandsToLookAt(tx, at, everyMs, brandsAtOnce))
      for (const { workspace, brand, ...said } of found)
        if (await isDue({ workspace, brand, ...said }, at)) await start({ workspace, brand })
      return found.length === brandsAtOnce
    },
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job) return
      try {
        await events.identity()
        await count(job, signal)
      } catch (error) {
        if (error instanceof EventsAway) throw new NotYet('the event store is away', { cause: error })
        if (!(error instanceof TooMuch)) throw error
        await failJob(
          pool,
          id,
          'too_much',
          'The events of this brand take more time or memory than one question may have.',
        )
      }
    },
  }
}
