/** What the routes of products need of the system, and the scope of an edit. */
import type { Catalog } from '../../infra/catalog/postgres.ts'
import type { Cells, Position } from '../../schemas/pipeline.ts'
import type { Weights } from '../../schemas/score.ts'
import type { FieldProvenance } from '../../transforms/bronze/provenance.ts'
import type { Revision } from '../entity-tag.ts'

export interface EditScope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  /** The same for a repeat of the same request. */
  readonly seed?: string | undefined
}

/** What became of an edit once the sink passed it; `late`: it is on the log and not yet refined. */
export type Settled =
  | { readonly kind: 'done' }
  | { readonly kind: 'late'; readonly position: Position }
  | {
      readonly kind: 'refused'
      readonly code: 'DATA_003' | 'DATA_004' | 'CONFLICT' | 'INVALID_REQUEST'
      readonly says: string
      /** What of the request it speaks of, where that is one field. */
      readonly field?: string
    }

export interface WeightsInForce {
  readonly weights: Weights
  readonly number: number
}

/** What the workspace's plan leaves. */
export interface ProductRoom {
  /** Takes the place of one product. @throws ServiceError where the plan has none left */
  take(workspace: string): Promise<void>
  /** The product did not come. */
  giveBack(workspace: string): void
}

/** Where a value was said, as people ask for it. */
export interface SaidAt {
  readonly position: Position
  /** Of a tenant, as its writers name it; null where it came by no inbound topic. */
  readonly topic: string | null
  /** Who edited; null where a file, a page or a hub says so, or the record is gone. */
  readonly by: string | null
  readonly at: string | null
}

export interface ProductPorts {
  readonly catalog: Pick<Catalog, 'withTenant' | 'readOnce'>
  readonly edits: {
    create(scope: EditScope, cells: Cells): Promise<{ product: string; settled: Settled } | null>
    /** @param seen refused with CONFLICT where a cell was changed since */
    edit(scope: EditScope, product: { id: string; sid: string }, cells: Cells, seen?: Revision): Promise<Settled>
    /** Takes the deletion back; of a variant also that of its parent. */
    undelete(scope: EditScope, product: { id: string; sid: string; familyId: string | null }): Promise<Settled>
  }
  readonly provenance: (scope: { workspace: string; catalog: string }, product: string) => Promise<Provenance | null>
  readonly room: ProductRoom
  /** As they were at most a second ago. */
  readonly recentWeights: (workspace: string) => Promise<WeightsInForce>
  /** Partition of the log that a product's records of this epoch are in. */
  readonly partitionOf: (product: string, epoch: number) => number
  /** Bits of the platforms that a feed-ready product of the brand must be valid for, as they were at most a second ago. */
  readonly requiredProfiles: (brand: string) => Promise<number>
}

export interface Provenance {
  readonly fields: readonly FieldProvenance[]
  /** By `epoch:offset`. */
  readonly said: ReadonlyMap<string, SaidAt>
}
