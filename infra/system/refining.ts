/** What follows a change of silver settings or of the rubric: one job a workspace that refines what is stale, by itself and page by page (DESIGN 5.6). */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { completeJob, findJob, insertJob, type JobRow, moveJob, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { findSettings, nextSettingsNumber, saveSettings, underOtherTaxonomy } from '../catalog/settings.ts'
import { catalogsAfter, dueForGrade, dueForRefine, staleIds } from '../catalog/stale-queries.ts'
import { lockWorkspace } from '../catalog/workspaces.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { Refresher } from './refresher.ts'

export interface Refining {
  readonly run: JobHandler
  /** Starts the job of each workspace that is due. @returns false: the next round comes by time */
  auto(): Promise<boolean>
}

/** How far a pass has come. A save meanwhile begins the pass anew: one job serves any number of saves. */
interface Cursor {
  readonly number: number
  readonly catalog: string | null
  readonly product: string | null
  readonly refined: number
  readonly changed: number
  readonly failed: number
}

const pageRows = 500
/** The rubric grows with the program: what it finds old is found at its start, or was written by an older process meanwhile. */
const lookAtGradesMs = 3_600_000
/** The files of Google's taxonomy change with a start alone; workspaces that were made since name none yet. */
const lookForFilesMs = 60_000

/** @param parts.taxonomy the key of the files of Google's taxonomy that this process reads by */
export function openRefining(parts: {
  catalog: Catalog
  refresher: Refresher
  jobs: () => Jobs | null
  taxonomy?: string | undefined
}): Refining {
  const { catalog, refresher, jobs, taxonomy } = parts
  const pool = catalog.pipeline
  let looked = Number.NEGATIVE_INFINITY
  let lookedForFiles = Number.NEGATIVE_INFINITY

  const move = async (tx: PoolClient, job: string, from: Cursor | null, to: Cursor) => {
    if (await moveJob(tx, job, { from, to, done: to.refined, total: null })) return
    throw new Error('this job has ended, or is run by another process')
  }

  /** Ends the job, unless settings were saved since the pass began: a save waits for the workspace, as this does. */
  const end = (job: JobRow, cursor: Cursor) =>
    catalog.inTransaction(pool, async (tx) => {
      await lockWorkspace(tx, job.workspace)
      const now = await findSettings(tx, job.workspace)
      if (now?.silver.autoSilver && now.silverNumber !== cursor.number) return false
      const { number, refined, changed, failed } = cursor
      if (now?.silverNumber === number)
        await tx.query('update workspace set refined_number = greatest(refined_number, $2) where workspace_id = $1', [
          job.workspace,
          number,
        ])
      await completeJob(tx, job.id, { settingsNumber: number, refined, changed, failed })
      return true
    })

  return {
    async run(id, signal) {
      if (!(await startJob(pool, id))) return
      const job = await findJob(pool, id)
      if (!job) return
      let cursor = job.cursor as Cursor | null
      for (;;) {
        signal.throwIfAborted()
        const settings = await findSettings(pool, job.workspace)
        if (!settings) throw new Error(`workspace ${job.workspace} is gone`)
        if (cursor?.number !== settings.silverNumber) {
          const first: Cursor = {
            number: settings.silverNumber,
            catalog: null,
            product: null,
            refined: cursor?.refined ?? 0,
            changed: cursor?.changed ?? 0,
            failed: cursor?.failed ?? 0,
          }
          const from = cursor
          await catalog.inTransaction(pool, (tx) => move(tx, id, from, first))
          cursor = first
        }
        const page = settings.silver.autoSilver ? await nextPage(job.workspace, cursor) : null
        if (page === null) {
          if (await end(job, cursor)) return
          continue
        }
        cursor = await refinePage(job, cursor, page)
      }
    },
    async auto() {
      if (performance.now() - lookedForFiles >= lookForFilesMs) {
        await adoptTaxonomy()
        lookedForFiles = performance.now()
      }
      for (const { workspace, brand } of await dueForRefine(pool)) await start(workspace, brand)
      if (performance.now() - looked < lookAtGradesMs) return false
      for (const { workspace, brand } of await dueForGrade(pool, rubricVersion)) await start(workspace, brand)
      looked = performance.now()
      return false
    },
  }

  async function nextPage(workspace: string, cursor: Cursor): Promise<{ catalog: string; ids: string[] } | null> {
    for (const one of await catalogsAfter(pool, workspace, cursor.catalog)) {
      const after = one === cursor.catalog ? cursor.product : null
      const ids = await staleIds(pool, one, after, { silverNumber: cursor.number, rubricVersion }, pageRows)
      if (ids.length > 0) return { catalog: one, ids }
    }
    return null
  }

  async function refinePage(job: JobRow, from: Cursor, page: { catalog: string; ids: string[] }): Promise<Cursor> {
    let to = from
    await refresher.refresh(job.workspace, page.catalog, page.ids, async (tx, { writes, failed }) => {
      to = {
        number: from.number,
        catalog: page.catalog,
        product: page.ids.at(-1) ?? null,
        refined: from.refined + writes.length,
        changed: from.changed + writes.filter(({ contentChanged }) => contentChanged).length,
        failed: from.failed + failed.length,
      }
      await move(tx, job.id, from, to)
    })
    return to
  }

  /** Files that are named anew, changed or no longer named are a change of what silver reads by: a number of settings of its own. */
  async function adoptTaxonomy(): Promise<void> {
    for (const workspace of await underOtherTaxonomy(pool, taxonomy))
      await catalog.inTransaction(pool, async (tx) => {
        await lockWorkspace(tx, workspace)
        const now = await findSettings(tx, workspace)
        if (!now || now.silver.taxonomy === taxonomy) return
        const { taxonomy: _former, ...silver } = now.silver
        const number = await nextSettingsNumber(tx, workspace)
        const next = { ...silver, ...(taxonomy === undefined ? {} : { taxonomy }), number }
        await saveSettings(tx, workspace, next, 'assay', true)
      })
  }

  /** The workspace is held, so that two processes that look at once start one job. */
  async function start(workspace: string, brand: string): Promise<void> {
    await catalog.inTransaction(pool, async (tx) => {
      await lockWorkspace(tx, workspace)
      const running = await tx.query(
        `select from job where workspace_id = $1 and kind = 'refine' and status in ('queued', 'active')`,
        [workspace],
      )
      if (running.rowCount) return
      const id = randomUUID()
      await insertJob(tx, { id, workspace, brand, catalog: null, kind: 'refine', input: {}, by: 'assay' })
      const queue = jobs()
      if (!queue) throw new Error('this process has no job queue')
      await queue.send('refine', id, tx)
    })
  }
}
