/** Verifies a catalog as a job: a sample of it or all, page by page, with the first differences in the job's result. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { distinctHoles, type Hole } from '../../schemas/log-incomplete.ts'
import { type VerifyStep, verifySteps } from '../../transforms/verify/first-difference.ts'
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
import { countRows, idsBetween, idsWithoutRow, idsWithRow } from '../catalog/verify-queries.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import type { EndCancelled } from './cancellable.ts'
import { type DifferenceExample, exampleOf } from './difference-example.ts'
import type { Rebuilder, Rebuilt } from './rebuilder.ts'
import type { Differing, Verified, Verifier } from './verifier.ts'

export interface VerifyOrder {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  /** So many products; null: all. */
  readonly sample: number | null
  readonly by: string
  readonly notify?: Notify | null
}

export interface Verifying {
  start(order: VerifyOrder): Promise<string>
  readonly run: JobHandler
  readonly end: EndCancelled
}

interface Tally {
  readonly compared: number
  readonly equal: number
  readonly stale: number
  readonly differing: number
  /** Not compared: the log has lost records that may have been of them. */
  readonly unsure: number
  /** Where it lost these. */
  readonly holes: readonly Hole[]
  readonly differingAt: Readonly<Record<VerifyStep, number>>
  readonly examples: readonly DifferenceExample[]
  /** Of those that differ: so many have no row, though the log has what makes one. Asked where all are. */
  readonly lost: number
  readonly lostProducts: readonly string[]
}

interface Cursor extends Tally {
  /** A sample goes on from the first id when it has come to the last. */
  readonly turned: boolean
  readonly after: string | null
  /** Rows are done, and this is the last product that was looked for without one. */
  readonly lookedTo?: string
}

interface Input {
  readonly catalog: string
  readonly sample: number | null
  /** Where a sample begins. Ids are hashes of what identifies a product, so those that follow are any products. */
  readonly from: string | null
}

/** One pass over the log each. */
const pageRows = 20_000
const pageLost = 1_000
const mostExamples = 100
const progressEveryMs = 500

