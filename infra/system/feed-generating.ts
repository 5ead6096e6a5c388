/** Generates a feed as a file, as a job: whole before anybody sees it, and held where it would change more than may change unasked. */
import { randomUUID } from 'node:crypto'
import { keptFiles } from '../../schemas/feed-file.ts'
import { jobRules, unattended } from '../../schemas/job.ts'
import { judgeFeedFile } from '../../transforms/judge-feed-file.ts'
import { tellPerson } from '../catalog/feed-deliveries.ts'
import { feedDifference } from '../catalog/feed-difference.ts'
import { editionOf } from '../catalog/feed-edition.ts'
import {
  currentFeedFile,
  deleteFeedFile,
  feedFilesPastKeeping,
  insertFeedFile,
  lockFeedFiles,
} from '../catalog/feed-files.ts'
import {
  completeJob,
  failJob,
  findJob,
  holdJob,
  JobEnded,
  type JobRow,
  moveJob,
  startJob,
} from '../catalog/job-table.ts'
import { findSettings } from '../catalog/settings.ts'
import { findCatalog } from '../catalog/tenants.ts'
import type { JobHandler, JobKind } from '../jobs.ts'
import type { EndCancelled } from './cancellable.ts'
import { makeCurrent, tellFile } from './feed-current.ts'
import type { FeedFileStore } from './feed-file-store.ts'
import type { GenerationInput } from './feed-schedule.ts'
import { type MadeFile, type MakingParts, makeFeedFile, NoFeed } from './make-feed-file.ts'
import { planRoom } from './plan-room.ts'

export interface FeedGenerating {
  readonly run: JobHandler
  readonly end: EndCancelled
  /** What a job has left that was tried too often; told, where it was one of these. */
  giveUp(kind: JobKind, job: string): Promise<void>
  /** Removes files that are kept no longer. */
  sweep(signal: AbortSignal): Promise<void>
}

interface Parts extends MakingParts {
  readonly store: FeedFileStore
  readonly now: () => Date
}

const isOpen = ({ status }: JobRow) => status === 'queued' || status === 'active'

const attemptOf = ({ cursor }: JobRow) => (cursor as { file: string } | null)?.file ?? null

const full = 'The plan stores no more; keep fewer files of feeds or imports, or take a larger plan'

export function openFeedGenerating(parts: Parts): FeedGenerating {
  const { catalog, store, config, now } = parts
  const pool = catalog.pipeline
  const room = planRoom(pool)

  /** In one transaction the file is there, told and on its way, and its job has ended: or it waits for a person. */
  const settle = (job: JobRow, made: MadeFile) =>
    catalog.inTransaction(pool, async (tx) => {
      // Another process may have taken the job over, and begun a file of its own.
      const running = await holdJob(tx, job.id)
      if (running?.status !== 'active' || attemptOf(running) !== made.id) throw new JobEnded(job.id)
      await lockFeedFiles(tx, made.catalog, made.platform)
      const former = await currentFeedFile(tx, made.catalog, made.platform)
      const difference = former && (await feedDifference(tx, former, made))
      const limit = (await findSettings(tx, job.workspace))?.silver.guardShare ?? 1
      const guard = judgeFeedFile(made.lines, former?.lines ?? null, difference, limit)
      const held = guard.reasons.length > 0
      const file = { ...made, guard, state: held ? ('held' as const) : ('ready' as const) }
      await insertFeedFile(tx, file)
      if (held) await tellFile(tx, config, file, 'feed.failed', now())
      else await makeCurrent(tx, config, file, now())
      const { id: fileId, platform, format, lines, bytes, state } = file
      const says = held
        ? `${guard.reasons.join(' ')} Release the file, or refuse it.`
        : `${lines} ${lines === 1 ? 'product' : 'products'} for ${platform}.`
      const told = { title: held ? 'Feed held' : 'Feed generated', says }
      await completeJob(tx, job.id, { fileId, platform, format, lines, bytes, state, guard }, told)
      if (held) await tellKeeper(tx, job, { kind: 'feed.held', ...told })
    })

  const fail = (job: JobRow, code: string, says: string) =>
    catalog.inTransaction(pool, async (tx) => {
      const { platform } = job.input as unknown as GenerationInput
      const present = await holdJob(tx, job.id)
      if (!present || !isOpen(present)) return
      const row = job.catalog === null ? null : await findCatalog(tx, job.catalog)
      const edition = editionOf(row?.publishedVersion ?? 0)
      const { id, workspace, brand } = job
      const file = { id, workspace, brand, catalog: row?.id ?? '', platform, edition, lines: 0 }
      if (row) await tellFile(tx, config, file, 'feed.failed', now())
      await failJob(tx, id, code, says)
      const title = jobRules.feed_file.failed
      await tellKeeper(tx, job, { kind: 'feed.failed', title, says: `${platform}: ${says}` })
    })

  /** The file of an attempt has a name of its own: of two processes that take each other for dead neither writes into the other's. */
  async function attempt(job: JobRow): Promise<string> {
    const id = randomUUID()
    const step = { from: job.cursor, to: { file: id }, done: 0, total: null }
    if (!(await catalog.inTransaction(pool, (tx) => moveJob(tx, job.id, step)))) throw new JobEnded(job.id)
    // From here on the former attempt comes to nothing, should its process live.
    await removeAttempt(job)
    return id
  }

  async function removeAttempt(job: JobRow): Promise<void> {
    const file = attemptOf(job)
    if (file !== null) await store.remove(file)
  }

  return {
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job) return
      const of = job.catalog
      const row = of === null ? null : await catalog.inTransaction(pool, (tx) => findCatalog(tx, of))
      const file = await attempt(job)
      try {
        if (!row) throw new NoFeed('DATA_002', 'The catalog is gone')
        const made = await makeFeedFile(parts, { job, id: file, row }, signal)
        if (made.bytes > (await room.bytesLeft(job.workspace))) throw new NoFeed('PLAN_LIMIT', full)
        // Whole, under a name that nobody knows until the row has it.
        await store.keep(file, made.sha256)
        await settle(job, made)
      } catch (error) {
        // A commit whose answer was lost may have been one: then its file is looked after by the next attempt.
        if (error instanceof NoFeed || error instanceof JobEnded) await store.remove(file)
        if (error instanceof NoFeed) return fail(job, error.code, error.message)
        throw error
      }
    },
    async end(id) {
      const job = await findJob(pool, id)
      // It may have come to its end before it heard of that.
      if (!job || !isOpen(job)) return
      await removeAttempt(job)
      await failJob(pool, id, 'cancelled', 'The generation was cancelled; the file before it stays in force.')
    },
    async giveUp(kind, id) {
      const job = kind === 'feed_file' ? await findJob(pool, id) : null
      if (!job || !isOpen(job)) return
      await removeAttempt(job)
      await fail(job, 'gave_up', 'It failed again and again; the log has the cause under this job id.')
    },
    async sweep(signal) {
      for (let ids = await past(); ids.length > 0 && !signal.aborted; ids = await past())
        for (const id of ids) {
          await store.remove(id)
          await deleteFeedFile(pool, id)
        }
    },
  }

  function past(): Promise<string[]> {
    return feedFilesPastKeeping(pool, keptFiles.usual)
  }
}

/** A job that a person began tells that person by itself. */
async function tellKeeper(
  tx: Parameters<typeof tellPerson>[0],
  job: JobRow,
  told: { kind: string; title: string; says: string },
): Promise<void> {
  const { keeper } = job.input as unknown as GenerationInput
  if (keeper !== null && (unattended as readonly (string | null)[]).includes(job.by))
    await tellPerson(tx, job, keeper, told)
}
