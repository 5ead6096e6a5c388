/** Previews as jobs: the dry run of a file that is kept beside its preview. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { previewPrefix } from '../../ingest/preview.ts'
import { TableError } from '../../ingest/table-error.ts'
import { retention } from '../../schemas/retention.ts'
import { completeJob, failJob, jobProgress, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { dropPreviews, findPreviewOf, previewFiles } from '../catalog/previews.ts'
import type { Config } from '../config.ts'
import type { JobHandler } from '../jobs.ts'
import type { Imports } from './imports.ts'

const progressEveryMs = 300

export interface Previews {
  readonly run: JobHandler
  /** Removes those that are kept no longer, and files whose preview was never begun. */
  sweep(): Promise<void>
}

interface Parts {
  readonly config: Config
  readonly catalog: Catalog
  readonly imports: Imports
}

const dayMs = 86_400_000

/** A dry run is held by nobody. */
const undecided = { released: true, undone: false, withdrawnTo: null }

export function openPreviews({ config, catalog, imports }: Parts): Previews {
  const pool = catalog.pipeline
  const folder = join(config.dataFolder, 'spool')
  return {
    async run(job, signal) {
      if (!(await startJob(pool, job))) return
      const found = await findPreviewOf(pool, job)
      if (found === null) return failJob(pool, job, 'gone', 'The preview is gone.')
      const { importJob: _, ...file } = found
      const row = { ...file, context: null, state: 'waiting', read: 0, appendedSeq: -1, offsets: null, ...undecided }
      let told = 0
      try {
        const result = await imports.dryRun(row, signal, async (done, total) => {
          if (Date.now() - told < progressEveryMs) return
          told = Date.now()
          await jobProgress(pool, job, await done(), total)
        })
        await jobProgress(pool, job, result.read, result.read)
        await completeJob(pool, job, { previewId: found.id, ...result })
      } catch (error) {
        if (!(error instanceof TableError)) throw error
        await failJob(pool, job, error.code, error.says)
      }
    },
    async sweep() {
      for (const file of await dropPreviews(pool, retention.previewDays)) await rm(file, { force: true })
      const names = await readdir(folder).catch(() => [])
      const files = names.filter((name) => name.startsWith(previewPrefix)).map((name) => join(folder, name))
      const known = await previewFiles(pool, files)
      for (const file of files) if (!known.has(file) && (await isOld(file))) await rm(file, { force: true })
    },
  }
}

/** One that has no row yet is being begun, unless its process died. */
async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > retention.previewDays * dayMs
}
