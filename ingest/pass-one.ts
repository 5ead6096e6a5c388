/** Pass one: what the file's columns mean, which rows are one product, and what the import would change; nothing is written but what it learned. */
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { GuardSeen } from '../schemas/import.ts'
import type { ImportContext } from '../schemas/pipeline.ts'
import type { Field } from '../schemas/product.ts'
import type { PipelineSettings } from '../schemas/settings.ts'
import { ownContext } from '../transforms/own-context.ts'
import { isFault } from './candidate.ts'
import { openReading, type Reading } from './context.ts'
import { gatherEdits, isEditFile, leftOutNotes, openEditReading } from './edit-file.ts'
import { resolveEdits } from './edit-rows.ts'
import { feedResolver } from './feed-resolver.ts'
import { fetchedNote } from './fetch-file.ts'
import { type Gathering, gatherFamilies, gatherFlat } from './gather.ts'
import { dryFold, type GuardGround, guardIsNeeded, ImportHeld, judgeGuard, nothingSeen } from './guard.ts'
import { howToRead } from './how-to-read.ts'
import { type Asked, asJudged, type Resolution } from './identity.ts'
import type { ImportPorts, Progress } from './import-ports.ts'
import { withVerdicts } from './judged.ts'
import { openMissing } from './missing.ts'
import { defaultBounds } from './packing/bounds.ts'
import type { Table, TableRow } from './readers/table.ts'
import { openProductTable } from './rejects-file.ts'
import { sampleRows } from './sample-rows.ts'
import type { Scratch } from './scratch.ts'
import { TableError } from './table-error.ts'
import { type Facts, openFacts, type Verdicts } from './verdicts.ts'

export interface Run {
  readonly row: ImportRow
  readonly context: ImportContext
  /** What the records' cells are read by: our own field names in a file of edits. */
  readonly recordContext: ImportContext
  readonly resolve: Resolve
  readonly header: readonly string[]
  readonly gathering: Gathering
  readonly verdicts: Verdicts
  readonly read: number
  readonly empty: boolean
}

/** From here on the memory of pass one is worth the 40 ms in which it is given back. */
const manyRows = 50_000

type Resolve = (asked: readonly Asked[], empty: boolean) => Promise<Resolution>

export async function passOne(
  row: ImportRow,
  ports: ImportPorts,
  scratch: Scratch,
  signal: AbortSignal,
  progress: Progress,
): Promise<Run> {
  const { store } = ports
  await store.set(null, row.id, { state: 'reading' })
  const bounds = { ...defaultBounds, mostBytes: ports.maxUnpackedBytes }
  const table = await openProductTable(row.spool, { ...howToRead(row.options), bounds })
  const settings = await store.settings(row.workspace)
  const edits = isEditFile(table.header)
  const map = (row.options.map ?? {}) as Record<string, Field>
  const reading = edits
    ? openEditReading(table.header, map)
    : openReading(table.header, row.source, settings, map, table.specified, await sampleRows(table))
  let read = 0
  const see = (rows: readonly TableRow[]) => {
    signal.throwIfAborted()
    for (const { cells, pointed, fault } of rows) if (!fault) reading.see(cells, pointed)
    read += rows.length
  }
  const draft = { ...contextBody(row, table, reading), id: 0 }
  let units = 0
  const flat = () => (edits ? gatherEdits(table, reading.mapping) : gatherFlat(table, draft))
  const gathering = reading.rule ? await gatherFamilies(table, draft, reading.rule, row.source, scratch, see) : flat()
  const facts = await openFacts(scratch, reading.rule ? null : gathering)
  for await (const items of reading.rule ? gathering.items() : gathering.items(see))
    for (const item of items) {
      if (isFault(item)) continue
      facts.add(item)
      if (item.kind !== 'variant') units++
    }
  await store.set(null, row.id, { read })
  await progress(async () => 0, read)

  const evidence = reading.evidence()
  const leftOut = edits ? leftOutNotes(table.header, reading.mapping) : []
  const notes = [
    ...draft.notes,
    ...leftOut,
    ...currencyNotes(evidence.currencies),
    ...languageNotes(evidence.languages),
    ...unitNotes(evidence.unitless ?? {}),
  ]
  const body = { ...contextBody(row, table, reading), ...evidence, notes }
  const context =
    row.context === null ? { ...body, id: await store.insertContext(row, body) } : await store.context(row.context)
  if (row.context === null) await store.set(null, row.id, { context: context.id })
  const recordContext = edits ? ownContext : context
  const find = edits ? (asked: readonly Asked[]) => resolveEdits(asked, row, ports) : feedResolver(context, row, ports)
  const empty = !edits && row.appendedSeq < 0 && (await ports.identities.isEmpty(row.catalog))
  let verdicts = await facts.judge()
  // Most files cannot reach the limit, whatever of them is new.
  const left = row.appendedSeq < 0 ? await store.productsLeft(row.workspace) : Number.POSITIVE_INFINITY
  const counted = units > left
  if (!empty) {
    const { guard, fresh } = await lookAhead(
      row,
      ports,
      recordContext,
      find,
      settings,
      gathering,
      verdicts,
      facts,
      read,
      scratch,
    )
    if (counted) requireRoom(fresh, left)
    if (guard && row.appendedSeq < 0) {
      await store.set(null, row.id, { guard })
      if (guard.reasons.length > 0 && !row.released) throw new ImportHeld(guard)
    }
    if (await facts.meet()) verdicts = await facts.judge()
  } else if (counted) requireRoom(await countWinners(gathering, verdicts), left)
  if (!reading.rule && !row.options.snapshot && read > manyRows) await scratch.renew(verdicts.tables)
  return { row, context, recordContext, resolve: find, header: table.header, gathering, verdicts, read, empty }
}

