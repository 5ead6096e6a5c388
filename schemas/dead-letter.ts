/** Dead letters as data: why a record can be one, in words that say what would bring it back. */
import type { Position } from './pipeline.ts'

/** By why: what one of a kind needs, all of it need. */
export const deadKinds = {
  not_json: 'its bytes are no JSON object; whoever wrote it must send it anew',
  unknown_version: 'its version or operation is not known here; a newer Assay may read it',
  invalid_record: 'a member of it is missing or has not the form that it must have',
  unknown_context: 'its workspace or import context is not known',
  failed: 'a step of the pipeline failed on it',
  unstorable: 'the catalog cannot store a value of it',
  wrong_workspace: 'a header names another workspace than its topic is of',
  unknown_catalog: 'there is no such catalog in the workspace of its topic',
  no_identity: 'it has no key and no identifier, or its identifiers lead to several products',
  no_room: 'the plan takes no more products',
  too_large: 'a message on a topic of tenants is larger than one product may be',
} as const
export type DeadKind = keyof typeof deadKinds
export const deadKindNames = Object.keys(deadKinds) as [DeadKind, ...DeadKind[]]

/** `redriven`: it counts, at its original position. */
export const deadStates = ['dead', 'redriven'] as const
export type DeadState = (typeof deadStates)[number]

/** What of a record, readable or not, tells whose it is; null where it says nothing of the form it must have. */
export interface Claims {
  readonly workspace: string | null
  readonly brand: string | null
  readonly catalog: string | null
  readonly import: string | null
  readonly source: string | null
}
export const noClaims: Claims = { workspace: null, brand: null, catalog: null, import: null, source: null }

/** Where a record stands that nobody could read. Offsets and epochs of a tenant's topic are the topic's own. */
export interface DeadPlace extends Position {
  readonly topic: string
}

/** How a letter is called: topic, epoch, partition and offset of the record. */
export const letterForm = /^([a-z]+(?:\.[a-z0-9_]+)+):(\d{1,9}):(\d{1,9}):(\d{1,15})$/
