/** What a worker needs of the world: a log to read, a store to load from and to commit to. */
import type { Claims, DeadKind, DeadPlace } from '../schemas/dead-letter.ts'
import type { BronzeRecord, ImportContext, Layers, Position, SilverSettings } from '../schemas/pipeline.ts'
import type { ProductKind, RefinedProduct, Stage } from '../schemas/product.ts'
import type { Effect, ProductState } from './apply.ts'
import type { History } from './bronze/history.ts'
import type { Grade } from './gold/grade.ts'
import type { PackedRows } from './row-results.ts'

export interface StoredProduct extends ProductState {
  /** Compare-and-set counter of the row. */
  readonly rev: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly sid: string
  readonly sub: readonly number[] | null
}

export interface ProductWrite {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly product: string
  readonly sid: string
  /** The row's rev as it was read; null where there was no row. */
  readonly expected: number | null
  readonly kind: ProductKind
  readonly family: string | null
  /** Its family is told by two sources, or was. */
  readonly joined?: boolean
  /** Families that it has left or come back to, whose parents may be too many or missing now. */
  readonly movedIn?: readonly string[]
  readonly stage: Stage
  readonly alive: boolean
  readonly layers: Layers
  readonly content: string
  readonly contentChanged: boolean
  /** The workspace's when this was computed. */
  readonly settings: number
  readonly createdAt: string
  /** Of a create through the API. */
  readonly createdBy: string | null
  readonly updatedAt: string
  /** null where the row keeps what it was last refined to; a new row is then one that never was. */
  readonly refined: RefinedProduct | null
  readonly priceMinor: bigint | null
  /** null for parents and for products that are gone, and where the row keeps its score. */
  readonly grade: Grade | null
  readonly keepsScore: boolean
  readonly formerSub: readonly number[] | null
  readonly gradedAt: string
}

export interface RowNoteOut {
  readonly import: string
  readonly workspace: string
  readonly brand: string
  readonly row: number
  readonly ordinal: number
  readonly result: string
  readonly code: string
  readonly says: string
  readonly field: string | null
  readonly column: string | null
  readonly raw: string | null
}

/** What one batch did to one import. */
export interface ImportEffect {
  readonly import: string
  readonly workspace: string
  readonly brand: string
  readonly firstSeq: number
  readonly maxSeq: number
  readonly counts: { created: number; updated: number; unchanged: number; rejected: number }
  /** Products whose listing it ended. */
  readonly removed: number
  readonly warnings: Readonly<Record<string, number>>
  /** Created, updated and unchanged rows without a note that says so. */
  readonly rows: PackedRows
}

/** What one batch's records of a bulk job did. */
export interface BulkEffect {
  readonly job: string
  readonly firstOffset: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
}

export interface DeadRecord {
  readonly position: Position
  readonly key: string
  readonly value: Uint8Array
  readonly claims: Claims
  readonly reason: string
  readonly as: DeadKind
  readonly attempts: number
  /** Of a message on a tenant's topic: between which records of the log it came. */
  readonly place?: LogPlace
}

/** By partition the first offset that comes after. */
export interface LogPlace {
  readonly epoch: number
  readonly ends: readonly number[]
}

/** What a redrive did with a dead record. */
export type RedrivenRecord = {
  readonly letter: DeadPlace
  readonly job: string | null
  readonly by: string | null
  readonly at: string
} /** Without a kind it keeps that of which it died. */ & (
  | { readonly failed: { readonly reason: string; readonly as: DeadKind | null } }
  | ({ readonly failed?: undefined } & BroughtBack)
)

export interface BroughtBack {
  readonly record: BronzeRecord
  readonly effect: Effect
  readonly changed: boolean
  /** Of its import, where it is of one: what its rows became. */
  readonly effects: readonly ImportEffect[]
  readonly notes: readonly RowNoteOut[]
}

export interface RefusedRecord {
  readonly position: Position
  readonly product: string
  readonly code: string
  readonly says: string
}

export interface SinkBatch {
  readonly partition: number
  readonly from: number
  readonly to: number
  /** All products were made by the identity step of the records in this batch: no look-up was done, no row can exist. */
  readonly fresh: boolean
  readonly writes: readonly ProductWrite[]
  readonly effects: readonly ImportEffect[]
  readonly bulk?: readonly BulkEffect[]
  /** Highest number of each bulk job that sends by numbers; an import's stands in its effect. */
  readonly taken?: ReadonlyMap<string, number>
  readonly notes: readonly RowNoteOut[]
  readonly dead: readonly DeadRecord[]
  readonly redriven?: readonly RedrivenRecord[]
  readonly refused: readonly RefusedRecord[]
}

/** `lost`: another worker owns the partition or has done this batch. `stale`: a row moved since it was read; compute again. */
export type Committed = 'done' | 'lost' | 'stale'

/** Which partitions a worker has, as they come and go: by leases in the catalog, or as a consumer group assigns them. */
export interface PartitionShare {
  /**
   * Takes part.
   * @param work one partition, until the signal fires; it is given on when this has returned. Where it returns before, and the
   * partition is still this worker's, it is called again after a moment.
   */
  join(work: (partition: number, signal: AbortSignal) => Promise<void>): Membership
}

export interface Membership {
  /** A position that is committed in the catalog, for those who watch the group's lag elsewhere. */
  passed?(partition: number, next: number): void
  /** Whether it had its turn within the last seconds. */
  isMember(): boolean
  /** Stops all work, then gives everything back. */
  leave(): Promise<void>
}

export interface ProductStore {
  /** Takes the partition over from whoever had it and tells where to go on; null where it is another worker's by now. */
  claim(partition: number): Promise<number | null>
  load(products: readonly { catalog: string; product: string }[]): Promise<Map<string, StoredProduct>>
  /**
   * The records of each of these products below an offset, oldest first, all of them or behind a base that none of them reaches
   * before; a product without any has an empty one.
   */
  histories(products: readonly string[], below: number, partition: number): Promise<Map<string, History>>
  contexts(ids: readonly number[]): Promise<readonly ImportContext[]>
  settings(workspaces: readonly string[]): Promise<Map<string, SilverSettings>>
  /** Highest number of each sender, an import or a bulk job, that this partition has taken. */
  progress(senders: readonly string[], partition: number): Promise<Map<string, number>>
  /** Which of these are dead and were not redriven yet. */
  letters(places: readonly DeadPlace[]): Promise<readonly DeadPlace[]>
  commit(batch: SinkBatch): Promise<Committed>
  /** Whether `commit` threw since a value can never be stored, in contrast to a store that is away. */
  refusedValue(error: unknown): boolean
}
