/** URL imports as jobs: pages are fetched politely, several hosts at a time, and become records one after the other. */
import { randomUUID } from 'node:crypto'
import { pageSource } from '../../ingest/page/append-page.ts'
import { fetchPage } from '../../ingest/page/fetch-page.ts'
import type { UrlImportOrder } from '../../serving/workspace/url-imports.ts'
import { sumOutcomes } from '../catalog/import-ledger.ts'
import { completeImport, type ImportRow, insertImport, setImport } from '../catalog/imports.ts'
import { completeJob, failJob, findJob, insertJob, JobEnded, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { findUrlItem, insertUrlItems, openUrlItems } from '../catalog/url-import-items.ts'
import type { Polite } from '../egress/polite.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import type { EndCancelled } from './cancellable.ts'
import { inLanes } from './lanes.ts'
import { openPageImport } from './page-import.ts'

export interface UrlImports {
  /** @returns the job */
  start(order: UrlImportOrder): Promise<string>
  readonly run: JobHandler
  /** Of a job that is cancelled: what is on the log is waited for and told. */
  readonly end: EndCancelled
}

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly bulk: BulkWriter
  readonly polite: Polite
  readonly jobs: () => Jobs | null
}

/** Hosts that one job asks at a time. */
const lanes = 4

export function openUrlImports({ polite, jobs, ...parts }: Parts): UrlImports {
  const { catalog } = parts
  const pool = catalog.pipeline
  const { rowOf, take, settleAppended } = openPageImport(parts)

  return {
    start: ({ addresses, by, notify, ...scope }) =>
      catalog.inTransaction(pool, async (tx) => {
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        const [job, id] = [randomUUID(), randomUUID()]
        const total = addresses.length
        await insertJob(tx, {
          ...scope,
          id: job,
          kind: 'url_import',
          input: { import: id, addresses: total },
          by,
          notify,
        })
        const fileName = total === 1 ? (addresses[0] ?? '') : `${total} addresses`
        const file = { fileName, spool: '', bytes: 0, sha256: '' }
        await insertImport(tx, { ...scope, ...file, id, job, by, source: pageSource, options: {} })
        await insertUrlItems(tx, { ...scope, job }, addresses)
        await tx.query('update job set total = $2 where job_id = $1', [job, total])
        await queue.send('url_import', job, tx)
        return job
      }),
    async run(job, signal) {
      if (!(await startJob(pool, job))) return
      const row = await rowOf(job)
      const found = await findJob(pool, job)
      await setImport(pool, row.id, { state: 'appending', read: found?.total ?? 0 })
      await settleAppended(row, signal)
      const waiting = await openUrlItems(pool, job)
      await inLanes(
        waiting,
        { lanes, keyOf: ({ address }) => new URL(address).host, signal },
        (item, within) => fetchPage(item.address, polite, within),
        (item, page, within) => take(job, item, page, within),
      )
      await complete(row)
    },
    async end(job, signal) {
      const row = await rowOf(job)
      const was = await findJob(pool, job)
      if (was?.status === 'active') await settleAppended(row, signal)
      const outcome = await sumOutcomes(pool, row.id)
      const done = (await findJob(pool, job))?.done ?? 0
      const says =
        done === 0
          ? 'The import was cancelled before any page was read.'
          : `The import was cancelled after ${done} of ${was?.total ?? done} addresses; what was imported stays.`
      const result = { importId: row.id, read: done, ...outcome, notes: [says] }
      await catalog.inTransaction(pool, async (tx) => {
        await setImport(tx, row.id, { state: 'failed', result, error: says, finished: true })
        await failJob(tx, job, 'cancelled', says, result)
      })
    },
  }

  async function complete({ id, job }: ImportRow): Promise<void> {
    await setImport(pool, id, { state: 'settling' })
    const outcome = await sumOutcomes(pool, id)
    const { created, updated, unchanged, duplicate, rejected } = outcome
    const read = created + updated + unchanged + duplicate + rejected
    const total = (await findJob(pool, job))?.total
    if (read !== total) throw new Error(`the ledger does not balance: ${total} addresses, ${read} with a result`)
    const result = { importId: id, read, ...outcome, notes: [] }
    await catalog.inTransaction(pool, async (tx) => {
      if (rejected < read) {
        if (!(await completeImport(tx, id, result))) throw new JobEnded(job)
        return completeJob(tx, job, result)
      }
      const first = await findUrlItem(pool, job, 0)
      const says =
        read === 1 ? (first?.says ?? '') : `None of ${read} addresses was imported; the first: ${first?.says}`
      await setImport(tx, id, { state: 'failed', result, error: says, finished: true })
      await failJob(tx, job, read === 1 ? (first?.code ?? 'failed') : 'no_page_imported', says, result)
    })
  }
}
