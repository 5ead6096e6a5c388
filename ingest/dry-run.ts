/** The dry run of a whole file: the code of an import up to its records, which are then folded over the present layers; nothing is written. */
import type { Outcome, RowNote } from '../infra/catalog/import-ledger.ts'
import type { ImportRow } from '../infra/catalog/imports.ts'
import type { GuardSeen } from '../schemas/import.ts'
import type { BronzeRecord, ImportContext, SilverSettings } from '../schemas/pipeline.ts'
import { applyRecord, type ProductState } from '../transforms/apply.ts'
import { openTally } from '../transforms/import-tally.ts'
import { batchRecords, ownResults } from './batch-records.ts'
import { type ColumnNote, columnNotes } from './column-notes.ts'
import { behindAll, presentStates } from './guard.ts'
import type { ImportPorts, ImportStore, Progress } from './import-ports.ts'
import { withVerdicts } from './judged.ts'
import { passOne } from './pass-one.ts'
import { openScratch } from './scratch.ts'
import { shownText } from './shown-text.ts'

export interface DryRunResult extends Outcome {
  readonly read: number
  /** Rejected rows by the code of their reason. */
  readonly reasons: Readonly<Record<string, number>>
  /** The first rejected rows. */
  readonly rejects: readonly Pick<RowNote, 'row' | 'code' | 'says' | 'field' | 'column' | 'raw'>[]
  readonly platform: string
  readonly columns: readonly ColumnNote[]
  readonly notes: readonly string[]
  /** What the guard would see; null where it would not look. With reasons the import would be held. */
  readonly guard: GuardSeen | null
}

const mostRejects = 50

/**
 * @param row what the import would be; it is in no table
 * @throws TableError as the import would
 */
export async function dryRun(
  row: ImportRow,
  ports: ImportPorts,
  signal: AbortSignal,
  progress: Progress,
): Promise<DryRunResult> {
  let guard: GuardSeen | null = null
  const dry = {
    ...ports,
    store: unwriting(ports.store, (seen) => {
      guard = seen
    }),
  }
  const scratch = openScratch(ports.scratchPath(row.id))
  try {
    const run = await passOne(row, dry, scratch, signal, progress)
    const settings = await ports.store.settings(row.workspace)
    const ledger = openLedger()
    const parents = new Map<string, string>()
    let cased = await run.verdicts.caseOnly()
    for await (const batch of withVerdicts(run.gathering, run.verdicts, -1)) {
      signal.throwIfAborted()
      const own = ownResults(batch, cased, run.context.mapping)
      cased = []
      const resolution = await run.resolve(own.asked, run.empty)
      const { outcome, notes, records } = await batchRecords(run, ports.identities, own, resolution, parents, '')
      ledger.add(outcome, notes)
      const folded = await foldRecords(records, row.catalog, run.recordContext, settings, ports)
      for (const { counts, warnings } of folded.effects)
        ledger.add({ ...counts, duplicate: 0, removed: 0, warnings }, [])
      ledger.add(null, folded.notes)
      await progress(async () => ledger.done(), run.read)
    }
    const { platform, notes } = run.context
    const removed = removedIn(guard)
    return { read: run.read, ...ledger.result(), removed, platform, columns: columnNotes(run.context), notes, guard }
  } finally {
    await scratch.close()
  }
}

/** Higher than any: a context that is kept nowhere. */
const noContext = Number.MAX_SAFE_INTEGER

/** Reads as ever, and tells what the guard saw in place of keeping it. */
const unwriting = (store: ImportStore, saw: (guard: GuardSeen) => void): ImportStore => ({
  ...store,
  set: async (_client, _id, { guard }) => {
    if (guard) saw(guard)
  },
  insertContext: async () => noContext,
})

const removedIn = (guard: GuardSeen | null) => guard?.removed ?? 0

/** What the worker would do with these records, told by its own tally. */
async function foldRecords(
  records: readonly BronzeRecord[],
  catalog: string,
  context: ImportContext,
  settings: SilverSettings,
  ports: Pick<ImportPorts, 'digest' | 'store' | 'taxonomy'>,
) {
  const found = records.map(({ product, fresh }) => ({ product, fresh: fresh === true }))
  const { states, lookups } = await presentStates(found, catalog, context, settings, ports)
  const now = new Map<string, ProductState>(states)
  const tally = openTally()
  for (const record of records) {
    try {
      const { state, effect, warnings } = applyRecord(now.get(record.product) ?? null, record, behindAll, lookups)
      now.set(record.product, state)
      tally.count(record, effect, warnings)
    } catch (error) {
      tally.dead(record, error instanceof Error ? error.message : String(error))
    }
  }
  return tally.result()
}

function openLedger() {
  const sums = { created: 0, updated: 0, unchanged: 0, duplicate: 0, rejected: 0 }
  const warnings: Record<string, number> = {}
  const reasons: Record<string, number> = {}
  const rejects: DryRunResult['rejects'][number][] = []
  const names = Object.keys(sums) as (keyof typeof sums)[]
  return {
    add(outcome: Outcome | null, notes: readonly RowNote[]) {
      if (outcome) {
        for (const name of names) sums[name] += outcome[name]
        for (const [code, n] of Object.entries(outcome.warnings)) warnings[code] = (warnings[code] ?? 0) + n
      }
      for (const { row, result, code, says, field, column, raw } of notes) {
        if (result !== 'rejected') continue
        const reason = code ?? 'rejected'
        reasons[reason] = (reasons[reason] ?? 0) + 1
        if (rejects.length < mostRejects)
          rejects.push({ row, code, says: shown(says), field, column: shown(column), raw: shown(raw) })
      }
    },
    done: () => names.reduce((sum, name) => sum + sums[name], 0),
    result: () => ({ ...sums, warnings, reasons, rejects }),
  }
}

const shown = (text: string | null) => (text === null ? null : shownText(text))
