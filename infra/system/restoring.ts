/** Takes a catalog back to one of its versions as a job: edits that undo what differs, then a publish of them (DESIGN 5.6). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EditScope, editRecord } from '../../ingest/edit.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { editCells } from '../../transforms/versions/edit-cells.ts'
import { differing, mergeFields } from '../../transforms/versions/fields.ts'
import { revival } from '../../transforms/versions/revival.ts'
import { completeJob, failJob, findJob, insertJob, type JobRow, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { goneParents, publishWith, type RestoreRow, restorePage } from '../catalog/restores.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { notInVersion } from './emptied.ts'
import type { Publishing } from './publishing.ts'

export interface Restoring {
  start(order: {
    catalog: string
    workspace: string
    brand: string
    version: number
    by: string
    notify?: Notify | null
  }): Promise<string>
  readonly run: JobHandler
}

const pageRows = 1_000
const askEveryMs = 100

interface Place {
  readonly after: string | null
  readonly changed: number
  /** Nothing is left but the publish. */
  readonly written: boolean
}

interface Input {
  readonly catalog: string
  readonly version: number
  readonly by: string
}

export function openRestoring({
  catalog,
  bulk,
  publishing,
  jobs,
  now,
}: {
  catalog: Catalog
  bulk: BulkWriter
  publishing: Publishing
  jobs: () => Jobs | null
  now: () => Date
}): Restoring {
  const pool = catalog.pipeline

  const start: Restoring['start'] = async ({ catalog: id, workspace, brand, version, by, notify }) => {
    const job = randomUUID()
    await catalog.inTransaction(pool, async (tx) => {
      const queue = jobs()
      if (!queue) throw new Error('this process has no job queue')
      const input = { catalog: id, version, by }
      await insertJob(tx, { id: job, workspace, brand, catalog: id, kind: 'restore', input, by, notify })
      await queue.send('restore', job, tx)
    })
    return job
  }

  async function run(id: string, signal: AbortSignal) {
    if (!(await startJob(pool, id))) return
    let row = await findJob(pool, id)
    // What is on the log already is part of the state that is compared.
    if (row?.cursor === null) await bulk.settled(signal)
    for (; row; row = await findJob(pool, id)) {
      const at = (row.cursor as Place | null) ?? { after: null, changed: 0, written: false }
      if (at.written) break
      const { catalog: of, version } = inputOf(row)
      const page = await restorePage(pool, of, version, at.after, pageRows)
      const records = await recordsOf(row, page)
      const last = page.at(-1)?.id
      const changed = at.changed + records.length
      const cursor: Place = { after: last ?? at.after, changed, written: last === undefined }
      await bulk.step(id, row.cursor, { records, cursor, done: row.done + page.length, total: null }, signal)
    }
    await bulk.settled(signal)
    if (row) await publish(row, row.cursor as Place, signal)
  }

  async function publish(row: JobRow, { changed }: Place, signal: AbortSignal) {
    const { catalog: of, version, by } = inputOf(row)
    const changelog = `Restores version ${version} (job ${row.id})`
    const target = { catalog: of, workspace: row.workspace, brand: row.brand }
    for (;;) {
      signal.throwIfAborted()
      const own = await publishWith(pool, of, changelog)
      const done = own === null ? null : await findJob(pool, own)
      if (done?.status === 'completed') {
        const result = { restored: version, changed, publishJob: done.id, ...(done.result as object) }
        return completeJob(pool, row.id, result)
      }
      if (done?.status === 'failed')
        return failJob(pool, row.id, 'PUBLISH_FAILED', `The products are restored; publish them: job ${done.id} failed`)
      // A publish that is under way may have begun before the last edit: ours comes after it.
      if (own === null) await publishing.start(target, by, changelog)
      await sleep(askEveryMs)
    }
  }

  async function recordsOf(row: JobRow, page: readonly RestoreRow[]): Promise<BronzeRecord[]> {
    const { catalog: of, version, by } = inputOf(row)
    const at = now().toISOString()
    const scope: EditScope = { workspace: row.workspace, brand: row.brand, catalog: of, by }
    const edit = (
      id: string,
      sid: string,
      { cells, ...more }: Pick<BronzeRecord, 'cells'> & Partial<BronzeRecord>,
    ) => ({
      ...editRecord(scope, id, sid, cells, { from: { catalog: of, version, product: id }, ...more }),
      at,
    })
    const back = page.flatMap(({ was, refined }) => (was && !refined && was.family !== null ? [was.family] : []))
    const parents = back.length === 0 ? [] : await goneParents(pool, of, [...new Set(back)])
    const records = parents.map((parent): BronzeRecord => {
      const cells = { ...editCells(parent.refined, 'parent', mergeFields), ...revival(parent.layers).cells }
      return edit(parent.id, parent.sid, { ...revival(parent.layers), kind: 'parent', family: parent.id, cells })
    })
    for (const { id, was, refined, kind, family, sid, layers, same } of page) {
      if (same || sid === null) continue
      if (was === null) {
        if (refined)
          records.push(edit(id, sid, { kind: kind ?? 'single', cells: { deleted: notInVersion(version, at) } }))
        continue
      }
      const place = { kind: was.kind, ...(was.family === null ? {} : { family: was.family }) }
      if (refined === null) {
        const back = revival(layers)
        const cells = { ...editCells(was.product, was.kind, mergeFields), ...back.cells }
        records.push(edit(id, sid, { ...back, ...place, cells }))
        continue
      }
      const fields = differing(refined, was.product)
      const moved = kind !== was.kind || family !== was.family
      if (fields.length === 0 && !moved) continue
      const cells = editCells(was.product, was.kind, fields)
      records.push(edit(id, sid, { ...place, ...(moved ? { regroups: true } : {}), cells }))
    }
    return records
  }

  return { start, run }
}

const inputOf = (row: JobRow) => row.input as unknown as Input
