/** Redrives dead letters as a job: at a rate, each at its original position, or as a dry run that tells what it would do. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeadKind } from '../../schemas/dead-letter.ts'
import { topics } from '../../schemas/topics.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { insertAudit } from '../catalog/audit.ts'
import {
  countTries,
  type DeadFilter,
  type DeadLetterRow,
  type DeadScope,
  measureDead,
  nextDead,
} from '../catalog/dead-letters.ts'
import { completeJob, findJob, insertJob, moveJob, type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { noteTry } from '../catalog/write-redriven.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { InboundLog } from '../log/inbound-log.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { inboundPorts } from './inbound-ports.ts'
import { letterRecords } from './letter-records.ts'
import { openTrial, type Trial } from './redrive-trial.ts'

export interface RedriveOrder extends DeadScope {
  /** Of the job. */
  readonly brand: string
  readonly filter: DeadFilter
  /** Letters a second. */
  readonly rate: number
  readonly dryRun: boolean
  readonly by: string
  readonly requestId: string
  readonly notify: Notify | null
}

export interface Redriving {
  start(order: RedriveOrder): Promise<string>
  readonly run: JobHandler
}

interface Input extends DeadScope {
  readonly filter: DeadFilter
  readonly rate: number
  readonly dryRun: boolean
  /** The last letter that there was when it was asked for: what dies anew is not met again. */
  readonly upTo: number
  readonly matched: number
}

interface Cursor {
  readonly after: number
  readonly taken: number
  /** Of a dry run. */
  readonly trial: Trial | null
}

const pageLetters = 500

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly inbound: Pick<InboundLog, 'lookUp'>
  readonly bulk: BulkWriter
  readonly digest: (text: string) => string
  readonly taxonomy?: KnownCategories | undefined
  readonly jobs: () => Jobs | null
  readonly now: () => Date
}

export function openRedriving({ catalog, log, inbound, bulk, digest, taxonomy, jobs, now }: Parts): Redriving {
  const pool = catalog.pipeline
  const tryOut = openTrial({ catalog, log, digest, taxonomy })
  const parts = { log, inbound, resolve: inboundPorts(catalog, log) }
  // Which product a message is, is found and not registered.
  const dry = {
    ...parts,
    resolve: { ...parts.resolve, register: async () => {}, context: async () => 0, remember: () => {} },
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    if (!(await startJob(pool, id))) return
    const job = await findJob(pool, id)
    if (!job) return
    const input = job.input as unknown as Input
    let cursor = job.cursor as Cursor | null
    for (;;) {
      signal.throwIfAborted()
      const began = performance.now()
      const place = { after: cursor?.after ?? 0, upTo: input.upTo }
      const letters = await nextDead(pool, input, input.filter, place, Math.min(pageLetters, input.rate))
      const last = letters.at(-1)
      if (!last) break
      cursor = await page(id, job.by ?? 'assay', input, cursor, letters, last.id, signal)
      const dueMs = (letters.length / input.rate) * 1_000 - (performance.now() - began)
      if (dueMs > 0) await sleep(dueMs, undefined, { signal })
    }
    if (!input.dryRun) await bulk.settled(signal)
    await completeJob(pool, id, await resultOf(id, input, cursor))
  }

  async function page(
    job: string,
    by: string,
    input: Input,
    from: Cursor | null,
    letters: readonly DeadLetterRow[],
    after: number,
    signal: AbortSignal,
  ): Promise<Cursor> {
    const at = now().toISOString()
    const found = await letterRecords(letters, input.dryRun ? dry : parts, { job, by, at })
    const taken = (from?.taken ?? 0) + letters.length
    if (input.dryRun) {
      const to: Cursor = { after, taken, trial: await tryOut(found, from?.trial ?? null) }
      const moved = await catalog.inTransaction(pool, (tx) =>
        moveJob(tx, job, { from, to, done: taken, total: input.matched }),
      )
      if (!moved) throw new Error('this job has ended, or is run by another process')
      return to
    }
    const to: Cursor = { after, taken, trial: null }
    const records = async (tx: Parameters<typeof noteTry>[0]) => {
      const events = []
      for (const { letter, made } of found) {
        if ('as' in made) await noteTry(tx, { letter, job, by, failed: made })
        if ('event' in made && (await noteTry(tx, { letter, job, by, effect: 'created' }))) events.push(made.event)
      }
      if (events.length > 0) await log.append(topics.events, events, tx)
      return found.flatMap(({ made, beside = [] }) => ('as' in made || 'event' in made ? [] : [...beside, made]))
    }
    await bulk.step(job, from, { records, cursor: to, done: taken, total: input.matched }, signal)
    return to
  }

  async function resultOf(job: string, { dryRun, matched }: Input, cursor: Cursor | null) {
    if (dryRun)
      return {
        dryRun,
        matched,
        ...(cursor?.trial ?? { created: 0, updated: 0, unchanged: 0, stillDead: 0, reasons: {}, examples: [] }),
      }
    const tries = await countTries(pool, job)
    const sum = (of: (one: (typeof tries)[number]) => boolean) =>
      tries.filter(of).reduce((total, { count }) => total + count, 0)
    const [created, updated, unchanged] = (['created', 'updated', 'unchanged'] as const).map((effect) =>
      sum((one) => one.effect === effect),
    )
    const stillDead = sum(({ effect }) => effect === null)
    const reasons: Partial<Record<DeadKind, number>> = {}
    for (const { effect, kind, count } of tries) if (effect === null && kind !== null) reasons[kind] = count
    const redriven = sum(({ effect }) => effect !== null)
    return { dryRun, matched, redriven, created, updated, unchanged, stillDead, reasons }
  }

  return {
    run,
    start: ({ workspace, brands, brand, filter, rate, dryRun, by, requestId, notify }) =>
      catalog.inTransaction(pool, async (tx) => {
        const queue = jobs()
        if (!queue) throw new Error('this process has no job queue')
        const id = randomUUID()
        const { count: matched, upTo } = await measureDead(tx, { workspace, brands }, filter)
        const input: Input = { workspace, brands, filter, rate, dryRun, upTo, matched }
        await insertJob(tx, {
          id,
          workspace,
          brand,
          catalog: filter.catalog ?? null,
          kind: 'redrive',
          input,
          by,
          notify,
        })
        if (!dryRun)
          await insertAudit(tx, {
            ...{ workspace, brand, subject: by, requestId, action: 'dead_letters.redrive', target: id },
            ...{ before: null, after: { filter, matched } },
          })
        await queue.send('redrive', id, tx)
        return id
      }),
  }
}
