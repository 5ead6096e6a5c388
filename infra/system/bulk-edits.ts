/** Edits of many products as a job: a page of records and the job's place in one transaction, at the pace of the sink. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Inherits, inheriting, recordOf } from '../../ingest/edit.ts'
import type { BronzeRecord, Cells, Layers } from '../../schemas/pipeline.ts'
import { isDeleted } from '../../transforms/bronze/alive.ts'
import { cellOf, isClear } from '../../transforms/bronze/cell-value.ts'
import { type BulkTarget, bulkPage, countBulk, meantAmong, takeBulkOutcome } from '../catalog/bulk-queries.ts'
import { completeJob, findJob, insertJob, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { heirsOf } from './heirs.ts'

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
  readonly after: string | null
  readonly matched: number
  /** By the rules of an edit, before any record; the worker's refusals are counted with what it did. */
  readonly refused: number
}

/** Small: requests of others wait for a page that is made in this process. */
const pageRows = 500
const settleWithinMs = 2_000

export function openBulkEdits(parts: { catalog: Catalog; bulk: BulkWriter; jobs: () => Jobs | null }): BulkEdits {
  const { catalog, bulk, jobs } = parts
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
      const total = await countBulk(pool, edit.target)
      let cursor = job.cursor as Cursor | null
      const relabels = edit.cells.currency !== undefined && edit.cells.price === undefined
      const asksLayers = relabels || !edit.target.alive
      for (;;) {
        signal.throwIfAborted()
        const began = performance.now()
        const page = await bulkPage(pool, edit.target, cursor?.after ?? null, pageRows, asksLayers)
        const last = page.at(-1)
        if (last === undefined) break
        const meant = page.filter(({ layers }) => edit.target.alive || (layers !== null && isDeleted(layers)))
        const taken = meant.filter(({ layers }) => !relabels || hasOwnPrice(layers))
        const at = new Date().toISOString()
        const scope = { workspace: edit.workspace, brand: edit.brand, catalog: edit.target.catalog, by: edit.by }
        const records = taken.map(({ id: product, sid }): BronzeRecord => {
          return { ...recordOf(scope, product, sid, edit.cells, { job: id }), at }
        })
        // Variants follow their parent, as in a single edit; those that are meant themselves have their own turn, and count.
        const heirs: Inherits[] = []
        for (const { id: product, kind, layers } of taken)
          if (kind === 'parent' && layers !== null)
            heirs.push(...(await heirsOf(pool, scope, product, layers, edit.cells)))
        const meantToo = await meantAmong(
          pool,
          edit.target,
          heirs.map((heir) => heir.id),
        )
        for (const heir of heirs) if (!meantToo.has(heir.id)) records.push({ ...inheriting(scope, heir), at })
        const to: Cursor = {
          after: last.id,
          matched: (cursor?.matched ?? 0) + meant.length,
          refused: (cursor?.refused ?? 0) + meant.length - taken.length,
        }
        // A product that an edit makes match or not match while this runs can move the count.
        await bulk.step(
          id,
          cursor,
          { records, cursor: to, done: to.matched, total: Math.max(total, to.matched) },
          signal,
        )
        cursor = to
        await rest(performance.now() - began, signal)
      }
      await bulk.settled(signal)
      await catalog.inTransaction(pool, async (tx) => {
        const { changed, unchanged, refused } = await takeBulkOutcome(tx, id)
        const matched = cursor?.matched ?? 0
        const missing = edit.target.ids === undefined ? 0 : Math.max(0, edit.target.ids.length - matched)
        await completeJob(tx, id, { matched, changed, unchanged, refused: refused + (cursor?.refused ?? 0), missing })
      })
    },
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
