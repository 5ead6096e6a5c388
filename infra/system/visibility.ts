/** Takes visibility snapshots: of each published catalog once when a day of UTC is over, and of today on demand. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { ServiceError } from '../../schemas/errors.ts'
import { requiredBits } from '../../schemas/feeds/required-bits.ts'
import { feedReadyFrom } from '../../schemas/score.ts'
import { endOfDay, utcDay } from '../../schemas/utc-day.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { platformsOf } from '../catalog/brands.ts'
import { hasWritten } from '../catalog/event-store-id.ts'
import {
  completeJob,
  failJob,
  findJob,
  insertJob,
  JobEnded,
  type JobRow,
  moveJob,
  type Notify,
  startJob,
} from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { defaultCatalog } from '../catalog/tenants.ts'
import {
  addNames,
  countSeen,
  namedTwice,
  offeredPage,
  type SnapshotPlace,
  takeOff,
  writeSnapshot,
} from '../catalog/visibility-build.ts'
import { claimSnapshot, dueSnapshots, type SnapshotOrder } from '../catalog/visibility-queries.ts'
import { type EventStore, EventsAway, TooMuch } from '../events/port.ts'
import { channelEvents, type DayOfCatalog, namedBothWays, namedProducts } from '../events/seen-products.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import { NotYet } from '../not-yet.ts'
import { channelNamed } from './channel-named.ts'
import { eventsGroup } from './event-sink.ts'
import { takeSnapshot } from './event-snapshots.ts'
import { addOffered, channelFigures, judgedBits, nothingOffered, type Summed } from './visibility-figures.ts'

export interface Visibility {
  /** @param day today or yesterday @throws ServiceError 409 where it is being taken */
  start(order: SnapshotOrder & { by: string; notify: Notify | null }, day: string): Promise<string>
  /** One job a catalog and day, once the day is over. @returns whether there may be more */
  auto(): Promise<boolean>
  readonly run: JobHandler
}

interface Parts {
  readonly catalog: Catalog
  readonly log: Pick<Log, 'epoch' | 'partitions' | 'begins' | 'ends' | 'read' | 'former'>
  readonly events: Pick<EventStore, 'ask' | 'identity'>
  readonly jobs: () => Jobs | null
  readonly now: () => Date
}

interface Cursor {
  /** Catalog first, then what events name, then what they name in two ways. */
  readonly phase: 'catalog' | 'names' | 'twice'
  readonly product: string | null
  readonly name: readonly [string, string] | null
  /** Channel and product. */
  readonly twice?: readonly [string, string]
  /** When it began: events that came later are of the next. */
  readonly began: string
  readonly summed: Summed
  /** By channel, names that are nobody's. */
  readonly unknown: Readonly<Record<string, number>>
}

const dayMs = 86_400_000
/** Events that were under way at midnight are in. */
const graceMs = 15 * 60_000
const jobsAtOnce = 100
const productsOfPage = 5_000
const namesOfPage = 10_000
/** They travel to the store in an address. */
const twiceOfPage = 100

