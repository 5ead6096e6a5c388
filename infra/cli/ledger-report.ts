/** Prints the ledger of an import, or of one that would be, as a table; what balances is exit code 0. */
import type { Job } from './follow-job.ts'
import { grouped } from './progress.ts'
import { table } from './table.ts'

interface Ledger {
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicate: number
  readonly rejected: number
  readonly warnings: Readonly<Record<string, number>>
  readonly notes: readonly string[]
}

interface ImportLedger extends Ledger {
  readonly importId: string
  /** The guard stopped it: nothing of it was appended. */
  readonly state?: 'held'
}

export interface DryLedger extends Ledger {
  readonly columns: readonly { readonly name: string; readonly field: string | null; readonly reason: string | null }[]
  readonly reasons: Readonly<Record<string, number>>
  readonly rejects: readonly { readonly row: number; readonly code: string | null; readonly says: string | null }[]
  readonly removed: number
  readonly guard: { readonly reasons: readonly string[] } | null
}

const results = ['created', 'updated', 'unchanged', 'duplicate', 'rejected'] as const
/** Rejected rows that are shown. */
const shownRejects = 5

const print = (line: string) => process.stdout.write(`${line}\n`)

export function reportImport(file: string, { result, error }: Job<ImportLedger>, json: boolean): number {
  if (json) print(JSON.stringify(result ?? { error }))
  if (result === null) {
    if (!json) process.stderr.write(`${file} was not imported: ${error?.message ?? 'the job failed'}\n`)
    return 1
  }
  if (result.state === 'held') {
    if (!json) process.stderr.write(`${heldSays(file, result)}\n`)
    return 1
  }
  if (!json) {
    printCounts(`${file}: ${grouped(result.read)} rows`, result)
    printWarnings(result)
  }
  return balance(result, json)
}

const heldSays = (file: string, { importId, notes }: ImportLedger) =>
  `${file} was not imported yet: import ${importId} is held. ${notes.join(' ')} Release or discard it: POST …/imports/${importId}/release, or /discard.`

/** @param preview what the server answered at once */
export function reportDryRun(file: string, preview: unknown, job: Job<DryLedger>, json: boolean): number {
  const { result, error } = job
  if (json) print(JSON.stringify({ preview, ...(result === null ? { error } : { result }) }))
  if (result === null) {
    if (!json) process.stderr.write(`${file} cannot be imported: ${error?.message ?? 'the job failed'}\n`)
    return 1
  }
  if (!json) {
    printCounts(`${file}: ${grouped(result.read)} rows; an import would have`, result)
    print(`columns\n${table(result.columns.map(({ name, field, reason }) => [name, field ?? '-', reason ?? '']))}`)
    const reasons = Object.entries(result.reasons)
    if (reasons.length > 0) print(`rejected\n${table(reasons)}`)
    for (const { row, says } of result.rejects.slice(0, shownRejects)) print(`  row ${row}: ${says}`)
    printWarnings(result)
    if (result.removed > 0) print(`It would remove ${grouped(result.removed)} products that the file lacks.`)
    for (const reason of result.guard?.reasons ?? []) print(`It would be held until a person releases it: ${reason}`)
    print('Nothing was changed.')
  }
  return balance(result, json)
}

function printCounts(title: string, result: Ledger) {
  print(`${title}\n${table(results.map((name) => [name, result[name]]))}`)
  for (const note of result.notes) print(`  ${note}`)
}

function printWarnings({ warnings }: Ledger) {
  const found = Object.entries(warnings)
  if (found.length > 0) print(`warnings\n${table(found)}`)
}

function balance(result: Ledger, json: boolean): number {
  if (result.read === results.reduce((sum, name) => sum + result[name], 0)) return 0
  if (!json) process.stderr.write('The ledger does not balance.\n')
  return 1
}
