/** Merges catalogs as jobs: a plan, which waits where sides contradict each other, and the edits that carry it out (DESIGN 5.6). */
import { randomUUID } from 'node:crypto'
import { topics } from '../../schemas/topics.ts'
import { insertIdentities } from '../catalog/forks.ts'
import { identities as identityTable } from '../catalog/identities.ts'
import { completeJob, findJob, insertJob, type JobRow, moveJob, type Notify, startJob } from '../catalog/job-table.ts'
import { mergedPlaces } from '../catalog/merge-groups.ts'
import { insertItems, itemPage, moveBases, type PlannedItem, refusedSince, targetRows } from '../catalog/merge-items.ts'
import {
  type Applied,
  beginApply,
  type Choice,
  endMerge,
  findMerge,
  insertMerge,
  type MergeRow,
  readyMerge,
  resolveConflicts,
} from '../catalog/merges.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { type PlanPlace, planPage } from './merge-plan.ts'
import { actionOf, changesGroup, groupSaid, headRecords, identifiersIn, mergeRecord, withSku } from './merge-records.ts'
import { grantSkus, releaseSkus, skuWishes, takeSkus } from './merge-skus.ts'

export interface MergeOrder {
  readonly workspace: string
  readonly brand: string
  readonly target: string
  readonly source: string
  readonly fork: string
  readonly dryRun: boolean
  readonly choices: readonly Choice[]
  readonly by: string
  readonly notify?: Notify | null
}

export interface Merging {
  start(order: MergeOrder): Promise<{ job: string; merge: string }>
  /** @returns false where it does not wait for choices */
  resolve(merge: string, choices: readonly Choice[]): Promise<boolean>
  /** @returns the job; null where it waits for choices, or is applied or being applied */
  apply(merge: MergeRow, by: string, notify: Notify | null): Promise<string | null>
  readonly run: JobHandler
}

const pageRows = 500

/** `ends` is how long the log was before the first edit: what was refused since is ours. */
type Place =
  | PlanPlace
  | { readonly phase: 'appending'; readonly after: string | null; readonly ends: readonly number[] }
  | {
      readonly phase: 'settling'
      readonly after: string | null
      readonly ends: readonly number[]
      readonly counts: Applied
    }
  | { readonly phase: 'ended' }

const nothingYet: Applied = { edited: 0, created: 0, deleted: 0, refused: 0 }

