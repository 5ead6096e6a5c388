/** Rebuilds a catalog from the log as a job, beside live traffic: what differs is mended row by row, what is lost comes back (DESIGN 5.6). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { type Hole, LogIncomplete, saysHoles } from '../../schemas/log-incomplete.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { catchUp } from '../catalog/catch-up.ts'
import { completeJob, failJob, findJob, insertJob, moveJob, type Notify, startJob } from '../catalog/job-table.ts'
import { listEpochs } from '../catalog/log-epochs.ts'
import type { Catalog } from '../catalog/postgres.ts'
import {
  addItems,
  addRows,
  dropItems,
  dropStrayScores,
  nextItems,
  type RebuildScope,
  rebuildOf,
  sweepItems,
  withoutRow,
} from '../catalog/rebuild-items.ts'
import { holdSettings } from '../catalog/settings.ts'
import { isDataError, isUniqueViolation } from '../catalog/sql-errors.ts'
import { lockWorkspace } from '../catalog/workspaces.ts'
import { writeDue } from '../catalog/write-effects.ts'
import { writeProducts } from '../catalog/write-products.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { holesOf } from '../log/holes.ts'
import type { Log } from '../log/port.ts'
import type { EndCancelled } from './cancellable.ts'
import { nothingRebuilt, type RebuildTally, tallied } from './rebuild-tally.ts'
import type { Rebuilder, Rebuilt } from './rebuilder.ts'
import { type SurveyPlace, survey } from './survey.ts'

export interface RebuildOrder {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  readonly notify?: Notify | null
}

export interface Rebuilding {
  /** @returns the job, and whether it is one that was running already */
  start(order: RebuildOrder): Promise<{ job: string; running: boolean }>
  readonly run: JobHandler
  readonly end: EndCancelled
}

type Cursor =
  | { readonly phase: 'survey'; readonly place: SurveyPlace }
  | { readonly phase: 'products'; readonly total: number; readonly tally: RebuildTally }

/** One pass over the keys of the log each. */
const pageRows = 20_000

/** @throws LogIncomplete */
function requireNone(holes: readonly Hole[]): void {
  if (holes.length > 0) throw new LogIncomplete(`${saysHoles(holes)}; nothing can be rebuilt without them.`, holes)
}

/** A row that is not what was read: it is looked at again. */
class Moved extends Error {}

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly rebuilder: Rebuilder
  readonly jobs: () => Jobs | null
}