const contextBody = (row: ImportRow, table: Table, reading: Reading): Omit<ImportContext, 'id'> => ({
  platform: reading.platform,
  header: table.header,
  mapping: reading.mapping,
  ...(reading.proposed ? { proposed: reading.proposed } : {}),
  ...(reading.fills ? { fills: reading.fills } : {}),
  numbers: {},
  currencies: {},
  notes: [
    ...(row.options.fetched ? [fetchedNote(row.options.fetched)] : []),
    ...table.notes,
    ...reading.notes,
    ...(row.options.sourceReason ? [row.options.sourceReason] : []),
  ],
})

/** A guess is said once a file, not on each of its rows. */
const currencyNotes = (currencies: ImportContext['currencies']) =>
  Object.entries(currencies).map(
    ([column, { code, reason, guess }]) =>
      `amounts of "${column}" are read as ${code}${guess ? ', which is a guess' : ''}: ${reason}`,
  )

const languageNotes = (languages: NonNullable<ImportContext['languages']>) =>
  Object.entries(languages).flatMap(([column, { language, confidence, reason }]) =>
    language === null ? [] : `texts of "${column}" are in ${language}, with ${confidence} of 1: ${reason}`,
  )

const unitNotes = (unitless: NonNullable<ImportContext['unitless']>) =>
  Object.entries(unitless).map(
    ([column, cells]) =>
      `"${column}" has no unit in any of its ${cells} numbers, and nothing beside them says one: name it in the column, such as "weight (kg)"`,
  )

/**
 * Looks every product up without inserting, so that two rows which the catalog knows as one product are told apart from two
 * products; where the guard is needed the same look folds each record without writing.
 */
async function lookAhead(
  row: ImportRow,
  ports: ImportPorts,
  context: ImportContext,
  find: Resolve,
  settings: PipelineSettings,
  gathering: Gathering,
  verdicts: Verdicts,
  facts: Facts,
  read: number,
  scratch: Scratch,
): Promise<{ guard: GuardSeen | null; fresh: number }> {
  const ground = await groundOf(row, ports)
  const guard = guardIsNeeded(ground, read, settings.guardShare, row.options.snapshot === true)
  const result = nothingSeen()
  const missing =
    guard && row.options.snapshot
      ? await openMissing(scratch, ports.store.sourceProducts(row.catalog, row.source))
      : null
  let made = 0
  for await (const batch of withVerdicts(gathering, verdicts, -1)) {
    const asked = batch.flatMap(({ item, verdict }): Asked[] =>
      isFault(item) || (verdict && verdict.verdict !== 'win') ? [] : [asJudged(item, verdict)],
    )
    if (missing) result.unknown += batch.filter(({ item }) => isFault(item)).length
    const { found } = await find(asked, false)
    for (const { candidate, product, fresh } of found) {
      if (product !== null) missing?.listed.add([product])
      if (fresh && candidate.kind !== 'variant') made++
    }
    await facts.resolve(
      found.flatMap(({ candidate, alone }) => (alone ? [[candidate.seq, alone.product, alone.gives] as const] : [])),
    )
    if (guard) await dryFold(found, row, context, settings, ports, result)
  }
  if (missing) result.removed = await missing.count()
  return { guard: guard ? judgeGuard(result, ground, read, settings.guardShare) : null, fresh: made }
}

async function groundOf({ catalog, source, options }: ImportRow, { store }: ImportPorts): Promise<GuardGround> {
  const [products, lastRows] = await Promise.all([store.productCount(catalog), store.lastRows(catalog, source)])
  return { products, lastRows: options.rejects ? null : lastRows }
}

/** Rows of an empty catalog that will be products, without those that another row of the file is. */
async function countWinners(gathering: Gathering, verdicts: Verdicts): Promise<number> {
  let units = 0
  for await (const batch of withVerdicts(gathering, verdicts, -1))
    for (const { item, verdict } of batch)
      if (!isFault(item) && item.kind !== 'variant' && (!verdict || verdict.verdict === 'win')) units++
  return units
}

function requireRoom(products: number, left: number) {
  if (products <= left) return
  const says = `The file has ${products} new products, and the plan takes ${Math.max(0, left)} more; nothing of it was taken`
  throw new TableError('PLAN_LIMIT', says)
}
