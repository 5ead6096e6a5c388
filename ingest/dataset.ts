/** One import from its spooled file to records on the log, with a result for every row; resumable at any point. */
import type { Pool, PoolClient } from 'pg'
import type { Identities } from '../infra/catalog/identities.ts'
import type { ImportOffsets, ImportRow, Outcome, OutcomeKey, RowNote } from '../infra/catalog/imports.ts'
import type { Log, OffsetRange } from '../infra/log/port.ts'
import type { BronzeRecord, ImportContext, SilverSettings } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import { topics } from '../schemas/topics.ts'
import type { StoredProduct } from '../transforms/ports.ts'
import { type Candidate, type Item, isFault } from './candidate.ts'
import { openReading, type Reading } from './context.ts'
import { type Gathering, gatherFamilies, gatherFlat } from './gather.ts'
import { dryFold, type GuardResult, guardIsNeeded } from './guard.ts'
import { kinds, unit, valueHash } from './identifiers.ts'
import { type Asked, type Found, resolve } from './identity.ts'
import { openTable, type Table } from './readers/table.ts'
import { recordOf } from './record.ts'
import { openScratch, type Scratch } from './scratch.ts'
import { type Facts, openFacts, type Verdict, type Verdicts } from './verdicts.ts'

/** What an import needs of the catalog; every function takes the import's own checked ids. */
export interface ImportStore {
  find(id: string): Promise<ImportRow | null>
  set(
    client: PoolClient | null,
    id: string,
    set: {
      state?: string
      context?: number
      read?: number
      guard?: unknown
      appendedSeq?: number
      offsets?: ImportOffsets
    },
  ): Promise<void>
  insertContext(i: ImportRow, body: Omit<ImportContext, 'id'>): Promise<number>
  context(id: number): Promise<ImportContext>
  settings(workspace: string): Promise<SilverSettings>
  load(catalog: string, products: readonly string[]): Promise<Map<string, StoredProduct>>
  productCount(catalog: string): Promise<number>
  lastRows(catalog: string, source: string): Promise<number | null>
  saveSource(i: ImportRow, header: readonly string[], rows: number): Promise<void>
  insertOutcome(tx: PoolClient, key: OutcomeKey, outcome: Outcome): Promise<void>
  insertNotes(
    tx: PoolClient,
    scope: { importId: string; workspace: string; brand: string },
    notes: readonly RowNote[],
  ): Promise<void>
  sumOutcomes(id: string): Promise<Outcome>
  /** Next offset of the sink, by partition. */
  positions(): Promise<readonly number[]>
}

export interface ImportPorts {
  readonly store: ImportStore
  readonly identities: Identities
  readonly log: Log
  readonly pool: Pool
  readonly inTransaction: <T>(pool: Pool, work: (tx: PoolClient) => Promise<T>) => Promise<T>
  readonly isUniqueViolation: (error: unknown) => boolean
  readonly scratchPath: (importId: string) => string
  readonly pause: (ms: number) => Promise<void>
  readonly now: () => Date
  readonly digest: (text: string) => string
}

export interface ImportResult extends Outcome {
  readonly read: number
  readonly records: number
}

/** Told now and then: rows with a result so far, and rows in all once they are known. */
export type Progress = (done: number, total: number | null) => Promise<void>

/** Items of one append: one transaction with identities, results and the log. */
const batchItems = 8_000
/** Bulk writers keep this many records unread a partition, so that an edit behind them waits two or three seconds. */
const aheadRecords = 20_000

/** @throws TableError where the file as a whole cannot be read: nothing of it has been appended */
export async function runImport(
  id: string,
  ports: ImportPorts,
  signal: AbortSignal,
  progress: Progress,
): Promise<ImportResult> {
  const found = await ports.store.find(id)
  if (!found) throw new Error(`import ${id} is gone`)
  const scratch = await openScratch(ports.scratchPath(id))
  try {
    const run = await passOne(found, ports, scratch, progress)
    await passTwo(run, ports, signal, progress)
    return await settle(run, ports, signal, progress)
  } finally {
    await scratch.close()
  }
}

interface Run {
  readonly row: ImportRow
  readonly context: ImportContext
  readonly header: readonly string[]
  readonly gathering: Gathering
  readonly verdicts: Verdicts
  readonly read: number
  readonly empty: boolean
}

