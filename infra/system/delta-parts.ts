/** Finds what a webhook of a catalog is sent next, and makes it again for a retry: the same bytes of the same rows. */
import type { PoolClient } from 'pg'
import { deltaEvent, mostPartBytes } from '../../schemas/delta.ts'
import { endOfVersion, readChange, showChange } from '../../schemas/position.ts'
import {
  type DeltaOf,
  deltaPageRows,
  nextPart,
  type ReadDelta,
  writtenRows,
} from '../../serving/webhooks/delta-body.ts'
import { bodyOf, type DeltaHead, fits, type Written } from '../../transforms/deltas/part.ts'
import { holdTurns } from '../catalog/delivery-notes.ts'
import {
  type DeltaScope,
  deltaPage,
  type ToldVersion,
  takenNames,
  toldVersion,
  versionAfter,
} from '../catalog/delta-changes.ts'
import type { Catalog } from '../catalog/postgres.ts'
import {
  beginRound,
  type DeltaRange,
  type DeltaState,
  endPush,
  holdDelta,
  insertDeltaDelivery,
  setCounted,
} from '../catalog/webhook-deltas.ts'
import type { Turn } from '../catalog/webhook-turns.ts'

/** What is asked for is no longer kept. */
export class NotKept extends Error {}

type Delta = NonNullable<Turn['delta']>
export type Delivery = NonNullable<Turn['delivery']>

export interface PartsOf {
  readonly catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  readonly now: () => Date
  readonly mostBytes?: number
}

/** `more`: something is done, and there is more to do before anything can be sent. */
export type Next = Delivery | 'none' | 'more' | 'behind' | 'lost'

/** So many rows of a version are looked at in one turn, so that no turn is as long as its claim. */
const rowsOfTurn = 5_000

export async function nextDelta(parts: PartsOf, turn: Turn, delta: Delta): Promise<Next> {
  const { catalog } = parts
  return catalog.inTransaction(catalog.pipeline, async (tx) => {
    if (!(await holdTurns(tx, [turn])).has(turn.webhook)) return 'lost'
    const state = await holdDelta(tx, turn.webhook)
    if (!state || state.deleted) return 'none'
    if (state.round === null) return begin(tx, turn, delta, state)
    const told = await toldVersion(tx, delta.catalog, state.round)
    const base = state.full ? told : await versionAfter(tx, delta.catalog, state.version)
    if (!told?.kept || !base?.kept) return 'behind'
    return state.parts === null
      ? count(parts, tx, turn, delta, state, told)
      : make(parts, tx, turn, delta, { ...state, parts: state.parts }, told)
  })
}

/** A full push that was asked for goes before what was published since. */
async function begin(tx: PoolClient, { webhook }: Turn, { catalog }: Delta, state: DeltaState): Promise<Next> {
  const full = state.push !== null
  if (full) {
    // Nothing was published: there is nothing to push, and the first publish will be told as one.
    const round = state.publishedVersion
    if (round === 0) {
      await endPush(tx, webhook)
      return 'none'
    }
    await beginRound(tx, webhook, round, true)
    return 'more'
  }
  const next = await versionAfter(tx, catalog, state.version)
  if (!next || next.version > state.publishedVersion) return 'none'
  if (!next.kept) return 'behind'
  await beginRound(tx, webhook, next.version, false)
  return 'more'
}

const reader =
  (tx: PoolClient, scope: DeltaScope, upto: string | null = null): ReadDelta =>
  (after) =>
    deltaPage(tx, scope, [after, upto], deltaPageRows)

const ofVersion = (
  { target, options }: Delta,
  { version, publishedAt }: { version: number; publishedAt: Date },
): DeltaOf => ({
  ...{ target, options, version },
  publishedAt: publishedAt.toISOString(),
})

