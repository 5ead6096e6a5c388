/** What a job does with one page: its record, its end once the sink has passed it, and the event of that. */
import { type AppendPagePorts, appendPage } from '../../ingest/page/append-page.ts'
import type { FetchedPage } from '../../ingest/page/fetch-page.ts'
import { pageCells } from '../../ingest/page/page-cells.ts'
import { noRows } from '../../transforms/row-results.ts'
import { identities } from '../catalog/identities.ts'
import { insertNotes, insertOutcome, type Outcome } from '../catalog/import-ledger.ts'
import { findImport, findImportOf, holdImport, type ImportRow, setImport } from '../catalog/imports.ts'
import { JobEnded } from '../catalog/job-table.ts'
import { insertOutbox } from '../catalog/outbox.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { loadProducts } from '../catalog/product-store.ts'
import { isUniqueViolation } from '../catalog/sql-errors.ts'
import {
  countUrlItems,
  effectOf,
  findUrlItem,
  markAppended,
  markFailed,
  markImported,
  notesOfRow,
  openUrlItems,
  type StoredReading,
  type UrlItem,
} from '../catalog/url-import-items.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { freshFor } from './fresh-for.ts'
import { groupPorts } from './group-ports.ts'
import { planRoom } from './plan-room.ts'
import { productPayload } from './product-payload.ts'
import { storedReading } from './stored-reading.ts'

export interface PageImport {
  rowOf(job: string): Promise<ImportRow>
  /** Makes the address's record, or says why there is none. One at a time in a job, so that the sink's effect on a record is that on its address. */
  take(job: string, item: Waiting, page: FetchedPage, signal: AbortSignal): Promise<void>
  /** Ends addresses whose record was on the log when their process died. */
  settleAppended(row: ImportRow, signal: AbortSignal): Promise<void>
}

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly bulk: BulkWriter
}

/** How old the count of products may be by which a plan is judged. */
const roomMs = 5_000
const noResults: Outcome = { created: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0, removed: 0, warnings: {} }

type Waiting = Pick<UrlItem, 'position' | 'address'>
interface Failure {
  readonly code: string
  readonly says: string
  readonly reading: StoredReading | null
}

