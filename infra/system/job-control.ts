/** Cancels jobs and starts failed ones again, each kind in its own way. */
import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobRules } from '../../schemas/job.ts'
import { topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { sumOutcomes } from '../catalog/import-ledger.ts'
import { cancelImport, findImport, findImportOf, setImport } from '../catalog/imports.ts'
import {
  askCancel,
  failJob,
  findJob,
  holdJob,
  type JobRow,
  jobProgress,
  type Notify,
  RetriedBefore,
} from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { beginCancel, cancelPublish } from '../catalog/publish-cancel.ts'
import { setDiscarded } from '../catalog/replays.ts'
import type { JobKind } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import type { EndCancelled } from './cancellable.ts'
import type { Dispatching } from './dispatching.ts'
import type { FeedGenerating } from './feed-generating.ts'
import type { Imports } from './imports.ts'
import type { Publishing } from './publishing.ts'
import type { Rebuilding } from './rebuilding.ts'
import type { Replaying } from './replaying.ts'
import type { UrlImports } from './url-imports.ts'
import type { Verifying } from './verifying.ts'

export type Retried = { readonly job: string } | { readonly refused: string }

export interface JobControl {
  /** @returns `ended` where it had ended before */
  cancel(id: string): Promise<'cancelled' | 'asked' | 'ended'>
  /** As a new job with the same input: the failed one stays as it ended. */
  retry(row: JobRow, by: string, notify: Notify | null): Promise<Retried>
  /** How a job of this kind ends whose handler was told to stop. */
  readonly end: Readonly<Record<JobKind, EndCancelled>>
}

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly imports: Imports
  readonly publishing: Publishing
  readonly urlImports: Pick<UrlImports, 'end'>
  readonly verifying: Pick<Verifying, 'end'>
  readonly rebuilding: Pick<Rebuilding, 'end'>
  readonly replaying: Pick<Replaying, 'end'>
  readonly feedGenerating: Pick<FeedGenerating, 'end'>
  readonly dispatching: Pick<Dispatching, 'end'>
}

const pollMs = 50
const nothingDone = 'It was cancelled before it began; nothing was changed.'

export function openJobControl(parts: Parts): JobControl {
  const {
    catalog,
    log,
    imports,
    publishing,
    urlImports,
    verifying,
    rebuilding,
    replaying,
    feedGenerating,
    dispatching,
  } = parts
  const pool = catalog.pipeline
  const positions = () => sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)

  const endAnyKind: EndCancelled = async (id) => {
    const row = await findJob(pool, id)
    const done = row?.done ?? 0
    const says =
      done === 0
        ? 'It was cancelled; nothing was changed.'
        : `It was cancelled after ${counted(done, row?.total)}; those stay.`
    await failJob(pool, id, 'cancelled', says, { done })
  }

  /** The ledger says what the appended rows became: so the sink must have passed them. */
  const endImport: EndCancelled = async (job, signal) => {
    const id = await findImportOf(pool, job)
    if (id === null) return failJob(pool, job, 'cancelled', nothingDone)
    // All is appended and nothing left to stop: it ends as it would have.
    if ((await findImport(pool, id))?.state === 'settling') return imports.run(job, signal)
    await cancelImport(pool, id)
    const row = await findImport(pool, id)
    // An epoch is closed once the sink has passed all of it.
    const to = row?.offsets?.epoch === log.epoch ? row.offsets.to : []
    for (;;) {
      const passed = await positions()
      if (to.every((end, i) => end === null || (passed[i] ?? 0) >= end)) break
      signal.throwIfAborted()
      await sleep(pollMs)
    }
    const outcome = await sumOutcomes(pool, id)
    const { created, updated, unchanged, duplicate, rejected } = outcome
    const done = created + updated + unchanged + duplicate + rejected
    const says =
      done === 0
        ? 'The import was cancelled before anything of it was appended.'
        : `The import was cancelled after ${counted(done, row?.read)}; what was appended stays.`
    const result = { importId: id, read: done, ...outcome, notes: [says] }
    await catalog.inTransaction(pool, async (tx) => {
      await setImport(tx, id, { result, error: says, finished: true })
      await jobProgress(tx, job, done, row?.read ?? null)
      await failJob(tx, job, 'cancelled', says, result)
    })
  }

  const endPublish: EndCancelled = async (job) => {
    // Cut off or not begun: its rows are swept by whoever comes by; the job has ended with the first step.
    if (!(await cancelPublish(pool, job))) await failJob(pool, job, 'cancelled', 'The publish was cancelled.')
  }

  const endPreview: EndCancelled = (job) => failJob(pool, job, 'cancelled', 'The preview was cancelled.')

  async function again(row: JobRow, by: string, notify: Notify | null): Promise<Retried> {
    if (row.kind === 'publish' && row.catalog !== null) {
      const target = { catalog: row.catalog, workspace: row.workspace, brand: row.brand }
      const changelog = typeof row.input.changelog === 'string' ? row.input.changelog : null
      const { job, running } = await publishing.start(target, by, changelog, { notify, retryOf: row.id })
      return running ? { refused: `The catalog is being published by job ${job}` } : { job }
    }
    if (row.kind !== 'import') return { refused: 'A job of this kind is not retried; ask for it again' }
    const id = await findImportOf(pool, row.id)
    const old = id === null ? null : await findImport(pool, id)
    if (!old || !(await isThere(old.spool))) return { refused: 'Its file is no longer kept; send it again' }
    const job = randomUUID()
    await imports.repeat(old.id, { id: randomUUID(), job, by, notify })
    return { job }
  }

  const own: Partial<Record<JobKind, EndCancelled>> = {
    import: endImport,
    fetch_file: endImport,
    preview: endPreview,
    publish: endPublish,
    url_import: urlImports.end,
    verify: verifying.end,
    rebuild: rebuilding.end,
    replay: replaying.end,
    feed_file: feedGenerating.end,
    dispatch: dispatching.end,
  }
  const kinds = Object.keys(jobRules) as JobKind[]
  const end = Object.fromEntries(kinds.map((kind) => [kind, own[kind] ?? endAnyKind])) as Record<JobKind, EndCancelled>

  return {
    end,
    cancel: (id) =>
      catalog.inTransaction(pool, async (tx) => {
        const row = await holdJob(tx, id)
        if (row?.status === 'active') {
          await askCancel(tx, id)
          return 'asked'
        }
        if (row?.status !== 'queued') return 'ended'
        if (row.kind === 'import' || row.kind === 'url_import') {
          const found = await findImportOf(tx, id)
          if (found !== null) await setImport(tx, found, { state: 'failed', error: nothingDone, finished: true })
        }
        // It has no rows yet; those of one that was taken up are swept.
        if (row.kind === 'publish') await beginCancel(tx, id)
        if (row.kind === 'replay') await setDiscarded(tx, String(row.input.replay))
        await failJob(tx, id, 'cancelled', nothingDone)
        return 'cancelled'
      }),
    retry: (row, by, notify) =>
      again(row, by, notify).catch((error: unknown) => {
        if (!(error instanceof RetriedBefore)) throw error
        return { refused: `Job ${error.by} repeats it already; if that failed too, retry that one` }
      }),
  }
}

const counted = (done: number, total: number | null | undefined) =>
  total ? `${done} of ${total} rows` : `${done} rows`

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