/** Each delivery says of how many it is one, so they are counted before the first. */
async function count(
  { mostBytes = mostPartBytes }: PartsOf,
  tx: PoolClient,
  { webhook }: Turn,
  delta: Delta,
  state: DeltaState,
  told: ToldVersion,
): Promise<Next> {
  const scope = { catalog: delta.catalog, version: told.version, full: state.full }
  let { counted, countedProducts: products, countedBytes: bytes, countedTo: after } = state
  let rows = 0
  for await (const { id, written } of writtenRows(ofVersion(delta, told), reader(tx, scope), after)) {
    if (written) {
      if (!fits({ products, bytes }, written.bytes, mostBytes)) {
        counted++
        products = 0
        bytes = 0
      }
      products++
      bytes += written.bytes
    }
    after = id
    if (++rows === rowsOfTurn) {
      await setCounted(tx, webhook, { after, counted, products, bytes, parts: null })
      return 'more'
    }
  }
  // A publish that changed nothing is told too.
  await setCounted(tx, webhook, { after, counted, products, bytes, parts: counted + 1 })
  return 'more'
}

async function make(
  { mostBytes = mostPartBytes, now }: PartsOf,
  tx: PoolClient,
  turn: Turn,
  delta: Delta,
  state: DeltaState & { readonly parts: number },
  told: ToldVersion,
): Promise<Next> {
  const { full, parts, position: previous } = state
  const after = state.part === 0 ? null : (readChange(previous ?? '')?.product ?? null)
  const scope = { catalog: delta.catalog, version: told.version, full }
  const { entries, upto } = await nextPart(ofVersion(delta, told), reader(tx, scope), after, mostBytes)
  const part = state.part + 1
  const taken = await takenNames(
    tx,
    scope,
    entries.flatMap(({ leaves }) => leaves ?? []),
  )
  if ((upto === null) !== (part === parts)) {
    // Another version of Assay writes products longer or shorter: what is left is counted anew, and the receiver told all of it.
    await beginRound(tx, turn.webhook, told.version, full)
    return 'more'
  }
  const range: DeltaRange = {
    ...{
      version: told.version,
      base: full ? told.version : state.version,
      publishedAt: told.publishedAt.toISOString(),
    },
    ...{ full, part, parts, after, upto, previous, taken, push: state.push },
  }
  const position =
    upto === null
      ? endOfVersion(told.version)
      : showChange({ mode: full ? 's' : 't', version: told.version, product: upto })
  const { id, sequence } = await insertDeltaDelivery(tx, turn, { range, position, now: now() })
  const body = bodyOf(headOf(turn, delta, range, position), entries, taken)
  return { id, sequence, tries: 0, attempts: 0, kind: deltaEvent, position, body, delta: range }
}

/** In the order in which receivers read it. */
export function headOf(
  { workspace, brand }: Pick<Turn, 'workspace' | 'brand'>,
  { catalog, target }: Pick<Delta, 'catalog' | 'target'>,
  { version, publishedAt, full, part, parts, previous }: DeltaRange,
  position: string,
): DeltaHead {
  return {
    ...{ event: deltaEvent, workspace_id: workspace, brand_id: brand, catalog_id: catalog, target, version },
    ...{ published_at: publishedAt, full, part, parts, position, previous_position: previous },
  }
}

/** Of one that was sent before. @throws NotKept */
export async function deltaBody(
  { catalog }: Pick<PartsOf, 'catalog'>,
  turn: Pick<Turn, 'workspace' | 'brand'>,
  delta: Delta,
  range: DeltaRange,
  position: string,
): Promise<string> {
  return catalog.inTransaction(catalog.pipeline, async (tx) => {
    for (const version of [range.version, range.base])
      if (version > 0 && !(await toldVersion(tx, delta.catalog, version))?.kept)
        throw new NotKept(`Version ${version} is no longer kept; ask for a full push`)
    const scope = { catalog: delta.catalog, version: range.version, full: range.full }
    const entries: Written[] = []
    const of = { target: delta.target, options: delta.options, version: range.version, publishedAt: range.publishedAt }
    for await (const { written } of writtenRows(of, reader(tx, scope, range.upto), range.after))
      if (written) entries.push(written)
    return bodyOf(headOf(turn, delta, range, position), entries, range.taken)
  })
}
