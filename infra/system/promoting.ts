/** Promotes shadows: their settings become the workspace's, their rows the live ones, and a publish that is held meanwhile shows all of it at once. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { ServiceError } from '../../schemas/errors.ts'
import { readsOtherwise } from '../../transforms/silver/reads-otherwise.ts'
import { insertAudit } from '../catalog/audit.ts'
import { brandNamed } from '../catalog/brands.ts'
import {
  completeJob,
  failJob,
  findJob,
  insertJob,
  type JobRow,
  moveJob,
  type Notify,
  startJob,
} from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import {
  beganElsewhere,
  beginPublish,
  extendPublish,
  flip,
  heldPublishes,
  type PublishRow,
} from '../catalog/publish.ts'
import { finishCancelOf } from '../catalog/publish-cancel.ts'
import { buildChunk } from '../catalog/publish-chunk.ts'
import { findReplay, holdReplay, type ReplayRow, setDiscarded, setPromoted, setPromoting } from '../catalog/replays.ts'
import { indexVersion } from '../catalog/search-index.ts'
import { findSettings, promoteSettings, promoteWeights, settingsNumbered } from '../catalog/settings.ts'
import { promoteChunk } from '../catalog/shadow-promotion.ts'
import { lockWorkspace } from '../catalog/workspaces.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { JobControl } from './job-control.ts'
import type { Refresher } from './refresher.ts'
import { segmentMaker } from './segment-maker.ts'

interface Decider {
  readonly by: string
  readonly requestId: string
  readonly notify: Notify | null
}

export interface Promoting {
  /** Again what was asked before is the same job. @throws ServiceError where it cannot be promoted, or no longer */
  promote(replay: ReplayRow, who: Decider): Promise<string>
  /** @throws ServiceError where it is promoted already */
  discard(replay: ReplayRow): Promise<void>
  readonly run: JobHandler
}

interface Cursor {
  readonly place: number
  readonly after: string | null
  readonly written: number
  readonly recomputed: number
}

/** So long whoever promotes waits for the rows of a cancelled publish. */
const sweptWithinMs = 5_000

interface Parts {
  readonly catalog: Catalog
  readonly refresher: Refresher
  readonly jobControl: Pick<JobControl, 'cancel'>
  readonly jobs: () => Jobs | null
}

export function openPromoting({ catalog, refresher, jobControl, jobs }: Parts): Promoting {
  const pool = catalog.pipeline

  async function begin(tx: PoolClient, id: string, { by, requestId, notify }: Decider): Promise<string> {
    const replay = await findReplay(tx, id)
    if (!replay) throw new ServiceError('NOT_FOUND', { message: 'Replay not found', field: 'replayId' })
    await lockWorkspace(tx, replay.workspace)
    const held = await holdReplay(tx, id)
    const running = held && (await runningJob(tx, held))
    if (!held || running) return running ?? ''
    if (held.state !== 'ready' && held.state !== 'promoting') throw cannot(held.state, 'promoted')
    if (held.state === 'ready') await putInForce(tx, held, { by, requestId })
    const job = randomUUID()
    await holdPublishes(tx, held, job, by)
    const brand = held.brand ?? (await brandNamed(tx, held.workspace, 'main'))
    const queue = jobs()
    if (brand === null || !queue) throw new Error('this process has no job queue')
    const one = held.catalogs.length === 1 ? (held.catalogs[0] ?? null) : null
    const { workspace } = held
    await insertJob(tx, {
      ...{ id: job, workspace, brand, catalog: one, kind: 'promote', by, notify },
      input: { replay: id },
    })
    await setPromoting(tx, id, job)
    await queue.send('promote', job, tx)
    return job
  }

  /** Every other publish is refused with this job's id until the end, so that none shows half of it. */
  async function holdPublishes(tx: PoolClient, { catalogs }: ReplayRow, job: string, by: string) {
    for (const of of await published(tx, catalogs)) {
      const begun = await beginPublish(tx, of, job, by, 'Promoted a replay')
      if (begun.started) continue
      if (begun.cancelling) throw new Sweeping(of)
      throw new ServiceError('JOB_ALREADY_RUNNING', {
        message: `The catalog ${of} is being published by job ${begun.job}`,
      })
    }
  }

  const promote: Promoting['promote'] = async ({ id }, who) => {
    for (;;) {
      try {
        return await catalog.inTransaction(pool, (tx) => begin(tx, id, who))
      } catch (error) {
        if (error instanceof Sweeping) await finishCancelOf(pool, error.catalog, sweptWithinMs)
        else if (!beganElsewhere(error)) throw error
      }
    }
  }

  async function writeRows(job: JobRow, replay: ReplayRow, signal: AbortSignal): Promise<Cursor> {
    let cursor = (job.cursor as Cursor | null) ?? nothing
    let from = job.cursor as Cursor | null
    for (let place = cursor.place; place < replay.catalogs.length; place++) {
      const of = replay.catalogs[place] as string
      for (let after = place === cursor.place ? cursor.after : null; ; ) {
        signal.throwIfAborted()
        const chunk = await promoteChunk(pool, replay.id, of, after)
        if (!chunk) break
        // The workspace's settings are the shadow's by now, or later ones.
        if (chunk.moved.length > 0) await refresher.refresh(replay.workspace, of, chunk.moved)
        const to = {
          ...{ place, after: chunk.last, written: cursor.written + chunk.written },
          recomputed: cursor.recomputed + chunk.moved.length,
        }
        await move(job.id, from, to)
        from = cursor = to
        after = chunk.last
      }
    }
    return cursor
  }

  async function move(job: string, from: Cursor | null, to: Cursor) {
    const at = { from, to, done: to.written + to.recomputed, total: null }
    if (await catalog.inTransaction(pool, (tx) => moveJob(tx, job, at))) return
    throw new Error('this job has ended, or is run by another process')
  }

  async function show(held: PublishRow, signal: AbortSignal): Promise<number> {
    const row = await extendPublish(pool, held)
    let at = row.builtTo
    for (let next: number | null = at; next !== null; next = await buildChunk(pool, row, at)) {
      at = next
      signal.throwIfAborted()
    }
    await indexVersion(pool, row, segmentMaker, signal)
    return (await flip(pool, row, at, async () => {})).version
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    if (!(await startJob(pool, id))) return
    const job = await findJob(pool, id)
    const replay = job && (await findReplay(pool, String(job.input.replay)))
    if (!job || !replay) return failJob(pool, id, 'gone', 'The replay is gone.')
    const { written, recomputed } = await writeRows(job, replay, signal)
    for (const held of await heldPublishes(pool, id)) await show(held, signal)
    await catalog.inTransaction(pool, async (tx) => {
      await setPromoted(tx, replay.id)
      await completeJob(tx, id, { replayId: replay.id, changed: written, recomputed })
    })
  }

  return {
    promote,
    run,
    async discard({ id }) {
      const held = await catalog.inTransaction(pool, async (tx) => {
        const found = await holdReplay(tx, id)
        if (found && !(await setDiscarded(tx, id))) throw cannot(found.state, 'discarded')
        return found
      })
      if (held?.state === 'running') await jobControl.cancel(held.job)
    },
  }
}