export function openVerifying(parts: {
  catalog: Catalog
  log: Pick<Log, 'epoch' | 'partitionOf'>
  verifier: Verifier
  rebuilder: Pick<Rebuilder, 'missing'>
  jobs: () => Jobs | null
}): Verifying {
  const { catalog, log, verifier, rebuilder, jobs } = parts
  const pool = catalog.pipeline

  async function start({ notify, workspace, brand, catalog: of, sample, by }: VerifyOrder): Promise<string> {
    const id = randomUUID()
    const input: Input = { catalog: of, sample, from: sample === null ? null : randomUUID() }
    await catalog.inTransaction(pool, async (tx) => {
      const queue = jobs()
      if (!queue) throw new Error('this process has no job queue')
      await insertJob(tx, { id, workspace, brand, catalog: of, kind: 'verify', input, by, notify })
      await queue.send('verify', id, tx)
    })
    return id
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    if (!(await startJob(pool, id))) return
    const job = await findJob(pool, id)
    if (!job) return
    const { catalog: of, sample, from } = inputOf(job)
    const rows = await countRows(pool, of)
    const total = sample === null ? rows : Math.min(sample, rows)
    let cursor = (job.cursor as Cursor | null) ?? null
    while (cursor?.lookedTo === undefined) {
      signal.throwIfAborted()
      const at = cursor ?? { ...nothing, after: from, turned: from === null }
      const left = sample === null ? pageRows : Math.min(pageRows, sample - at.compared)
      const upTo = at.turned ? from : null
      const ids = left > 0 ? await idsBetween(pool, of, { after: at.after, upTo }, left) : []
      const to: Cursor =
        ids.length > 0
          ? { ...(await page(job, ids, at, total, signal)), after: ids.at(-1) ?? at.after, turned: at.turned }
          : { ...at, after: null, turned: true, ...(at.turned || left <= 0 ? { lookedTo: beforeAll } : {}) }
      await move(id, cursor, to, total)
      cursor = to
    }
    if (sample === null) cursor = await findLost(job, cursor, total, signal)
    await completeJob(pool, id, { catalogId: of, sample, ...tallyOf(cursor) })
  }

  /** Behind the rows: a sample of these tells nothing of products that have none. */
  async function findLost(job: JobRow, from: Cursor, total: number, signal: AbortSignal): Promise<Cursor> {
    const { catalog: of } = inputOf(job)
    let cursor = from
    for (;;) {
      const ids = await idsWithoutRow(pool, of, cursor.lookedTo ?? beforeAll, pageLost)
      const last = ids.at(-1)
      if (last === undefined) return cursor
      const { lost, holes } = await lostOf(job, ids, signal)
      const to: Cursor = { ...withUnsure(withLost(cursor, lost), holes), lookedTo: last }
      await move(job.id, cursor, to, Math.max(total, to.compared))
      cursor = to
    }
  }

  /** Of products without a row, those of which the log says what would make one. */
  async function lostOf(job: JobRow, ids: readonly string[], signal: AbortSignal) {
    const { catalog: of } = inputOf(job)
    const seen: Rebuilt[] = []
    await rebuilder.missing(job.workspace, ids, async (some) => {
      signal.throwIfAborted()
      seen.push(...some.filter(({ found }) => found !== 'equal'))
    })
    // The sink may have made it meanwhile.
    const made = seen.length > 0 ? await idsWithRow(pool, of, idsOf(seen)) : new Set<string>()
    const missing = seen.filter(({ id }) => !made.has(id))
    return { lost: idsOf(missing.filter(({ hole }) => !hole)), holes: missing.flatMap(({ hole }) => hole ?? []) }
  }

  async function page(job: JobRow, ids: readonly string[], from: Tally, total: number, signal: AbortSignal) {
    let tally = from
    let began = performance.now()
    let told = began
    await verifier.verify(inputOf(job).catalog, ids, async (some) => {
      signal.throwIfAborted()
      tally = withSome(tally, some)
      const now = performance.now()
      if (now - told > progressEveryMs) {
        told = now
        await jobProgress(pool, job.id, tally.compared, total)
      }
      // The machine is others' for half as long as this took.
      await sleep((now - began) / 2, undefined, { signal })
      began = performance.now()
    })
    return tally
  }

  const withSome = (tally: Tally, some: readonly Verified[]): Tally => {
    const differing = some.filter((one): one is Differing => typeof one.verdict !== 'string')
    const holes = some.flatMap(({ hole }) => hole ?? [])
    const count = (verdict: string) => some.filter((one) => one.verdict === verdict).length
    const stepped = verifySteps.map((step): [VerifyStep, number] => [
      step,
      tally.differingAt[step] + differing.filter(({ verdict }) => verdict.step === step).length,
    ])
    const shown = differing.slice(0, mostExamples - tally.examples.length)
    return {
      ...withUnsure(tally, holes),
      compared: tally.compared + some.length,
      equal: tally.equal + count('equal'),
      stale: tally.stale + count('stale'),
      differing: tally.differing + differing.length,
      differingAt: Object.fromEntries(stepped) as Record<VerifyStep, number>,
      examples: [...tally.examples, ...shown.map((one) => exampleOf(one, log))],
    }
  }

  /** @param holes one for each product that cannot be told of */
  const withUnsure = <T extends Tally>(tally: T, holes: readonly Hole[]): T => {
    // One that began before this was counted has none of it.
    const before = { ...nothing, ...tally }
    return { ...tally, unsure: before.unsure + holes.length, holes: distinctHoles([...before.holes, ...holes]) }
  }

  const withLost = (tally: Cursor, lost: readonly string[]): Cursor => ({
    ...tally,
    compared: tally.compared + lost.length,
    differing: tally.differing + lost.length,
    lost: tally.lost + lost.length,
    lostProducts: [...tally.lostProducts, ...lost].slice(0, mostExamples),
  })

  async function move(job: string, from: Cursor | null, to: Cursor, total: number): Promise<void> {
    const moved = await catalog.inTransaction(pool, (tx) => moveJob(tx, job, { from, to, done: to.compared, total }))
    if (!moved) throw new Error('this job has ended, or is run by another process')
  }

  return {
    start,
    run,
    async end(id) {
      const cursor = (await findJob(pool, id))?.cursor as Cursor | null | undefined
      const tally = tallyOf(cursor ?? null)
      const says = `It was cancelled after ${tally.compared} products, of which ${tally.differing} differ.`
      await failJob(pool, id, 'cancelled', says, tally)
    },
  }
}

const nothing: Tally = {
  compared: 0,
  equal: 0,
  stale: 0,
  differing: 0,
  unsure: 0,
  holes: [],
  differingAt: { merge: 0, silver: 0, gold: 0 },
  examples: [],
  lost: 0,
  lostProducts: [],
}

const beforeAll = '00000000-0000-0000-0000-000000000000'

/** A job that began before a count was known has none of it. */
function tallyOf(cursor: Cursor | null): Tally {
  const { after, turned, lookedTo, ...tally } = { after: null, turned: false, ...nothing, ...cursor }
  return tally
}

const idsOf = (some: readonly Rebuilt[]) => some.map(({ id }) => id)

const inputOf = (job: JobRow) => job.input as unknown as Input
