/** Imports as jobs: gives ingest the queries that its ports ask for. */
import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { type AcceptPorts, accept, acceptPreviewed, type Offer, type Wanted } from '../../ingest/accept.ts'
import { runImport } from '../../ingest/dataset.ts'
import { type DryRunResult, dryRun } from '../../ingest/dry-run.ts'
import { ImportHeld } from '../../ingest/guard.ts'
import type { ImportPorts, Progress } from '../../ingest/import-ports.ts'
import { type Previewed, preview } from '../../ingest/preview.ts'
import { TableError } from '../../ingest/table-error.ts'
import { EgressError } from '../../schemas/egress-error.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { identities } from '../catalog/identities.ts'
import { stopHeld } from '../catalog/import-decisions.ts'
import { fileSources } from '../catalog/import-sources.ts'
import {
  completeImport,
  earlierImport,
  findImport,
  findImportOf,
  type ImportRow,
  insertImport,
  lastMap,
  type NewImport,
  repeatImport,
  setImport,
} from '../catalog/imports.ts'
import {
  completeJob,
  failJob,
  holdRetry,
  insertJob,
  JobEnded,
  jobProgress,
  type Notify,
  startJob,
} from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { insertPreview, type PreviewRow } from '../catalog/previews.ts'
import { isUniqueViolation } from '../catalog/sql-errors.ts'
import type { Config } from '../config.ts'
import type { Egress } from '../egress/open-egress.ts'
import type { JobHandler, JobKind, Jobs } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import { NotYet } from '../not-yet.ts'
import { type Fetching, openFetching } from './fetching.ts'
import type { Following } from './following.ts'
import { importStore } from './import-store.ts'
import { holdOrigin, originImported } from './origin.ts'
import { planRoom } from './plan-room.ts'

export interface Imports extends Fetching {
  accept(offer: Offer): Promise<string>
  /** @returns null where the previewed file is kept no longer */
  acceptPreviewed(row: PreviewRow, wanted: Wanted): Promise<string | null>
  preview(offer: Offer): Promise<Previewed>
  dryRun(row: ImportRow, signal: AbortSignal, progress: Progress): Promise<DryRunResult>
  readonly run: JobHandler
  /** The same file as a new import. @throws RetriedBefore */
  repeat(old: string, as: { id: string; job: string; by: string; notify: Notify | null }): Promise<void>
  giveUp(kind: JobKind, jobId: string): Promise<void>
}

interface Parts {
  readonly config: Config
  readonly catalog: Catalog
  readonly log: Log
  readonly digest: (text: string) => string
  readonly taxonomy?: KnownCategories | undefined
  readonly jobs: () => Jobs | null
  readonly egress: Pick<Egress, 'ask'>
  readonly following: Pick<Following, 'settle'>
}

const progressEveryMs = 300
/** An import waits this long for an earlier one of its source, then lets others have its place. */
const turnWithinMs = 3_000