export function openRebuilding({ catalog, log, rebuilder, jobs }: Parts): Rebuilding {
  const pool = catalog.pipeline

  async function move(tx: PoolClient, job: string, from: Cursor | null, to: Cursor): Promise<void> {
    const [done, total] = to.phase === 'survey' ? [0, null] : [to.tally.compared, to.total]
    if (!(await moveJob(tx, job, { from, to, done, total })))
      throw new Error('this job has ended, or is run by another process')
  }

  async function findProducts(scope: RebuildScope, from: Cursor | null, signal: AbortSignal): Promise<Cursor> {
    let cursor = from
    const place = from?.phase === 'survey' ? from.place : null
    requireNone(await holesOf(log))
    for await (const { ids, to } of survey(log, await listEpochs(pool), scope.catalog, place)) {
      signal.throwIfAborted()
      const next: Cursor = { phase: 'survey', place: to }
      await catalog.inTransaction(pool, async (tx) => {
        await addItems(tx, scope, ids)
        await move(tx, scope.job, cursor, next)
      })
      cursor = next
    }
    return catalog.inTransaction(pool, async (tx) => {
      const found: Cursor = { phase: 'products', total: await addRows(tx, scope), tally: nothingRebuilt }
      await move(tx, scope.job, cursor, found)
      return found
    })
  }

  /** Rows and the job's tally, both or neither. @throws Moved where a row is not as it was read */
  async function write(scope: RebuildScope, from: Cursor, some: readonly Rebuilt[]): Promise<Cursor> {
    if (from.phase !== 'products') throw new Error('the products were not found yet')
    const writes = some.flatMap((one) => one.write ?? [])
    const restored = some.flatMap(({ found, write }) => (found === 'restored' && write ? [write] : []))
    const to: Cursor = { ...from, tally: tallied(from.tally, some) }
    await catalog.inTransaction(pool, async (tx) => {
      const [first] = restored
      if (first && !(await holdSettings(tx, new Map([[scope.workspace, first.settings]])))) throw new Moved()
      const ids = restored.map(({ product }) => product)
      if (ids.length > 0) await dropStrayScores(tx, scope.catalog, ids)
      if (writes.length > 0) {
        if (!(await writeProducts(tx, writes, rubricVersion))) throw new Moved()
        await writeDue(tx, writes)
      }
      const seen = some.map(({ id }) => id)
      await dropItems(tx, scope.job, seen)
      await move(tx, scope.job, from, to)
    })
    return to
  }

  /** Of many together one moved row is left for another look, and one that no table can store stays as it is. */
  async function settle(scope: RebuildScope, from: Cursor, some: readonly Rebuilt[]): Promise<Cursor> {
    if (some.length === 0) return from
    try {
      return await write(scope, from, some)
    } catch (error) {
      const refused = isDataError(error)
      if (!refused && !(error instanceof Moved) && !isUniqueViolation(error)) throw error
      const [only] = some
      if (some.length === 1 && only) {
        const { write: _left, ...rest } = only
        return refused ? write(scope, from, [{ ...rest, found: 'failed' }]) : from
      }
    }
    let cursor = from
    for (const one of some) cursor = await settle(scope, cursor, [one])
    return cursor
  }

  async function rebuild(scope: RebuildScope, from: Cursor | null, signal: AbortSignal): Promise<RebuildTally> {
    let cursor = from?.phase === 'products' ? from : await findProducts(scope, from, signal)
    let began = performance.now()
    const found = async (some: readonly Rebuilt[]) => {
      signal.throwIfAborted()
      requireNone(some.flatMap(({ hole }) => hole ?? []))
      cursor = await settle(scope, cursor, some)
      // The machine is others' for half as long as this took.
      await sleep((performance.now() - began) / 2, undefined, { signal })
      began = performance.now()
    }
    for (;;) {
      signal.throwIfAborted()
      const ids = await nextItems(pool, scope.job, pageRows)
      if (ids.length === 0) break
      await rebuilder.rows(scope.catalog, ids, found)
      const missing = await withoutRow(pool, scope, ids)
      if (missing.length > 0) await rebuilder.missing(scope.workspace, missing, found)
    }
    const ranks = await catchUp(pool, { catalog: scope.catalog, due: [] }, async () => signal.throwIfAborted())
    if (cursor.phase !== 'products') throw new Error('the products were not found')
    return { ...cursor.tally, ranks }
  }

  return {
    start: ({ workspace, brand, catalog: of, by, notify }) =>
      catalog.inTransaction(pool, async (tx) => {
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        // Held, so that of two that ask at once one finds the other's job.
        await lockWorkspace(tx, workspace)
        const running = await rebuildOf(tx, of)
        if (running !== null) return { job: running, running: true }
        const id = randomUUID()
        await insertJob(tx, { id, workspace, brand, catalog: of, kind: 'rebuild', input: {}, by, notify })
        await queue.send('rebuild', id, tx)
        return { job: id, running: false }
      }),
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job || job.catalog === null) return
      await sweepItems(pool)
      const scope = { job: id, workspace: job.workspace, brand: job.brand, catalog: job.catalog }
      try {
        await completeJob(pool, id, await rebuild(scope, job.cursor as Cursor | null, signal))
      } catch (error) {
        if (!(error instanceof LogIncomplete)) throw error
        await failJob(pool, id, 'log_incomplete', error.message, { holes: error.holes })
      }
      await sweepItems(pool)
    },
    async end(id) {
      const cursor = (await findJob(pool, id))?.cursor as Cursor | null | undefined
      const tally = cursor?.phase === 'products' ? cursor.tally : nothingRebuilt
      const says = `It was cancelled after ${tally.compared} products; what it had mended by then stays.`
      await failJob(pool, id, 'cancelled', says, tally)
      await sweepItems(pool)
    },
  }
}
