/** Finds duplicates beside the pipeline: by itself once edits pause or an import has ended, and as a job that looks through a whole catalog. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { ServiceError } from '../../schemas/errors.ts'
import { insertAudit } from '../catalog/audit.ts'
import { type DuplicateScope, holdDuplicates, productsAfter } from '../catalog/duplicate-keys.ts'
import { countDuplicates, dismissGroup, dueForDuplicates, holdOrder, settle } from '../catalog/duplicate-rounds.ts'
import { completeJob, findJob, insertJob, type JobRow, moveJob, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { comparePage, groupPage, takeIn, takeUp } from './duplicate-steps.ts'

export interface Duplicates {
  /** @throws ServiceError 409 where the catalog is being looked through */
  start(scope: DuplicateScope, by: string, notify: Notify | null): Promise<string>
  readonly run: JobHandler
  /** One step for each catalog in which something changed. @returns whether there may be more to do */
  follow(): Promise<boolean>
  /** @returns null where the catalog has no such group */
  dismiss(scope: DuplicateScope, group: string, by: string, requestId: string): Promise<'dismissed' | 'before' | null>
}

interface Parts {
  readonly catalog: Catalog
  readonly jobs: () => Jobs | null
  readonly digest: (text: string) => string
}

/** Edits that follow one another closely are looked at together. */
const pauseMs = 1_500
const longestMs = 30_000
const pageRows = 2_000
/** A transaction for each step was half of what a small import cost behind it. */
const togetherMs = 50
const busyElsewhereMs = 200

interface Cursor {
  /** The last product whose keys are read; the catalog is read when it is null. */
  readonly after: string | null
  readonly done: number
}

/** Where the last page ended, so that the next does not step over what is done; nothing is lost with it. */
interface Place {
  compare: string | null
  group: string | null
}

/** `moved`: a step was done. `settled`: nothing waits. `elsewhere`: another process is at it. */
type Stepped = 'moved' | 'settled' | 'elsewhere'

export function openDuplicates({ catalog, jobs, digest }: Parts): Duplicates {
  const pool = catalog.pipeline
  const places = new Map<string, Place>()

  /** @param withinMs further steps in the same transaction, begun within this time: of a few products that changed, all of them */
  const step = (scope: DuplicateScope, withinMs = 0): Promise<Stepped> =>
    catalog.inTransaction(pool, async (tx) => {
      if (!(await holdDuplicates(tx, scope.catalog))) return 'elsewhere'
      const until = performance.now() + withinMs
      for (;;) {
        const stepped = await next(tx, scope)
        if (stepped !== 'moved' || performance.now() >= until) return stepped
      }
    })

  async function next(tx: PoolClient, scope: DuplicateScope): Promise<'moved' | 'settled'> {
    const place = places.get(scope.catalog) ?? { compare: null, group: null }
    places.set(scope.catalog, place)
    if (await takeUp(tx, scope)) return 'moved'
    if (await turn(place, 'compare', (after) => comparePage(tx, scope.catalog, after))) return 'moved'
    if (await turn(place, 'group', (after) => groupPage(tx, scope, after, digest))) return 'moved'
    places.delete(scope.catalog)
    return (await settle(tx, scope)) ? 'settled' : 'moved'
  }

  /** In order of ids, and from the first again where some came behind. */
  async function turn(place: Place, of: keyof Place, page: (after: string | null) => Promise<string | null>) {
    const from = place[of]
    place[of] = (await page(from)) ?? (from === null ? null : await page(null))
    return place[of] !== null
  }

  type Read = Cursor | 'end' | 'elsewhere'
  async function readPage(job: JobRow, scope: DuplicateScope, from: Cursor | null): Promise<Read> {
    const ids = await productsAfter(pool, scope.catalog, from?.after ?? null, pageRows)
    const last = ids.at(-1)
    if (last === undefined) return 'end'
    const to = { after: last, done: (from?.done ?? 0) + ids.length }
    return catalog.inTransaction(pool, async (tx) => {
      if (!(await holdDuplicates(tx, scope.catalog))) return 'elsewhere'
      await takeIn(tx, scope, ids)
      await move(tx, job, from, to)
      return to
    })
  }

  return {
    follow: async () => {
      let more = false
      const failed: unknown[] = []
      for (const scope of await dueForDuplicates(pool, pauseMs, longestMs)) {
        // A catalog that cannot be worked on does not hold up the others.
        const stepped = await step(scope, togetherMs).catch((error: unknown) => void failed.push(error))
        more ||= stepped === 'moved'
      }
      if (failed.length > 0) throw failed[0]
      return more
    },
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job || job.catalog === null) return
      const scope = { workspace: job.workspace, brand: job.brand, catalog: job.catalog }
      let cursor = job.cursor as Cursor | null
      for (let read: Read | null = null; read !== 'end'; ) {
        signal.throwIfAborted()
        read = await readPage(job, scope, cursor)
        if (read === 'elsewhere') await sleep(busyElsewhereMs)
        else if (read !== 'end') cursor = read
      }
      for (let stepped: Stepped = 'moved'; stepped !== 'settled'; ) {
        signal.throwIfAborted()
        stepped = await step(scope)
        if (stepped === 'elsewhere') await sleep(busyElsewhereMs)
      }
      await completeJob(pool, id, { products: cursor?.done ?? 0, ...(await countDuplicates(pool, scope.catalog)) })
    },
    start: (scope, by, notify) =>
      catalog.inTransaction(pool, async (tx) => {
        const running = await holdOrder(tx, scope.catalog)
        if (running !== null)
          throw new ServiceError('JOB_ALREADY_RUNNING', {
            message: `Duplicates of the catalog are being looked for by job ${running}`,
          })
        const id = randomUUID()
        await insertJob(tx, { id, ...scope, kind: 'duplicates', input: {}, by, notify })
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        await queue.send('duplicates', id, tx)
        return id
      }),
    dismiss: (scope, group, by, requestId) =>
      catalog.inTransaction(pool, async (tx) => {
        const done = await dismissGroup(tx, scope, group, by)
        if (done !== 'dismissed') return done
        const { workspace, brand } = scope
        const change = { action: 'duplicates.dismiss', target: group, before: null, after: { catalog: scope.catalog } }
        await insertAudit(tx, { workspace, brand, subject: by, requestId, ...change })
        return done
      }),
  }
}

async function move(tx: PoolClient, job: JobRow, from: Cursor | null, to: Cursor): Promise<void> {
  if (await moveJob(tx, job.id, { from, to, done: to.done, total: null })) return
  throw new Error('this job has ended, or is run by another process')
}