async function passOne(row: ImportRow, ports: ImportPorts, scratch: Scratch, progress: Progress): Promise<Run> {
  const { store } = ports
  await store.set(null, row.id, { state: 'reading' })
  const table = await openTable(row.spool, row.options.kind ? { kind: row.options.kind } : {})
  const settings = await store.settings(row.workspace)
  const reading = openReading(table.header, row.source, settings, (row.options.map ?? {}) as Record<string, Field>)
  let read = 0
  const see = (rows: readonly { cells: Parameters<Reading['see']>[0]; fault?: unknown }[]) => {
    for (const { cells, fault } of rows) if (!fault) reading.see(cells)
    read += rows.length
  }
  const draft = { ...contextBody(row, table, reading), id: 0 }
  const facts = await openFacts(scratch)
  const gathering = reading.rule
    ? await gatherFamilies(table, draft, reading.rule, row.source, scratch, see)
    : gatherFlat(table, draft)
  for await (const items of reading.rule ? gathering.items() : gathering.items(see))
    for (const item of items) if (!isFault(item)) facts.add(item)
  await store.set(null, row.id, { read })
  await progress(0, read)

  const body = { ...contextBody(row, table, reading), ...reading.evidence() }
  const context =
    row.context === null ? { ...body, id: await store.insertContext(row, body) } : await store.context(row.context)
  if (row.context === null) await store.set(null, row.id, { context: context.id })
  const empty = row.appendedSeq < 0 && (await ports.identities.isEmpty(row.catalog))
  let verdicts = await facts.judge()
  if (!empty) {
    const guard = await lookAhead(row, ports, context, settings, gathering, verdicts, facts, read)
    if (guard && row.appendedSeq < 0) await store.set(null, row.id, { guard })
    if (await facts.meet()) verdicts = await facts.judge()
  }
  return { row, context, header: table.header, gathering, verdicts, read, empty }
}

const contextBody = (row: ImportRow, table: Table, reading: Reading): Omit<ImportContext, 'id'> => ({
  platform: reading.platform,
  header: table.header,
  mapping: reading.mapping,
  numbers: {},
  currencies: {},
  notes: [...table.notes, ...(row.options.sourceReason ? [row.options.sourceReason] : [])],
})

/**
 * Looks every product up without inserting, so that two rows which the catalog knows as one product are told apart from two
 * products; where the guard is needed the same look folds each record without writing.
 */
async function lookAhead(
  row: ImportRow,
  ports: ImportPorts,
  context: ImportContext,
  settings: SilverSettings,
  gathering: Gathering,
  verdicts: Verdicts,
  facts: Facts,
  read: number,
): Promise<GuardResult | null> {
  const guard = await guardIsNeeded(row, ports.store, read)
  const result: GuardResult = { created: 0, updated: 0, unchanged: 0 }
  for await (const batch of withVerdicts(gathering, verdicts, -1)) {
    const asked = batch.flatMap(({ item, verdict }): Asked[] =>
      isFault(item) || (verdict && verdict.verdict !== 'win')
        ? []
        : [{ candidate: item, shared: verdict?.shared ?? null }],
    )
    const { found } = await resolve(asked, row, ports.identities, false)
    for (const { candidate, product, fresh } of found) {
      if (product === null || fresh) continue
      facts.resolve(candidate.seq, product)
    }
    if (guard) await dryFold(found, row, context, settings, ports, result)
  }
  return guard ? result : null
}

interface Judged {
  readonly item: Item
  readonly verdict: Verdict | null
}

/** Items after `after` with their verdicts, in batches of the size that is appended at once. */
async function* withVerdicts(gathering: Gathering, verdicts: Verdicts, after: number): AsyncGenerator<Judged[]> {
  const exceptions = flatten(verdicts.exceptions())
  let next = await exceptions.next()
  let batch: Judged[] = []
  for await (const items of gathering.items()) {
    for (const item of items) {
      while (!next.done && next.value.seq < item.seq) next = await exceptions.next()
      if (item.seq <= after) continue
      batch.push({ item, verdict: !next.done && next.value.seq === item.seq ? next.value : null })
      if (batch.length >= batchItems) {
        yield batch
        batch = []
      }
    }
  }
  if (batch.length > 0) yield batch
}