export function openImports({ config, catalog, log, digest, taxonomy, jobs, egress, following }: Parts): Imports {
  const pool = catalog.pipeline
  const known = identities(pool)
  const room = planRoom(pool)
  const spoolFolder = join(config.dataFolder, 'spool')
  const store = importStore(pool, log)
  const shared = {
    pool,
    identities: known,
    log,
    inTransaction: catalog.inTransaction,
    isUniqueViolation,
    now: () => new Date(),
  }
  const importPorts: ImportPorts = {
    ...shared,
    store,
    digest,
    taxonomy,
    // Of one run: a process that was stopped and goes on must not take away what another works with by now.
    scratchPath: (id) => join(spoolFolder, `${id}.${randomUUID()}.duckdb`),
    pause: (ms) => sleep(ms),
    maxUnpackedBytes: config.maxUploadBytes,
  }
  const acceptPorts: AcceptPorts = {
    spoolFolder,
    maxUploadBytes: config.maxUploadBytes,
    store: {
      bytesLeft: room.bytesLeft,
      fileSources: (id) => fileSources(pool, id),
      lastMap: (id, source) => lastMap(pool, id, source),
      settings: store.settings,
      start: (row, notify, origin) =>
        catalog.inTransaction(pool, async (tx) => {
          const former = origin && (await holdOrigin(tx, origin))
          if (former) return former
          await queueImport(tx, row, { notify })
          await insertImport(tx, row)
          if (origin) await originImported(tx, origin, row.job)
          return row.job
        }),
      startPreview: (row, notify) =>
        catalog.inTransaction(pool, async (tx) => {
          const queue = jobs()
          if (!queue) throw new Error('this process has no job queue')
          await insertJob(tx, { ...row, id: row.job, kind: 'preview', input: { preview: row.id }, notify })
          await insertPreview(tx, row)
          await queue.send('preview', row.job, tx)
        }),
    },
  }

  async function queueImport(
    tx: PoolClient,
    {
      id,
      job,
      workspace,
      brand,
      catalog: into,
      by,
    }: Pick<NewImport, 'id' | 'job' | 'workspace' | 'brand' | 'catalog' | 'by'>,
    { notify, retryOf, first = 'import' }: { notify: Notify | null; retryOf?: string; first?: JobKind },
  ) {
    const queue = jobs()
    if (!queue) throw new Error('this process has no job queue')
    const input = { import: id, ...(retryOf === undefined ? {} : { retry_of: retryOf }) }
    await insertJob(tx, { id: job, workspace, brand, catalog: into, kind: 'import', input, by, notify })
    await queue.send(first, job, tx)
  }

  /** @throws what is no fault of the file, to be tried again */
  async function refuse(id: string, job: string, error: unknown): Promise<void> {
    if (!(error instanceof TableError || error instanceof EgressError)) throw error
    const says = error instanceof TableError ? error.says : error.message
    await catalog.inTransaction(pool, async (tx) => {
      await setImport(tx, id, { state: 'failed', error: says, finished: true })
      await failJob(tx, job, error.code, says)
    })
  }

  async function turnOf(id: string, signal: AbortSignal): Promise<void> {
    for (const until = Date.now() + turnWithinMs; await earlierImport(pool, id); await sleep(200)) {
      signal.throwIfAborted()
      if (Date.now() > until) throw new NotYet('an earlier import of this source is under way')
    }
  }

  /** Tried again, it would be missing for a quarter of an hour before anyone was told why. */
  async function fileIsHere(id: string): Promise<void> {
    const spool = (await findImport(pool, id))?.spool ?? ''
    const here = await access(spool).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    )
    if (here) return
    throw new TableError(
      'no_file',
      'The file is not in the data folder of the process that imports; those with the roles api and jobs share one (ASSAY_DATA).',
    )
  }

  /** The job has ended: what it found waits for a person. */
  const hold = (job: string, id: string, { guard }: ImportHeld) =>
    catalog.inTransaction(pool, async (tx) => {
      if (!(await stopHeld(tx, id, guard))) throw new JobEnded(job)
      const counts = {
        read: 0,
        created: 0,
        updated: 0,
        unchanged: 0,
        duplicate: 0,
        rejected: 0,
        removed: 0,
        warnings: {},
      }
      const result = { importId: id, state: 'held', ...counts, notes: guard.reasons, guard }
      await completeJob(tx, job, result, { title: 'Import held', says: guard.reasons.join(' ') })
    })

  return {
    accept: (offer) => accept(offer, acceptPorts),
    ...openFetching({ catalog, accept: acceptPorts, egress, jobs, queueImport, refuse }),
    acceptPreviewed: (row, wanted) => acceptPreviewed(row, wanted, acceptPorts),
    preview: (offer) => preview(offer, acceptPorts),
    dryRun: (row, signal, progress) => dryRun(row, importPorts, signal, progress),
    async run(job, signal) {
      if (!(await startJob(pool, job))) return
      const id = await findImportOf(pool, job)
      if (id === null) return failJob(pool, job, 'gone', 'The import is gone.')
      let told = 0
      try {
        await turnOf(id, signal)
        await fileIsHere(id)
        const result = await runImport(id, importPorts, signal, async (done, total) => {
          if (Date.now() - told < progressEveryMs) return
          told = Date.now()
          await jobProgress(pool, job, await done(), total)
        })
        const row = await findImport(pool, id)
        if (row) await following.settle(row.catalog, signal)
        await catalog.inTransaction(pool, async (tx) => {
          if (!(await completeImport(tx, id, result))) throw new JobEnded(job)
          await completeJob(tx, job, { importId: id, ...result })
        })
      } catch (error) {
        if (error instanceof ImportHeld) return hold(job, id, error)
        await refuse(id, job, error)
      }
    },
    async repeat(old, { id, job, by, notify }) {
      const row = await findImport(pool, old)
      if (!row) throw new Error(`import ${old} is gone`)
      const { workspace, brand, catalog: into } = row
      await catalog.inTransaction(pool, async (tx) => {
        await holdRetry(tx, row.job)
        await queueImport(tx, { id, job, workspace, brand, catalog: into, by }, { notify, retryOf: row.job })
        await repeatImport(tx, old, { id, job, by })
      })
    },
    async giveUp(_kind, job) {
      const says = 'It failed again and again; the log has the cause under this job id.'
      await catalog.inTransaction(pool, async (tx) => {
        await tx.query(
          `update import set state = 'failed', error = $2, finished_at = now() where job_id = $1 and state <> 'completed'`,
          [job, says],
        )
        await failJob(tx, job, 'gave_up', says)
      })
    },
  }
}
