/** Replays the log into a shadow, as a job: chooses products, makes their shadows page by page, and ends with the verdict. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { ShadowSettings } from '../../schemas/settings.ts'
import { topics } from '../../schemas/topics.ts'
import type { ReplayRange } from '../../transforms/replay/range.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { products as topology } from '../../transforms/topology.ts'
import { isSame } from '../../transforms/versions/is-same.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { brandNamed } from '../catalog/brands.ts'
import { findImport } from '../catalog/imports.ts'
import {
  completeJob,
  failJob,
  findJob,
  insertJob,
  type JobRow,
  jobProgress,
  moveJob,
  type Notify,
  startJob,
} from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import {
  catalogsToReplay,
  findReplay,
  insertReplay,
  type Pace,
  type ReplayRow,
  setDiscarded,
  setReady,
} from '../catalog/replays.ts'
import {
  findSettings,
  insertSettings,
  insertWeights,
  nextSettingsNumber,
  type WorkspaceSettings,
} from '../catalog/settings.ts'
import { countChoice, pageOfChoice } from '../catalog/shadow-choice.ts'
import { movedSince } from '../catalog/shadow-rows.ts'
import { lockWorkspace } from '../catalog/workspaces.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import type { EndCancelled } from './cancellable.ts'
import { type Chosen, openChoosing } from './choosing.ts'
import { requireStretches } from './require-stretches.ts'
import { openShadowing, type ShadowRules } from './shadowing.ts'
import { verdictOf } from './verdict-of.ts'

export interface ReplayOrder {
  readonly workspace: string
  /** null: of all brands. */
  readonly brand: string | null
  /** null: all catalogs. */
  readonly catalog: string | null
  readonly range: ReplayRange
  readonly pace: Pace
  /** What the shadow is made with, given what is the workspace's. */
  readonly under: (present: ShadowSettings) => ShadowSettings
  readonly by: string
  readonly notify: Notify | null
}

export interface Replaying {
  start(order: ReplayOrder): Promise<{ job: string; replay: string }>
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
}

interface Input {
  readonly replay: string
  /** Where the sink was in each partition. */
  readonly below: readonly number[]
}

/** One pass over the log each. */
const pageRows = 20_000
/** Products that are changed faster than this are compared as they were. */
const catchUpRounds = 3
const catchUpRows = 20_000
const progressEveryMs = 500

export function openReplaying(parts: {
  catalog: Catalog
  log: Log
  digest: (text: string) => string
  taxonomy?: KnownCategories | undefined
  jobs: () => Jobs | null
}): Replaying {
  const { catalog, log, jobs } = parts
  const pool = catalog.pipeline
  const choosing = openChoosing(parts)
  const shadowing = openShadowing(parts)

  async function start(order: ReplayOrder): Promise<{ job: string; replay: string }> {
    const [id, job] = [randomUUID(), randomUUID()]
    const { workspace, brand, pace, by, notify } = order
    await requireStretches(order.range, pool, log.epoch)
    const range = await narrowed(order.range)
    const below = await sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
    await catalog.inTransaction(pool, async (tx) => {
      await lockWorkspace(tx, workspace)
      const present = await findSettings(tx, workspace)
      const owner = brand ?? (await brandNamed(tx, workspace, 'main'))
      const queue = jobs()
      if (!present || owner === null) throw new Error(`workspace ${workspace} is gone`)
      if (!queue) throw new Error('this process has no job queue')
      const catalogs = await catalogsToReplay(tx, order)
      const numbers = await numbered(tx, present, order)
      const one = catalogs.length === 1 ? (catalogs[0] ?? null) : null
      const input: Input = { replay: id, below }
      await insertReplay(tx, { ...{ id, workspace, brand, catalogs, job, range, pace, by }, ...numbers })
      await insertJob(tx, { id: job, workspace, brand: owner, catalog: one, kind: 'replay', input, by, notify })
      await queue.send('replay', job, tx)
    })
    return { job, replay: id }
  }

  /** The records of an import stand together, so that not all of the log need be read for them. */
  async function narrowed(range: ReplayRange): Promise<ReplayRange> {
    const stands = range.import === null || range.offsets ? null : (await findImport(pool, range.import))?.offsets
    if (!stands) return range
    const { epoch } = stands
    const offsets = stands.from.flatMap((from, partition) => {
      const to = stands.to[partition]
      return from === null || to === null || to === undefined ? [] : [{ epoch, partition, from, to }]
    })
    return { ...range, offsets }
  }

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
        await shadowing.make(replay, rules, { of, products }, made, signal)
        const to = { ...cursor, place, after: last.id, done: cursor.done + page.length }
        const former = cursor
        await catalog.inTransaction(pool, (tx) => move(tx, job.id, former, to, null))
        cursor = to
        after = last.id
      }
    }
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
    await shadow(job, replay, rules, chosen, signal)
    await catchUp(replay, rules, signal)
    await catalog.inTransaction(pool, async (tx) => {
      await tx.query('set transaction isolation level repeatable read')
      const count = await countChoice(tx, replay.id, replay.catalogs)
      const verdict = await verdictOf(tx, replay, rules.weights, count)
      if (!(await setReady(tx, replay.id, verdict))) throw new Error('the replay was discarded')
      const { compared, up, down, unchanged } = verdict
      await completeJob(tx, id, { replayId: replay.id, compared, up, down, unchanged })
    })
  }

  return {
    start,
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

const inputOf = (job: JobRow) => job.input as unknown as Input

/** Numbers of their own for what is not the workspace's already. */
async function numbered(tx: PoolClient, present: WorkspaceSettings, { workspace, under, by }: ReplayOrder) {
  const { number, taxonomy, ...silver } = present.silver
  const files = taxonomy === undefined ? {} : { taxonomy }
  const last = present.pending ?? { number: present.weightsNumber, weights: present.weights }
  const wanted = under({ settings: silver, weights: last.weights })
  const former = { formerSettings: number, formerWeights: last.number }
  const numbers = { settings: number, weights: last.number }
  if (!isSame(wanted.settings, silver)) {
    numbers.settings = await nextSettingsNumber(tx, workspace)
    await insertSettings(tx, workspace, { ...wanted.settings, ...files, number: numbers.settings }, by)
  }
  if (!isSame([...wanted.weights], [...last.weights]))
    numbers.weights = await insertWeights(tx, workspace, wanted.weights, by)
  return { ...numbers, ...former }
}