async function* flatten<T>(batches: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}

async function passTwo(run: Run, ports: ImportPorts, signal: AbortSignal, progress: Progress) {
  const { row, gathering, verdicts } = run
  await ports.store.set(null, row.id, { state: 'appending' })
  let offsets = row.offsets
  const parents = new Map<string, string>()
  const cased = row.appendedSeq < 0 ? await verdicts.caseOnly() : []
  let first = true
  for await (const batch of withVerdicts(gathering, verdicts, row.appendedSeq)) {
    signal.throwIfAborted()
    await keepPace(ports, signal)
    offsets = await appendBatch(run, ports, batch, offsets, parents, first ? cased : [])
    first = false
    await progress(await settled(ports, row.id), run.read)
  }
}

async function keepPace({ log, store, pause }: ImportPorts, signal: AbortSignal) {
  for (;;) {
    const [ends, positions] = await Promise.all([log.ends(topics.bronze), store.positions()])
    if (ends.every((end, i) => end - (positions[i] ?? 0) <= aheadRecords)) return
    signal.throwIfAborted()
    await pause(50)
  }
}

const settled = async (ports: ImportPorts, id: string) => {
  const o = await ports.store.sumOutcomes(id)
  return o.created + o.updated + o.unchanged + o.duplicate + o.rejected
}

/** One transaction: identities, the reader's own results, the records and how far the import has come. */
async function appendBatch(
  run: Run,
  ports: ImportPorts,
  batch: readonly Judged[],
  offsets: ImportOffsets | null,
  parents: Map<string, string>,
  cased: readonly { sku: string; other: string; row: number }[],
): Promise<ImportOffsets | null> {
  const { row, context } = run
  const { store, identities, log } = ports
  const own = readerResults(batch)
  for (const { sku, other, row: at } of cased) {
    const says = `SKU "${sku}" differs from "${other}" of this file only by case; they are kept as two products`
    own.notes.push({
      row: at,
      ordinal: 1,
      result: 'warning',
      code: 'sku_case',
      says,
      field: 'sku',
      column: null,
      raw: sku,
    })
    own.outcome.warnings.sku_case = (own.outcome.warnings.sku_case ?? 0) + 1
  }
  const first = batch[0]?.item.seq ?? 0
  const last = batch.at(-1)?.item.seq ?? 0
  for (let empty = run.empty; ; empty = false) {
    const resolution = await resolve(own.asked, row, identities, empty)
    const outcome = { ...own.outcome, warnings: own.outcome.warnings }
    const notes = [...own.notes]
    const records: BronzeRecord[] = []
    const at = ports.now().toISOString()
    for (const found of resolution.found) {
      if (found.product === null) {
        outcome.rejected += found.candidate.rows.length
        notes.push(...ambiguous(found.candidate))
        continue
      }
      records.push(recordOf(found, row, context.id, await parentOf(found, row, identities, parents), at))
    }
    try {
      return await ports.inTransaction(ports.pool, async (tx) => {
        await identities.insert(tx, row.catalog, resolution.insert)
        await identities.share(tx, row.catalog, resolution.share)
        await identities.gain(tx, row.catalog, resolution.gain)
        const key = {
          importId: row.id,
          epoch: log.epoch,
          partition: -1,
          firstSeq: first,
          workspace: row.workspace,
          brand: row.brand,
        }
        await store.insertOutcome(tx, key, outcome)
        await store.insertNotes(tx, key, notes)
        const ranges = await log.append(
          topics.bronze,
          records.map((r) => ({ key: r.product, value: JSON.stringify(r) })),
          tx,
        )
        const moved = extend(offsets, ranges, log)
        await store.set(tx, row.id, { appendedSeq: last, offsets: moved })
        return moved
      })
    } catch (error) {
      // Someone else registered one of these identifiers meanwhile: look again and repeat.
      if (!ports.isUniqueViolation(error)) throw error
    }
  }
}

/** The family's product: its parent comes first in the order, or was appended before a restart. */
async function parentOf(
  { candidate, product }: Found,
  row: ImportRow,
  identities: Identities,
  parents: Map<string, string>,
): Promise<string | null> {
  const family = candidate.ids.family
  if (candidate.kind === 'single' || family === null || product === null) return null
  if (candidate.kind === 'parent') {
    parents.clear()
    parents.set(family, product)
    return product
  }
  const known = parents.get(family)
  if (known) return known
  const wanted = { kind: kinds.family, hash: valueHash(kinds.family, `${family}${unit}parent`) }
  const [holder] = await identities.find(row.catalog, [wanted])
  if (holder) parents.set(family, holder.product)
  return holder?.product ?? null
}

