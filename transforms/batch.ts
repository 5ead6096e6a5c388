/** Computes what a batch of records does: pure but for what it looks up, so that it can be computed again when a row has moved. */
import type { StoredRecord } from '../infra/log/port.ts'
import type { BronzeRecord, ImportContext, SilverSettings } from '../schemas/pipeline.ts'
import { type Applied, hasMoved, type Lookups, type ProductState } from './apply.ts'
import { isSaying } from './bronze/admit.ts'
import { contextsOf } from './bronze/contexts-of.ts'
import type { HistoryEntry } from './bronze/refold.ts'
import { openBulkTally } from './bulk-tally.ts'
import { openHistories } from './histories.ts'
import { openTally } from './import-tally.ts'
import { ownContext } from './own-context.ts'
import type { DeadRecord, ProductStore, ProductWrite, RefusedRecord, SinkBatch, StoredProduct } from './ports.ts'
import { writeOf } from './product-write.ts'
import { attempt } from './step.ts'
import type { ProductTopology } from './topology.ts'
import type { WorkerPorts } from './worker.ts'

interface Entry {
  readonly stored: StoredRecord
  readonly record: BronzeRecord
}

/** A product on its way through the batch. */
export interface Moving {
  readonly before: StoredProduct | null
  state: ProductState | null
  readonly first: BronzeRecord
  last: BronzeRecord
  contentChanged: boolean
  /** Content changed, or cells that nobody has refined yet. */
  moved: boolean
  /** The row must be written though no content changed: layers moved. */
  touched: boolean
}

/** @param trusting records of ids that identity has just made are not looked up; wrong only after a repeat, which commit tells */
export async function computeBatch(
  topology: ProductTopology,
  partition: number,
  from: number,
  records: readonly StoredRecord[],
  ports: Pick<WorkerPorts, 'store' | 'digest' | 'log'>,
  trusting: boolean,
): Promise<SinkBatch> {
  const dead: DeadRecord[] = []
  const refused: RefusedRecord[] = []
  const { epoch } = ports.log
  const position = (stored: StoredRecord) => ({ epoch, partition, offset: stored.offset })
  const bury = (stored: StoredRecord, reason: string, record: BronzeRecord | null) => {
    dead.push({
      position: position(stored),
      key: stored.key,
      value: stored.value,
      workspace: record?.workspace ?? null,
      reason,
      attempts: 1,
    })
  }

  const decoded: Entry[] = []
  for (const stored of records) {
    const outcome = attempt(topology.decode, stored.value)
    if (outcome.kind === 'ok') decoded.push({ stored, record: outcome.value })
    else bury(stored, outcome.reason, null)
  }
  const look = await lookUp(decoded, partition, ports.store, trusting)
  const tally = openTally()
  const bulk = openBulkTally()
  const moving = new Map<string, Moving>()
  const last = records.at(-1)
  const to = last ? last.offset + 1 : from
  const asked = decoded.flatMap(({ record }) => (record.op.endsWith('void') ? [record.product] : []))
  const histories = openHistories(ports.store, asked, to, { epoch, partition })
  const historyOf = async (stored: StoredRecord, record: BronzeRecord) => {
    const history = await reading('history', histories.upTo(record.product, stored.offset))
    // The store does not know yet what this batch refuses and buries.
    const out = new Set([...refused, ...dead].map((one) => one.position.offset))
    const isOut = ({ position }: HistoryEntry) => position.epoch === epoch && out.has(position.offset)
    return history.map((entry) => (isOut(entry) ? { ...entry, refused: true } : entry))
  }
  for (const { stored, record } of decoded) {
    if (topology.admit(record, look.progress.get(record.import ?? '')).kind === 'drop') continue
    // The repeat of an append can stand in the very batch of the first.
    if (record.import !== undefined && isSaying(record)) look.progress.set(record.import, record.seq)
    const lookups = look.of(record, ports.digest)
    if (lookups === null) {
      bury(stored, `context ${record.context} or workspace ${record.workspace} is unknown`, record)
      bulk.count(record, stored.offset, 'refused')
      tally.dead(record, 'its import context is unknown')
      continue
    }
    const product = moving.get(record.product) ?? start(record, look.rows.get(record.product) ?? null)
    const refusal = topology.refuse(product.state, record)
    if (refusal) {
      refused.push({ position: position(stored), product: record.product, ...refusal })
      bulk.count(record, stored.offset, 'refused')
      continue
    }
    try {
      const applied =
        record.op === 'put' || record.op === 'withdraw'
          ? topology.apply(product.state, record, position(stored), lookups)
          : await refolded(topology, product, record, await historyOf(stored, record), lookups, look.learn)
      const former = product.state?.layers
      const changed = advance(product, applied, record)
      moving.set(record.product, product)
      bulk.count(record, stored.offset, changed ? 'changed' : 'unchanged')
      tally.count(record, applied.effect, applied.warnings)
      tally.withdrawn(record, former !== undefined && applied.state.layers !== former)
    } catch (error) {
      if (isStoreError(error)) throw error
      const reason = error instanceof Error ? error.message : String(error)
      bury(stored, reason, record)
      bulk.count(record, stored.offset, 'refused')
      tally.dead(record, reason)
    }
  }
  const writes: ProductWrite[] = []
  for (const product of moving.values())
    if (product.touched) writes.push(attemptWrite(product, topology.grade, look.settingsOf))
  return {
    partition,
    from,
    to,
    fresh: look.fresh,
    writes,
    ...tally.result(),
    bulk: bulk.result(),
    dead,
    refused,
  }
}