export function openVisibility({ catalog, log, events, jobs, now }: Parts): Visibility {
  const pool = catalog.pipeline
  const queue = () => {
    const open = jobs()
    if (!open) throw new Error('this process has no job queue')
    return open
  }

  const move = (job: JobRow, from: Cursor | null, step: (tx: PoolClient) => Promise<Cursor>): Promise<Cursor> =>
    catalog.inTransaction(pool, async (tx) => {
      const to = await step(tx)
      const done = to.summed.offered
      const total = to.phase === 'catalog' ? null : done
      if (!(await moveJob(tx, job.id, { from, to, done, total }))) throw new JobEnded(job.id)
      return to
    })

  async function countCatalog(
    job: JobRow,
    place: SnapshotPlace,
    from: Cursor | null,
    bits: readonly number[],
    signal: AbortSignal,
  ) {
    const first: Cursor = {
      ...{ phase: 'catalog', product: null, name: null, unknown: {} },
      ...{ began: now().toISOString(), summed: nothingOffered(bits.length) },
    }
    let stands = from
    let cursor = from ?? first
    while (cursor.phase === 'catalog') {
      signal.throwIfAborted()
      const grading = { bits, rubric: rubricVersion, readyFrom: feedReadyFrom }
      const page = await offeredPage(pool, place, grading, cursor.product, productsOfPage)
      const to: Cursor = page
        ? { ...cursor, product: page.last, summed: addOffered(cursor.summed, page) }
        : { ...cursor, phase: 'names' }
      cursor = await move(job, stands, async () => to)
      stands = cursor
    }
    return cursor
  }

  async function countNames(job: JobRow, place: SnapshotPlace, of: DayOfCatalog, from: Cursor, signal: AbortSignal) {
    for (let cursor = from; ; ) {
      if (cursor.phase === 'twice') return cursor
      signal.throwIfAborted()
      const named = await namedProducts(events, of, cursor.name, namesOfPage)
      const last = named.at(-1)
      const from = cursor
      if (!last) return move(job, from, async () => ({ ...from, phase: 'twice' }))
      cursor = await move(job, from, async (tx) => {
        const unknown = { ...from.unknown }
        const known = named.flatMap((one) => {
          const channel = channelNamed(one.channel)
          return channel === null ? [] : [{ ...one, channel }]
        })
        for (const one of await addNames(tx, place, known))
          unknown[one.channel] = (unknown[one.channel] ?? 0) + one.unknown
        return { ...from, name: [last.channel, last.name], unknown }
      })
    }
  }

  /** An event that names a product by its id and by its SKU met it once. */
  async function takeTwiceOff(job: JobRow, of: DayOfCatalog, from: Cursor, signal: AbortSignal) {
    for (let cursor = from; ; ) {
      signal.throwIfAborted()
      const page = await namedTwice(pool, job.id, cursor.twice ?? null, twiceOfPage)
      const last = page.at(-1)
      if (!last) return cursor
      const asked = new Set(page.map(({ channel, product }) => `${channel} ${product}`))
      const both = (await namedBothWays(events, of, page)).flatMap((one) => {
        const channel = channelNamed(one.channel)
        return channel !== null && asked.has(`${channel} ${one.product}`) ? [{ ...one, channel }] : []
      })
      const from = cursor
      cursor = await move(job, from, async (tx) => {
        await takeOff(tx, job.id, both)
        return { ...from, twice: [last.channel, last.product] }
      })
    }
  }

  async function take(job: JobRow, place: SnapshotPlace, signal: AbortSignal): Promise<void> {
    const { workspace, brand, catalog: id, day } = place
    const bits = judgedBits(requiredBits(await platformsOf(pool, brand)))
    let cursor = await countCatalog(job, place, job.cursor as Cursor | null, bits, signal)
    const usual = await catalog.inTransaction(pool, (tx) => defaultCatalog(tx, brand))
    const of = { workspace, brand, catalog: id, isDefault: usual?.id === id, day, receivedBy: cursor.began }
    // A store that nothing was written to is not asked, and an embedded one not started.
    const written = await hasWritten(pool, eventsGroup)
    if (written) await events.identity()
    const { text: store, lag } = await takeSnapshot({ catalog, log })
    if (written) cursor = await takeTwiceOff(job, of, await countNames(job, place, of, cursor, signal), signal)
    const met = written ? await channelEvents(events, of) : []
    await catalog.inTransaction(pool, async (tx) => {
      const figures = channelFigures(cursor.summed, met, await countSeen(tx, job.id), cursor.unknown)
      const takenAt = new Date(cursor.began)
      await writeSnapshot(tx, place, { takenAt, complete: takenAt >= endOfDay(day), lag, store }, figures)
      await completeJob(tx, job.id, { day, version: place.version, offered: cursor.summed.offered })
    })
  }

  return {
    start: ({ by, notify, ...order }, day) =>
      catalog.inTransaction(pool, async (tx) => {
        const id = randomUUID()
        const running = await claimSnapshot(tx, order, day, id)
        if (running !== null)
          throw new ServiceError('JOB_ALREADY_RUNNING', { message: `This snapshot is being taken by job ${running}` })
        await insertJob(tx, { id, ...order, kind: 'visibility', input: inputOf(order, day), by, notify })
        await queue().send('visibility', id, tx)
        return id
      }),
    async auto() {
      const at = now()
      const day = utcDay(new Date(at.getTime() - dayMs))
      if (at.getTime() < endOfDay(day).getTime() + graceMs) return false
      return catalog.inTransaction(pool, async (tx) => {
        const ids = Array.from({ length: jobsAtOnce }, () => randomUUID())
        const due = await dueSnapshots(tx, day, ids)
        for (const { job: id, ...order } of due) {
          await insertJob(tx, { id, ...order, kind: 'visibility', input: inputOf(order, day), by: 'assay' })
          await queue().send('visibility', id, tx)
        }
        return due.length === jobsAtOnce
      })
    },
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job || job.catalog === null) return
      const { workspace, brand, catalog: of } = job
      const { day, version } = job.input as { day: string; version: number }
      // What a catalog is a day later says nothing of that day: it stays a day that nobody saw.
      if (now().getTime() > endOfDay(day).getTime() + dayMs)
        return failJob(
          pool,
          id,
          'too_late',
          `${day} is over for more than a day: what the catalog was then is not known any more.`,
        )
      try {
        await take(job, { job: id, workspace, brand, catalog: of, day, version }, signal)
      } catch (error) {
        if (error instanceof EventsAway) throw new NotYet('the event store is away', { cause: error })
        if (!(error instanceof TooMuch)) throw error
        await failJob(
          pool,
          id,
          'too_much',
          'The events of that day take more time or memory than one question may have.',
        )
      }
    },
  }
}

/** Retention keeps the version of a job that names it (`pinned_version`). */
const inputOf = ({ catalog, version }: SnapshotOrder, day: string) => ({ catalog, version, day })