function extend(offsets: ImportOffsets | null, ranges: readonly OffsetRange[], log: Log): ImportOffsets {
  const none = Array.from({ length: log.partitions }, () => null)
  const from: (number | null)[] = [...(offsets?.from ?? none)]
  const to: (number | null)[] = [...(offsets?.to ?? none)]
  for (const range of ranges) {
    from[range.partition] ??= range.from
    to[range.partition] = range.to
  }
  return { epoch: log.epoch, from, to }
}

interface ReaderResults {
  readonly asked: Asked[]
  readonly outcome: {
    created: 0
    updated: 0
    unchanged: 0
    duplicate: number
    rejected: number
    warnings: Record<string, number>
  }
  readonly notes: RowNote[]
}

/** What the reader decides by itself: rows that are no record, duplicates and conflicts within the file. */
function readerResults(batch: readonly Judged[]): ReaderResults {
  const asked: Asked[] = []
  const notes: RowNote[] = []
  const outcome: ReaderResults['outcome'] = {
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicate: 0,
    rejected: 0,
    warnings: {},
  }
  for (const { item, verdict } of batch) {
    if (isFault(item)) {
      outcome.rejected++
      notes.push(note(item.row, 'rejected', item.code, item.says))
    } else if (!verdict || verdict.verdict === 'win') {
      asked.push({ candidate: item, shared: verdict?.shared ?? null })
      if (verdict?.shared.sku) {
        outcome.warnings.sku_shared = (outcome.warnings.sku_shared ?? 0) + 1
        const says = `SKU "${item.ids.sku}" stands on several options of one family; the options tell these rows apart`
        for (const row of item.rows.slice(0, 1))
          notes.push({ ...note(row, 'warning', 'sku_shared', says), raw: item.ids.sku })
      }
    } else if (verdict.verdict === 'duplicate') {
      outcome.duplicate += item.rows.length
      for (const row of item.rows) notes.push(note(row, 'duplicate', 'duplicate', `repeats row ${verdict.winnerRow}`))
    } else {
      outcome.rejected += item.rows.length
      if (verdict.verdict === 'ambiguous_identity') notes.push(...ambiguous(item))
      else {
        const says = `another row of this file, row ${verdict.winnerRow}, is the same product with other values; the last one counts`
        for (const row of item.rows) notes.push(note(row, 'rejected', 'id_conflict', says))
      }
    }
  }
  return { asked, outcome, notes }
}

const note = (row: number, result: string, code: string, says: string): RowNote => ({
  row,
  ordinal: 0,
  result,
  code,
  says,
  field: null,
  column: null,
  raw: null,
})

const ambiguous = (candidate: Candidate) =>
  candidate.rows.map((row) =>
    note(
      row,
      'rejected',
      'ambiguous_identity',
      'every identifier of this row stands on several products; give it a SKU of its own',
    ),
  )

/** Waits until the sink has passed the import's last offset in every partition. */
async function settle(run: Run, ports: ImportPorts, signal: AbortSignal, progress: Progress): Promise<ImportResult> {
  const { row, read } = run
  await ports.store.set(null, row.id, { state: 'settling' })
  const latest = await ports.store.find(row.id)
  const to = latest?.offsets?.to ?? []
  for (;;) {
    const positions = await ports.store.positions()
    if (to.every((end, i) => end === null || (positions[i] ?? 0) >= end)) break
    signal.throwIfAborted()
    await progress(await settled(ports, row.id), read)
    await ports.pause(50)
  }
  const outcome = await ports.store.sumOutcomes(row.id)
  const sum = outcome.created + outcome.updated + outcome.unchanged + outcome.duplicate + outcome.rejected
  if (sum !== read) throw new Error(`the ledger does not balance: ${read} rows read, ${sum} with a result`)
  await ports.store.saveSource(row, run.header, read)
  await progress(read, read)
  return { read, records: (latest?.appendedSeq ?? -1) + 1, ...outcome }
}