/** A product that cannot be graded is a value that cannot be stored: its batch is taken apart to find it (KF-47). */
export class UngradedError extends Error {}

const attemptWrite: typeof writeOf = (product, ...rest) => {
  try {
    return writeOf(product, ...rest)
  } catch (cause) {
    throw new UngradedError(`product ${product.first.product} could not be graded`, { cause })
  }
}

/** The history is read from the log, so a store that is away must stop the batch and not bury the record. */
class StoreError extends Error {}
const isStoreError = (error: unknown) => error instanceof StoreError

async function refolded(
  topology: ProductTopology,
  product: Moving,
  record: BronzeRecord,
  history: readonly HistoryEntry[],
  lookups: Lookups,
  learn: (contexts: Iterable<number>) => Promise<void>,
): Promise<Applied> {
  const { layers } = topology.refold(history)
  if (layers === null) throw new Error(`${record.op} of a product without any record`)
  await reading('contexts', learn(contextsOf(layers)))
  return topology.settle(product.state, layers, lookups, null)
}

const reading = <T>(what: string, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new StoreError(`the ${what} could not be read`, { cause })
  })

function start(record: BronzeRecord, before: StoredProduct | null): Moving {
  return { before, state: before, first: record, last: record, contentChanged: false, moved: false, touched: false }
}

/** @returns whether the record changed anything that can be seen */
function advance(product: Moving, applied: Applied, record: BronzeRecord): boolean {
  const former = product.state
  const { state } = applied
  const seen = state.content !== former?.content || state.alive !== former.alive
  const raw = state.product === null && (!former || hasMoved(former.layers, state.layers))
  product.contentChanged ||= seen
  product.touched ||= seen || state.layers !== former?.layers
  product.moved ||= seen || raw
  product.state = state
  if (seen || raw) product.last = record
  return seen || raw
}

async function lookUp(decoded: readonly Entry[], partition: number, store: ProductStore, trusting: boolean) {
  const wanted = new Map<string, { catalog: string; product: string }>()
  const contexts = new Set<number>()
  const workspaces = new Set<string>()
  const imports = new Set<string>()
  for (const { record } of decoded) {
    if (!trusting || !record.fresh) wanted.set(record.product, { catalog: record.catalog, product: record.product })
    if (record.context > 0) contexts.add(record.context)
    workspaces.add(record.workspace)
    if (record.import !== undefined) imports.add(record.import)
  }
  const [rows, settings, progress] = await Promise.all([
    store.load([...wanted.values()]),
    store.settings([...workspaces]),
    store.progress([...imports], partition),
  ])
  for (const row of rows.values()) for (const id of contextsOf(row.layers)) contexts.add(id)
  const known = new Map<number, ImportContext>()
  const learn = async (ids: Iterable<number>) => {
    const wanted = [...ids].filter((id) => !known.has(id))
    if (wanted.length > 0) for (const found of await store.contexts(wanted)) known.set(found.id, found)
  }
  await learn(contexts)
  const context = (id: number) => (id === 0 ? ownContext : known.get(id))
  const made = new Map<string, Lookups>()
  return {
    rows,
    progress: new Map(progress),
    learn,
    fresh: trusting && wanted.size === 0,
    settingsOf: (workspace: string): SilverSettings => {
      const found = settings.get(workspace)
      if (!found) throw new Error(`workspace ${workspace} has no settings`)
      return found
    },
    of(record: BronzeRecord, digest: Lookups['digest']): Lookups | null {
      if (record.context > 0 && !known.has(record.context)) return null
      const found = made.get(record.workspace)
      if (found) return found
      const own = settings.get(record.workspace)
      if (!own) return null
      const lookups = { context, settings: own, digest }
      made.set(record.workspace, lookups)
      return lookups
    },
  }
}
