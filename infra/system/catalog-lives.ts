/** Deletes catalogs and brings them back: at once for readers of it, and by a tombstone a product for readers of the log. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { type EditScope, editRecord } from '../../ingest/edit.ts'
import { type BronzeRecord, type CellValue, clearWord, type Layers } from '../../schemas/pipeline.ts'
import { retention } from '../../schemas/retention.ts'
import type { CatalogLivesPort, Changed } from '../../serving/workspace/catalog-deletion.ts'
import { cellOf } from '../../transforms/bronze/cell-value.ts'
import { insertAudit } from '../catalog/audit.ts'
import {
  countLiving,
  goneProducts,
  type Listed,
  livingProducts,
  lockLife,
  markDeleted,
  markReturned,
  markReturning,
} from '../catalog/catalog-lives.ts'
import { completeJob, failJob, findJob, insertJob, type JobRow, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, JobKind, Jobs } from '../jobs.ts'
import type { BulkWriter } from './bulk-writer.ts'

export interface CatalogLives extends CatalogLivesPort {
  readonly runDelete: JobHandler
  readonly runUndelete: JobHandler
}

interface Place {
  readonly after: string | null
  readonly done: number
  readonly round: number
}

const { deletedCatalogDays: keptDays } = retention
const pageRows = 1_000
/** What was on its way when the catalog was deleted is caught by the second round; a product that stays after three is a fault. */
const rounds = 3

/** What a deletion's tombstones say: a product that was deleted before says otherwise, and stays so. */
const stampOf = (job: string) => `catalog:${job}`

export function openCatalogLives({
  catalog,
  bulk,
  jobs,
}: {
  catalog: Catalog
  bulk: BulkWriter
  jobs: () => Jobs | null
}): CatalogLives {
  const pool = catalog.pipeline
  const until = (at: Date) => new Date(at.getTime() + keptDays * 86_400_000)

  async function send(tx: PoolClient, kind: JobKind, id: string, life: Omit<EditScope, 'by'>, by: string) {
    await insertJob(tx, { id, ...life, kind, input: {}, by })
    const queue = jobs()
    if (!queue) throw new Error('this process has no job queue')
    await queue.send(kind, id, tx)
  }

  const remove: CatalogLivesPort['remove'] = (id, { subject, requestId }) =>
    catalog.inTransaction(pool, async (tx): Promise<Changed> => {
      const life = await lockLife(tx, id, keptDays)
      if (!life || life.deletedAt) return { kind: 'gone' }
      if (life.isDefault && life.hasSiblings) return { kind: 'default' }
      const job = randomUUID()
      const at = await markDeleted(tx, id, job)
      await send(tx, 'delete_catalog', job, life, subject)
      const change = { action: 'catalog.delete', target: id, before: { name: life.name }, after: null }
      await insertAudit(tx, { ...life, subject, requestId, ...change })
      return { kind: 'begun', job, until: until(at) }
    })

  const bringBack: CatalogLivesPort['bringBack'] = (id, { subject, requestId }) =>
    catalog.inTransaction(pool, async (tx): Promise<Changed> => {
      const life = await lockLife(tx, id, keptDays)
      if (!life?.deletedAt) return { kind: 'gone' }
      if (life.undeleteJob) return { kind: 'running', job: life.undeleteJob }
      if (!life.restorable) return { kind: 'expired', until: until(life.deletedAt) }
      if (!life.brandLives) return { kind: 'brandless' }
      const job = randomUUID()
      await markReturning(tx, id, job)
      await send(tx, 'undelete_catalog', job, life, subject)
      const change = { action: 'catalog.undelete', target: id, before: null, after: { name: life.name } }
      await insertAudit(tx, { ...life, subject, requestId, ...change })
      return { kind: 'begun', job, until: until(life.deletedAt) }
    })

  /** @returns the running job's row; null where it has ended */
  async function started(job: string): Promise<(JobRow & { catalog: string }) | null> {
    if (!(await startJob(pool, job))) return null
    const row = await findJob(pool, job)
    return row?.catalog ? { ...row, catalog: row.catalog } : null
  }

  const runDelete: JobHandler = async (job, signal) => {
    const row = await started(job)
    if (!row) return
    const total = row.total ?? (await countLiving(pool, row.catalog))
    let place = (row.cursor ?? null) as Place | null
    for (;;) {
      signal.throwIfAborted()
      const { after, done, round }: Place = place ?? { after: null, done: 0, round: 1 }
      const page = await livingProducts(pool, row.catalog, after, pageRows)
      const last = page.at(-1)
      const next: Place = last
        ? { after: last.product, done: done + page.length, round }
        : { after: null, done, round: round + 1 }
      if (!last) {
        await bulk.settled(signal)
        const left = await livingProducts(pool, row.catalog, null, 1)
        if (left.length === 0 || round === rounds) break
      }
      const records = page.map((one) => lifeRecord(row, one, stampOf(job)))
      await bulk.step(job, place, { records, cursor: next, done: next.done, total: Math.max(total, next.done) }, signal)
      place = next
    }
    await completeJob(pool, job, { catalogId: row.catalog, removed: place?.done ?? 0 })
  }

  const runUndelete: JobHandler = async (job, signal) => {
    const row = await started(job)
    if (!row) return
    const life = await catalog.inTransaction(pool, (tx) => lockLife(tx, row.catalog, keptDays))
    if (!life?.deletedAt || !life.deleteJob) return failJob(pool, job, 'gone', 'The catalog is not deleted.')
    const stamp = stampOf(life.deleteJob)
    // What the deletion appended last must have gone before it can be seen to be brought back.
    await bulk.settled(signal)
    let place = (row.cursor ?? null) as Omit<Place, 'round'> | null
    for (;;) {
      signal.throwIfAborted()
      const page = await goneProducts(pool, row.catalog, place?.after ?? null, pageRows)
      const last = page.at(-1)
      if (!last) break
      const mine = page.filter(({ layers }) => deletedAs(layers) === stamp)
      const next = { after: last.product, done: (place?.done ?? 0) + mine.length }
      const records = mine.map((one) => lifeRecord(row, one, clearWord))
      await bulk.step(job, place, { records, cursor: next, done: next.done, total: null }, signal)
      place = next
    }
    await bulk.settled(signal)
    await catalog.inTransaction(pool, async (tx) => {
      await lockLife(tx, row.catalog, keptDays)
      if (!(await markReturned(tx, row.catalog, job))) return
      await completeJob(tx, job, { catalogId: row.catalog, returned: place?.done ?? 0 })
    })
  }

  return { remove, bringBack, runDelete, runUndelete }
}

function deletedAs(layers: Buffer): CellValue | undefined {
  const { layers: all }: Layers = JSON.parse(layers.toString())
  const edits = all.find((layer) => layer.source === 'api')
  return edits && cellOf(edits.cells, 'deleted')
}

const lifeRecord = (row: JobRow & { catalog: string }, { product, sid }: Listed, deleted: string): BronzeRecord => ({
  ...editRecord({ ...row, by: 'assay' }, product, sid, { deleted }, {}),
  at: new Date().toISOString(),
})