export function openPageImport({ catalog, log, bulk }: Parts): PageImport {
  const pool = catalog.pipeline
  const left = freshFor(roomMs, Date.now, planRoom(pool).productsLeft)
  const ports: AppendPagePorts = {
    ...groupPorts(pool, log),
    pool,
    identities: identities(pool),
    log,
    inTransaction: catalog.inTransaction,
    isUniqueViolation,
    now: () => new Date(),
    layersOf: async (id, product) =>
      (await loadProducts(pool, [{ catalog: id, product }])).get(product)?.layers ?? null,
    hasRoom: async (workspace) => (await left(workspace)) > 0,
  }

  async function rowOf(job: string): Promise<ImportRow> {
    const id = await findImportOf(pool, job)
    const row = id === null ? null : await findImport(pool, id)
    if (!row) throw new Error(`the import of job ${job} is gone`)
    return row
  }

  async function take(job: string, item: Waiting, page: FetchedPage, signal: AbortSignal): Promise<void> {
    const row = await rowOf(job)
    const { cells, notes } = pageCells(page)
    const reading = storedReading(page, notes)
    if (page.failed) return fail(row, item, { ...page.failed, reading })
    await bulk.keepPace(signal)
    const seq = row.appendedSeq + 1
    const became = await appendPage(
      row,
      { cells, seq, row: item.position + 1 },
      {
        before: async (tx) => {
          if (!(await holdImport(tx, row.id, row.appendedSeq))) throw new JobEnded(job)
        },
        after: async (tx, product, { partition, from }) => {
          const at = { seq, epoch: log.epoch, partition, offset: from, product, reading }
          if (!(await markAppended(tx, job, item.position, at))) throw new JobEnded(job)
          await setImport(tx, row.id, { appendedSeq: seq, offsets: extended(row, partition, from, log) })
        },
      },
      ports,
    )
    if (became === 'appended') return settle(row, item.position, signal)
    await fail(row, item, { ...refusals[became], reading })
  }

  /** Waits for the sink, then tells what became of the address. */
  async function settle(row: ImportRow, position: number, signal: AbortSignal): Promise<void> {
    const item = await findUrlItem(pool, row.job, position)
    const { seq = null, epoch = null, partition = null, offset = null, product = null, reading = null } = item ?? {}
    if (!item || seq === null || epoch === null || partition === null || offset === null || product === null)
      throw new Error(`address ${position} of job ${row.job} has no record`)
    // An epoch is closed once the sink has passed all of it.
    if (epoch === log.epoch) await bulk.passed(partition, offset, signal)
    const [effect, said] = await Promise.all([
      effectOf(pool, row.id, { epoch, partition, seq }),
      notesOfRow(pool, row.id, position + 1),
    ])
    const whole = reading && { ...reading, notes: [...reading.notes, ...said] }
    if (effect === 'rejected') {
      const [why = { code: 'unreadable_record', says: 'No step could read what the page says' }] = said
      return end(row, item, { ...why, reading: whole })
    }
    const payload = await productPayload(pool, row.workspace, product)
    await catalog.inTransaction(pool, async (tx) => {
      if (!(await markImported(tx, row.job, position, { result: effect, reading: whole }))) return
      await countUrlItems(tx, row.job)
      const body = { ...told(row, item), result: effect, product: payload }
      await insertOutbox(tx, { ...event(row, position), kind: 'url_import.completed', body })
    })
  }

  /** Of an address that came to no record: its row of the ledger too. */
  async function fail(row: ImportRow, item: Waiting, failure: Failure): Promise<void> {
    await end(row, item, failure, true)
  }

  async function end(row: ImportRow, item: Waiting, failure: Failure, inLedger = false): Promise<void> {
    const { position, address: raw } = item
    const { code, says } = failure
    await catalog.inTransaction(pool, async (tx) => {
      if (!(await markFailed(tx, row.job, position, failure))) return
      await countUrlItems(tx, row.job)
      if (inLedger) {
        const { id: importId, workspace, brand } = row
        const key = { importId, workspace, brand, epoch: log.epoch, partition: -1, firstSeq: position }
        await insertOutcome(tx, key, { ...noResults, rejected: 1 }, noRows)
        const note = { row: position + 1, ordinal: 0, result: 'rejected', code, says, field: null, column: null, raw }
        await insertNotes(tx, key, [note])
      }
      const body = { ...told(row, item), error: { code, message: says } }
      await insertOutbox(tx, { ...event(row, position), kind: 'url_import.failed', body })
    })
  }

  async function settleAppended(row: ImportRow, signal: AbortSignal): Promise<void> {
    for (const { state, position } of await openUrlItems(pool, row.job))
      if (state === 'appended') await settle(row, position, signal)
  }

  return { rowOf, take, settleAppended }
}

const refusals = {
  ambiguous: {
    code: 'ambiguous',
    says: 'The identifiers of this page lead to several products, so it cannot be told which one it means',
  },
  no_room: { code: 'PLAN_LIMIT', says: 'The plan takes no more products' },
} as const

const told = ({ job, id, catalog }: ImportRow, { address }: Waiting) => ({
  job_id: job,
  import_id: id,
  catalog_id: catalog,
  address,
})

const event = ({ job, workspace, brand }: ImportRow, position: number) => ({
  cause: `url_import:${job}:${position}`,
  workspace,
  brand,
})

function extended({ offsets }: ImportRow, partition: number, offset: number, { epoch, partitions }: Log) {
  const none = Array.from({ length: partitions }, () => null)
  const from: (number | null)[] = [...(offsets?.from ?? none)]
  const to: (number | null)[] = [...(offsets?.to ?? none)]
  from[partition] ??= offset
  to[partition] = offset + 1
  return { epoch, from, to }
}
