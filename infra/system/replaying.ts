/** Replays the log into a shadow, as a job: chooses products, makes their shadows page by page, and ends with the verdict. */
import type { PoolClient } from 'pg'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { completeJob, failJob, findJob, type JobRow, jobProgress, moveJob, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { findReplay, type ReplayRow, setDiscarded, setReady } from '../catalog/replays.ts'
import { countChoice, pageOfChoice } from '../catalog/shadow-choice.ts'
import { movedSince } from '../catalog/shadow-rows.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import { holesOf } from '../log/holes.ts'
import type { Log } from '../log/port.ts'
import type { EndCancelled } from './cancellable.ts'
import { type Chosen, openChoosing } from './choosing.ts'
import type { Others } from './others.ts'
import { inputOf, openReplayStart, type ReplayStart } from './replay-start.ts'
import { openShadowing, type ShadowRules } from './shadowing.ts'
import { verdictOf } from './verdict-of.ts'

export interface Replaying {
  readonly start: ReplayStart
  readonly run: JobHandler
  readonly end: EndCancelled
}

/** The position of the replay: what it chooses comes first, then a product of one of its catalogs. */
interface Cursor {
  readonly chosen: Chosen | null
  readonly all: boolean
  readonly place: number
  readonly after: string | null
  readonly done: number
  /** So many have no shadow, since the log has lost records that may have been of them. */
  readonly unsure?: number
}

/** One pass over the log each, which reads all of its keys and unpacks most of its batches. */
const pageRows = 50_000
/** Products that are changed faster than this are compared as they were. */
const catchUpRounds = 3
const catchUpRows = 20_000
const progressEveryMs = 500

export function openReplaying(parts: {
  catalog: Catalog
  log: Log
  digest: (text: string) => string
  taxonomy?: KnownCategories | undefined
  others: Pick<Others, 'areAtWork'>
  jobs: () => Jobs | null
}): Replaying {
  const { catalog, log } = parts
  const pool = catalog.pipeline
  const choosing = openChoosing(parts)
  const shadowing = openShadowing(parts)

  const move = async (tx: PoolClient, job: string, from: Cursor | null, to: Cursor, total: number | null) => {
    if (await moveJob(tx, job, { from, to, done: to.done, total })) return
    throw new Error('this job has ended, or is run by another process')
  }

  async function choose(job: JobRow, replay: ReplayRow, from: Cursor | null, signal: AbortSignal): Promise<Cursor> {
    let cursor = from
    const step = async (tx: PoolClient, chosen: Chosen) => {
      const to = { ...nothing, chosen }
      await move(tx, job.id, cursor, to, null)
      cursor = to
    }
    await choosing.choose(replay, inputOf(job).below, cursor?.chosen ?? null, step, signal)
    const all = { ...nothing, chosen: (cursor as Cursor | null)?.chosen ?? null, all: true }
    const chosen = await countChoice(pool, replay.id, replay.catalogs)
    await catalog.inTransaction(pool, (tx) => move(tx, job.id, cursor, all, chosen))
    return all
  }

  async function shadow(job: JobRow, replay: ReplayRow, rules: ShadowRules, from: Cursor, signal: AbortSignal) {
    let cursor = from
    for (let place = cursor.place; place < replay.catalogs.length; place++) {
      const of = replay.catalogs[place] as string
      for (let after = place === from.place ? from.after : null; ; ) {
        const page = await pageOfChoice(pool, replay.id, of, after, pageRows)
        const last = page.at(-1)
        if (!last) break
        const products = page.filter(({ done }) => !done).map(({ id }) => id)
        let done = cursor.done + page.length - products.length
        let told = 0
        const made = async (n: number) => {
          done += n
          if (performance.now() - told < progressEveryMs) return
          told = performance.now()
          await jobProgress(pool, job.id, done, null)
        }
        const unsure = await shadowing.make(replay, rules, { of, products }, made, signal)
        const to = {
          ...cursor,
          unsure: (cursor.unsure ?? 0) + unsure,
          place,
          after: last.id,
          done: cursor.done + page.length,
        }
        const former = cursor
        await catalog.inTransaction(pool, (tx) => move(tx, job.id, former, to, null))
        cursor = to
        after = last.id
      }
    }
    return cursor.unsure ?? 0
  }

  async function catchUp(replay: ReplayRow, rules: ShadowRules, signal: AbortSignal) {
    for (const of of replay.catalogs) {
      for (let round = 0; round < catchUpRounds; round++) {
        const products = await movedSince(pool, replay.id, of, catchUpRows)
        if (products.length === 0) break
        await shadowing.make(replay, rules, { of, products }, async () => {}, signal)
      }
    }
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    if (!(await startJob(pool, id))) return
    const job = await findJob(pool, id)
    const replay = job && (await findReplay(pool, inputOf(job).replay))
    if (!job || replay?.state !== 'running') return failJob(pool, id, 'cancelled', 'The replay was discarded.')
    const rules = await shadowing.rules(replay)
    const begun = job.cursor as Cursor | null
    const chosen = begun?.all ? begun : await choose(job, replay, begun, signal)
    const unsure = await shadow(job, replay, rules, chosen, signal)
    const { below } = inputOf(job)
    const holes = unsure > 0 ? await holesOf(log, below) : await choosing.holesIn(replay, below)
    await catchUp(replay, rules, signal)
    await catalog.inTransaction(pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read')
      const count = await countChoice(tx, replay.id, replay.catalogs)
      const verdict = await verdictOf(tx, replay, rules.weights, { chosen: count, unsure, holes })
      if (!(await setReady(tx, replay.id, verdict))) throw new Error('the replay was discarded')
      const { compared, up, down, unchanged } = verdict
      await completeJob(tx, id, { replayId: replay.id, compared, up, down, unchanged, unsure, holes })
    })
  }

  return {
    start: openReplayStart(parts),
    run,
    async end(id) {
      const job = await findJob(pool, id)
      if (job) await setDiscarded(pool, inputOf(job).replay)
      await failJob(
        pool,
        id,
        'cancelled',
        `The replay was cancelled after ${job?.done ?? 0} products; nothing was changed.`,
      )
    },
  }
}

const nothing: Cursor = { chosen: null, all: false, place: 0, after: null, done: 0 }
