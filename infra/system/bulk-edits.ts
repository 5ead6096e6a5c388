/** Edits of many products as a job: a page of records and the job's place in one transaction, at the pace of the sink. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EditScope, editRecord, inheriting } from '../../ingest/edit.ts'
import { groupNamed } from '../../ingest/regroup.ts'
import type { BronzeRecord, Cells, Layers } from '../../schemas/pipeline.ts'
import { isDeleted } from '../../transforms/bronze/alive.ts'
import { cellOf, isClear } from '../../transforms/bronze/cell-value.ts'
import {
  type BulkRow,
  type BulkTarget,
  bulkPage,
  countBulk,
  fixSelection,
  meantAmong,
  takeBulkOutcome,
} from '../catalog/bulk-queries.ts'
import { completeJob, findJob, insertJob, moveJob, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { BulkWriter } from './bulk-writer.ts'
import type { Edits } from './edits.ts'
import type { Following } from './following.ts'
import { deletedParents, heirsOf } from './heirs.ts'

/** Everything that a run needs; the job's input. */
export interface BulkEdit {
  readonly workspace: string
  readonly brand: string
  readonly target: BulkTarget
  readonly cells: Cells
  readonly by: string
  readonly notify?: Notify | null
}

export interface BulkEdits {
  start(edit: BulkEdit): Promise<string>
  count(target: BulkTarget): Promise<number>
  readonly run: JobHandler
}

interface Cursor {
  /** Null where the selection is fixed and no product has had its turn. */
  readonly after: string | null
  readonly matched: number
  /** By the rules of an edit, before any record; the worker's refusals are counted with what it did. */
  readonly refused: number
}

const nothingYet: Cursor = { after: null, matched: 0, refused: 0 }
/** Small: requests of others wait for a page that is made in this process. */
const pageRows = 500
/** A step ends early where families make many records of a few parents. */
const stepRecords = 5_000
const settleWithinMs = 2_000

interface Parts {
  readonly catalog: Catalog
  readonly bulk: BulkWriter
  readonly jobs: () => Jobs | null
  readonly familyFor: Edits['familyFor']
  readonly following: Pick<Following, 'settle'>
}

export function openBulkEdits({ catalog, bulk, jobs, familyFor, following }: Parts): BulkEdits {
  const pool = catalog.pipeline
  return {
    count: (target) => countBulk(pool, target),
    start: (edit) =>
      catalog.inTransaction(pool, async (tx) => {
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        const { workspace, brand, by } = edit
        const job = { id: randomUUID(), workspace, brand, catalog: edit.target.catalog, kind: 'bulk', by }
        const { notify, ...input } = edit
        await insertJob(tx, { ...job, input, notify })
        await queue.send('bulk', job.id, tx)
        return job.id
      }),
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job) return
      const edit = job.input as unknown as BulkEdit
      const total = job.cursor === null ? await choose(id, edit.target) : (job.total ?? 0)
      let cursor = (job.cursor ?? nothingYet) as Cursor
      const relabels = edit.cells.currency !== undefined && edit.cells.price === undefined
      const withLayers = relabels || !edit.target.alive
      for (;;) {
        signal.throwIfAborted()
        const began = performance.now()
        const page = await bulkPage(pool, id, edit.target, { after: cursor.after, limit: pageRows, withLayers })
        if (page.last === null) break
        const records: BronzeRecord[] = []
        let { matched, refused } = cursor
        let after = page.last
        for (const row of page.rows) {
          if (records.length >= stepRecords) break
          after = row.id === page.rows.at(-1)?.id ? page.last : row.id
          if (!edit.target.alive && !(row.layers && isDeleted(row.layers))) continue
          matched++
          if (relabels && !hasOwnPrice(row.layers)) refused++
          else records.push(...(await recordsOf(id, edit, row)))
        }
        const to: Cursor = { after, matched, refused }
        await bulk.step(id, cursor, { records, cursor: to, done: matched, total: Math.max(total, matched) }, signal)
        cursor = to
        await rest(performance.now() - began, signal)
      }
      await bulk.settled(signal)
      // Groups that products have left may have lost their last.
      if (edit.cells.item_group_id !== undefined) await following.settle(edit.target.catalog, signal)
      await catalog.inTransaction(pool, async (tx) => {
        const { changed, unchanged, refused } = await takeBulkOutcome(tx, id)
        const { matched } = cursor
        const missing = edit.target.ids === undefined ? 0 : Math.max(0, edit.target.ids.length - matched)
        await completeJob(tx, id, { matched, changed, unchanged, refused: refused + cursor.refused, missing })
      })
    },
  }

  /** The first step: from here on the job means the same products, whatever becomes of them. */
  function choose(id: string, target: BulkTarget): Promise<number> {
    return catalog.inTransaction(pool, async (tx) => {
      const total = await fixSelection(tx, id, target)
      if (!(await moveJob(tx, id, { from: null, to: nothingYet, done: 0, total })))
        throw new Error('this job has ended, or is run by another process')
      return total
    })
  }

  /**
   * The product's own, and those of its family that follow: variants follow their parent, and a parent comes back with a variant.
   * Those that are meant themselves have a turn of their own, and count.
   */
  async function recordsOf(job: string, edit: BulkEdit, row: BulkRow): Promise<BronzeRecord[]> {
    const { workspace, brand, by, target, cells } = edit
    const scope: EditScope = { workspace, brand, catalog: target.catalog, by }
    const at = new Date().toISOString()
    const heirs =
      row.kind === 'parent' && row.layers !== null ? await heirsOf(pool, scope, row.id, row.layers, cells) : []
    const parents = target.alive || row.family === null ? [] : await deletedParents(pool, scope.catalog, row)
    const meant = await meantAmong(
      pool,
      job,
      [...heirs, ...parents].map(({ id }) => id),
    )
    return [
      editRecord(scope, row.id, row.sid, cells, { job, ...(await placeOf(scope, edit, row)) }),
      ...heirs.filter(({ id }) => !meant.has(id)).map((heir) => inheriting(scope, heir)),
      ...parents.filter(({ id }) => !meant.has(id)).map(({ id, sid }) => editRecord(scope, id, sid, cells, {})),
    ].map((record) => ({ ...record, at }))
  }

  /** What the product is in the group that the edit names; a parent stays what it is, also of that group. */
  async function placeOf(scope: EditScope, { cells, target }: BulkEdit, { id, kind }: BulkRow) {
    if (cells.item_group_id === undefined || kind === 'parent' || !target.alive) return {}
    const group = groupNamed(cells)
    if (group === null) return { regroups: true, kind: 'single' } as const
    const family = await familyFor(scope, group, id)
    return family === undefined || family === id ? {} : ({ regroups: true, kind: 'variant', family } as const)
  }

  /** Waits for the sink, but for no import before it; then leaves the machine to others for half as long as the page took. */
  async function rest(took: number, signal: AbortSignal): Promise<void> {
    const began = performance.now()
    const late = AbortSignal.timeout(settleWithinMs)
    await bulk.settled(AbortSignal.any([signal, late])).catch((error: unknown) => {
      if (!late.aborted || signal.aborted) throw error
    })
    await sleep((took + performance.now() - began) / 2, undefined, { signal })
  }
}

/** An amount takes its currency from its own layer alone (DESIGN 5.4), so a currency without a price that is an edit is refused. */
function hasOwnPrice(layers: Layers | null): boolean {
  const edits = layers?.layers.find(({ source, live }) => source === 'api' && live)
  const price = edits && cellOf(edits.cells, 'price')
  return price !== undefined && !isClear(price)
}
