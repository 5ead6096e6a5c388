/** What an import needs of the world, and what it tells. */
import type { Pool, PoolClient } from 'pg'
import type { Identities } from '../infra/catalog/identities.ts'
import type { Outcome, OutcomeKey, RowNote } from '../infra/catalog/import-ledger.ts'
import type { ImportOffsets, ImportRow } from '../infra/catalog/imports.ts'
import type { Log } from '../infra/log/port.ts'
import type { GuardSeen } from '../schemas/import.ts'
import type { ImportContext } from '../schemas/pipeline.ts'
import type { PipelineSettings } from '../schemas/settings.ts'
import type { StoredProduct } from '../transforms/ports.ts'
import type { PackedRows } from '../transforms/row-results.ts'
import type { KnownCategories } from '../transforms/silver/taxonomy.ts'
import type { PresentProduct } from './edit-rows.ts'
import type { SourceProduct } from './missing.ts'

/** What an import needs of the catalog; every function takes the import's own checked ids. */
export interface ImportStore {
  find(id: string): Promise<ImportRow | null>
  /** Whether the import has come exactly this far and is still this run's; holds it until the transaction ends. */
  hold(tx: PoolClient, id: string, appendedSeq: number): Promise<boolean>
  set(
    client: PoolClient | null,
    id: string,
    set: {
      state?: string
      context?: number
      read?: number
      guard?: GuardSeen
      appendedSeq?: number
      offsets?: ImportOffsets
      withdrawnTo?: string
    },
  ): Promise<void>
  insertContext(i: ImportRow, body: Omit<ImportContext, 'id'>): Promise<number>
  context(id: number): Promise<ImportContext>
  settings(workspace: string): Promise<PipelineSettings>
  load(catalog: string, products: readonly string[]): Promise<Map<string, StoredProduct>>
  /** Those of these products that the catalog has or had, as silver has them. */
  present(catalog: string, products: readonly string[]): Promise<Map<string, PresentProduct>>
  productCount(catalog: string): Promise<number>
  /** Singles and parents that the plan still takes. */
  productsLeft(workspace: string): Promise<number>
  /** In pages. */
  sourceProducts(catalog: string, source: string): AsyncIterable<readonly SourceProduct[]>
  lastRows(catalog: string, source: string): Promise<number | null>
  saveSource(i: ImportRow, header: readonly string[], rows: number): Promise<void>
  /** Whether results stand under this key. */
  isTold(tx: PoolClient, key: OutcomeKey): Promise<boolean>
  insertOutcome(tx: PoolClient, key: OutcomeKey, outcome: Outcome, rows: PackedRows): Promise<void>
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
  readonly taxonomy: KnownCategories | undefined
  /** What a packed file may hold: as much as a file that is sent unpacked. */
  readonly maxUnpackedBytes: number
}

export interface ImportResult extends Outcome {
  readonly read: number
  /** How the file was read, how its source was chosen, and what was guessed: for people. */
  readonly notes: readonly string[]
}

/** Told at each step: rows in all once they are known, and how many have a result, which is counted where somebody wants to know. */
export type Progress = (done: () => Promise<number>, total: number | null) => Promise<void>