export function openMerging({
  catalog,
  log,
  bulk,
  jobs,
  now,
}: {
  catalog: Catalog
  log: Log
  bulk: BulkWriter
  jobs: () => Jobs | null
  now: () => Date
}): Merging {
  const pool = catalog.pipeline
  const identities = identityTable(pool)

  const send: (
    m: Pick<MergeRow, 'id' | 'workspace' | 'brand' | 'target'>,
    { by, notify }: { by: string; notify?: Notify | null },
    before: (tx: Tx) => Promise<boolean>,
  ) => Promise<string | null> = (m, { by, notify }, before) =>
    catalog.inTransaction(pool, async (tx) => {
      const queue = jobs()
      if (!queue) throw new Error('this process has no job queue')
      if (!(await before(tx))) return null
      const { workspace, brand, target } = m
      const job = randomUUID()
      await insertJob(tx, {
        id: job,
        workspace,
        brand,
        catalog: target,
        kind: 'merge',
        input: { merge: m.id, by },
        by,
        notify,
      })
      await queue.send('merge', job, tx)
      return job
    })

  async function run(id: string, signal: AbortSignal) {
    if (!(await startJob(pool, id))) return
    // What is on the log already is part of the states that are merged.
    await bulk.settled(signal)
    for (;;) {
      signal.throwIfAborted()
      const row = await findJob(pool, id)
      const m = row && (await findMerge(pool, inputOf(row).merge))
      if (!row || !m) return
      const at =
        (row.cursor as Place | null) ?? (m.state === 'planning' ? { phase: 'mapped', after: null } : await beginning())
      if (at.phase === 'ended') return completeJob(pool, id, await resultOf(m))
      if (at.phase === 'planned') await planned(row, m)
      else if (at.phase === 'appending') await append(row, m, at, signal)
      else if (at.phase === 'settling') await settle(row, m, at, signal)
      else await plan(row, m, at)
    }
  }

  const beginning = async (): Promise<Place> => ({
    phase: 'appending',
    after: null,
    ends: await log.ends(topics.bronze),
  })

  /** One transaction, so that of two that run the same job one writes the page. */
  const moving = (row: JobRow, to: Place, seen: number, work: (tx: Tx) => Promise<void>) =>
    catalog.inTransaction(pool, async (tx) => {
      if (!(await moveJob(tx, row.id, { from: row.cursor, to, done: row.done + seen, total: null })))
        throw new Error('this job has ended, or is run by another process')
      await work(tx)
    })

  async function plan(row: JobRow, m: MergeRow, at: PlanPlace) {
    const { next, items, seen } = await planPage(pool, identities, m, at)
    await moving(row, next, seen, async (tx) => {
      if (items.length > 0) await insertItems(tx, m, items)
    })
  }

  /** Goes on at once where nobody has to choose and nobody asked to see it first. */
  async function planned(row: JobRow, m: MergeRow) {
    const start = await beginning()
    await catalog.inTransaction(pool, async (tx) => {
      await readyMerge(tx, m.id)
      const goesOn = !m.dryRun && (await beginApply(tx, m.id))
      const to: Place = goesOn ? start : { phase: 'ended' }
      if (!(await moveJob(tx, row.id, { from: row.cursor, to, done: row.done, total: null })))
        throw new Error('this job has ended, or is run by another process')
    })
  }

  async function append(row: JobRow, m: MergeRow, at: Extract<Place, { phase: 'appending' }>, signal: AbortSignal) {
    const items = await itemPage(pool, m.id, at.after, pageRows)
    const there = await targetRows(
      pool,
      m.target,
      items.filter((i) => actionOf(i) === 'create').map(({ product }) => product),
    )
    const time = now().toISOString()
    const { by } = inputOf(row)
    const places = await mergedPlaces(
      pool,
      m,
      items.filter(changesGroup).map(({ product }) => product),
    )
    const placeOf = new Map(places.map((place) => [place.product, groupSaid(place)]))
    const plain = items.flatMap((item) => {
      const record = mergeRecord(m, item, there.get(item.product), by, time)
      return record ? { ...record, ...placeOf.get(item.product) } : []
    })
    const wishes = await skuWishes(pool, m, items, there)
    // A SKU is free where nobody has it, those on the log among them.
    if (wishes.size > 0) await bulk.settled(signal)
    const grants = await grantSkus(pool, identities, m, wishes)
    await insertIdentities(
      pool,
      m.target,
      plain.flatMap((record) => identifiersIn(record, !wishes.has(record.product))),
    )
    const heads = headRecords(m, places, by, time)
    const records = async (tx: Tx) => {
      const has = await takeSkus(tx, identities, m.target, grants)
      const own = plain.flatMap((record) =>
        wishes.has(record.product) ? withSku(record, has.has(record.product), there.has(record.product)) : record,
      )
      return [...own, ...heads]
    }
    const last = items.at(-1)
    const cursor: Place = last
      ? { ...at, after: last.product }
      : { phase: 'settling', after: null, ends: at.ends, counts: nothingYet }
    await bulk.step(row.id, row.cursor, { records, cursor, done: row.done + items.length, total: null }, signal)
  }

  /** Only what came to be is the base of the next merge: what was edited meanwhile comes up again. */
  async function settle(row: JobRow, m: MergeRow, at: Extract<Place, { phase: 'settling' }>, signal: AbortSignal) {
    if (at.after === null) await bulk.settled(signal)
    const items = await itemPage(pool, m.id, at.after, pageRows)
    await releaseSkus(catalog, identities, m, items)
    const refused = await refusedSince(
      pool,
      log.epoch,
      at.ends,
      items.map(({ product }) => product),
    )
    const done = items.filter(({ product }) => !refused.has(product))
    const counts = counted(at.counts, items, done)
    const last = items.at(-1)
    const to: Place = last ? { ...at, after: last.product, counts } : { phase: 'ended' }
    await moving(row, to, 0, async (tx) => {
      await moveBases(tx, m, done)
      if (!last) await endMerge(tx, m.id, counts)
    })
  }

  const resultOf = async ({ id }: MergeRow) => {
    const m = await findMerge(pool, id)
    if (!m) throw new Error(`merge ${id} is gone`)
    const { state, edited, created, deleted, refused, conflicts, unresolved } = m
    return { mergeId: id, state, edited, created, deleted, refused, conflicts, unresolved }
  }

  return {
    async start(order) {
      const merge = { ...order, id: randomUUID() }
      const job = await send(merge, order, async (tx) => {
        await insertMerge(tx, merge)
        return true
      })
      if (job === null) throw new Error('the merge was not begun')
      return { job, merge: merge.id }
    },
    resolve: (merge, choices) => catalog.inTransaction(pool, (tx) => resolveConflicts(tx, merge, choices)),
    apply: (m, by, notify) => send(m, { by, notify }, (tx) => beginApply(tx, m.id)),
    run,
  }
}

type Tx = Parameters<typeof moveJob>[0]

const inputOf = (row: JobRow) => row.input as unknown as { merge: string; by: string }

function counted(before: Applied, items: readonly PlannedItem[], done: readonly PlannedItem[]): Applied {
  const of = (action: PlannedItem['action']) => done.filter((item) => actionOf(item) === action).length
  return {
    edited: before.edited + of('edit'),
    created: before.created + of('create'),
    deleted: before.deleted + of('delete'),
    refused: before.refused + items.length - done.length,
  }
}
