/** Takes imports out of the catalog, or back in, as jobs: step by step, each together with the job's place. */
import { randomUUID } from 'node:crypto'
import { type UndoPlace, undoSteps } from '../../ingest/undo.ts'
import { LogIncomplete, saysHoles } from '../../schemas/log-incomplete.ts'
import { insertAudit } from '../catalog/audit.ts'
import { beginChange, endChange, giveChangeUp, holdForDecision } from '../catalog/import-decisions.ts'
import { findImport } from '../catalog/imports.ts'
import { completeJob, failJob, findJob, insertJob, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { epochOf } from '../log/epoch-of.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import type { Following } from './following.ts'
import type { Decision, ImportOrder } from './holding.ts'
import { type UndoHoles, undoHoles } from './undo-holes.ts'

export interface Undoing {
  start(order: ImportOrder, kind: 'undo' | 'redo', notify: Notify | null): Promise<Decision>
  readonly runUndo: JobHandler
  readonly runRedo: JobHandler
  giveUp(job: string): Promise<void>
}

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly bulk: BulkWriter
  readonly following: Pick<Following, 'settle'>
  readonly jobs: () => Jobs | null
  readonly now: () => Date
}

interface Cursor extends UndoPlace {
  readonly records: number
}

export function openUndoing({ catalog, log, bulk, following, jobs, now }: Parts): Undoing {
  const pool = catalog.pipeline
  const run =
    (op: 'void' | 'unvoid'): JobHandler =>
    async (id, signal) => {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      const row = job && (await findImport(pool, String(job.input.import)))
      if (!job || !row) return failJob(pool, id, 'gone', 'The import is gone.')
      const undone = op === 'void'
      let cursor = job.cursor as Cursor | null
      const said = row.offsets && epochOf(log, row.offsets.epoch)
      const stepsFrom = (from: UndoPlace | null) => undoSteps(row, op, job.by ?? 'assay', from, { log: said, now })
      const found = () => undoHoles(row, () => stepsFrom(null), { pool, log, signal })
      const refuse = ({ holes, products }: UndoHoles) =>
        catalog.inTransaction(pool, async (tx) => {
          const what = products === null ? 'records of this import' : `records of ${products} products of this import`
          const says = `${saysHoles(holes)}; ${what} may have stood there. ${cursor === null ? 'Nothing was' : 'Not all is'} ${undone ? 'undone' : 'redone'}; import the file that is to count instead.`
          await giveChangeUp(tx, id)
          const result = { importId: row.id, records: cursor?.records ?? 0, unsure: products, holes }
          await failJob(tx, id, 'log_incomplete', says, result)
        })
      // Said again of one that is out already, or in, it is what was said before.
      const nothingToDo = row.undone === undone && cursor === null && job.input.again !== true
      if (!nothingToDo) {
        // Before the first record, so that it is all or nothing.
        const before = cursor === null ? await found() : null
        if (before && before.holes.length > 0) return refuse(before)
        try {
          for await (const step of stepsFrom(cursor)) {
            const to: Cursor = { ...step.to, records: (cursor?.records ?? 0) + step.records.length }
            await bulk.step(id, cursor, { records: step.records, cursor: to, done: to.records, total: null }, signal)
            cursor = to
          }
        } catch (error) {
          if (error instanceof LogIncomplete) return refuse({ holes: error.holes, products: null })
          throw error
        }
        await bulk.settled(signal)
        await following.settle(row.catalog, signal)
        // Of products whose records were lost since, the worker has refused it.
        const after = await found()
        if (after.holes.length > 0) return refuse(after)
      }
      await catalog.inTransaction(pool, async (tx) => {
        await endChange(tx, id, undone)
        await completeJob(tx, id, { importId: row.id, records: cursor?.records ?? 0 })
      })
    }
  return {
    runUndo: run('void'),
    runRedo: run('unvoid'),
    giveUp: (job) => giveChangeUp(pool, job),
    start: (order, kind, notify) =>
      catalog.inTransaction(pool, async (tx) => {
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        const found = await holdForDecision(tx, order.id)
        const stopped = found?.state === 'failed' && found.appended
        if (!found || (found.state !== 'completed' && !stopped))
          return {
            refused: `The import is ${found?.state ?? 'gone'}; one that is completed, or was stopped, is undone`,
          }
        if (found.changeJob !== null)
          return { refused: `The import is being undone or redone by job ${found.changeJob}` }
        const { workspace, brand, catalog: of, by } = order
        const id = randomUUID()
        // A change that was given up half-way left the mark as it was, and some of its records.
        const input = { import: order.id, ...((await wasGivenUp(tx, order.id)) ? { again: true } : {}) }
        await insertJob(tx, { id, workspace, brand, catalog: of, kind, input, by, notify })
        await beginChange(tx, order.id, id)
        await insertAudit(tx, {
          ...{ workspace, brand, subject: by, requestId: order.requestId },
          ...{ action: `import.${kind}`, target: order.id, before: { state: found.state }, after: { job: id } },
        })
        await queue.send(kind, id, tx)
        return { job: id }
      }),
  }
}

async function wasGivenUp(tx: Parameters<typeof insertJob>[0], id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from job where kind in ('undo', 'redo') and status = 'failed' and input ->> 'import' = $1 limit 1`,
    [id],
  )
  return rowCount === 1
}