const nothing: Cursor = { place: 0, after: null, written: 0, recomputed: 0 }

/** A cancelled publish of it still has rows. */
class Sweeping extends Error {
  readonly catalog: string
  constructor(catalog: string) {
    super(`the rows of a cancelled publish of ${catalog} are being removed`)
    this.catalog = catalog
  }
}

const cannot = (state: ReplayRow['state'], what: string) =>
  new ServiceError('CONFLICT', {
    message:
      state === 'running'
        ? `The replay is still running; it can be ${what} when it is ready`
        : `The replay is ${state}`,
  })

/** Of a promotion that runs or is done. */
async function runningJob(tx: PoolClient, { state, promoteJob }: ReplayRow): Promise<string | null> {
  if (promoteJob === null || (state !== 'promoting' && state !== 'promoted')) return null
  const job = await findJob(tx, promoteJob)
  return job?.status === 'failed' ? null : promoteJob
}

/** Readers of a catalog that was never published see none of it. */
async function published(tx: PoolClient, catalogs: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select catalog_id as id from catalog
      where catalog_id = any ($1::uuid[]) and published_version > 0 and deleted_at is null order by catalog_id`,
    [catalogs],
  )
  return rows.map(({ id }) => id)
}

/** @throws ServiceError where the workspace has other settings by now than when the replay began */
async function putInForce(tx: PoolClient, replay: ReplayRow, { by, requestId }: Pick<Decider, 'by' | 'requestId'>) {
  const { workspace } = replay
  const now = await findSettings(tx, workspace)
  const weights = now?.pending?.number ?? now?.weightsNumber
  if (!now || now.silver.number !== replay.formerSettings || weights !== replay.formerWeights)
    throw new ServiceError('CONFLICT', {
      message: "The workspace's settings have changed since the replay began; replay again under those of now",
    })
  if (replay.settings !== replay.formerSettings) {
    const [next] = await settingsNumbered(tx, workspace, [replay.settings])
    if (!next) throw new Error('the settings of this replay are gone')
    await promoteSettings(tx, workspace, next.number, readsOtherwise(now.silver, next))
  }
  if (replay.weights !== replay.formerWeights) await promoteWeights(tx, workspace, replay.weights)
  await insertAudit(tx, {
    ...{ workspace, brand: replay.brand, subject: by, action: 'replay.promote', target: replay.id, requestId },
    before: { settings: replay.formerSettings, weights: replay.formerWeights },
    after: { settings: replay.settings, weights: replay.weights },
  })
}
