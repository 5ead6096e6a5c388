/** Computes what a batch of records does: pure but for what it looks up, so that it can be computed again when a row has moved. */
import type { StoredRecord } from '../infra/log/port.ts'
import type { DeadPlace } from '../schemas/dead-letter.ts'
import type { BronzeRecord, ImportContext, SilverSettings } from '../schemas/pipeline.ts'
import type { Applied, Lookups } from './apply.ts'
import { isSaying, sentAs } from './bronze/admit.ts'
import { claimsOf } from './bronze/claims-of.ts'
import { contextsOf } from './bronze/contexts-of.ts'
import { type History, saysIncomplete } from './bronze/history.ts'
import type { HistoryEntry } from './bronze/refold.ts'
import { openBulkTally } from './bulk-tally.ts'
import { openHistories } from './histories.ts'
import { openTally } from './import-tally.ts'
import { advance, type Moving, start } from './moving.ts'
import { ownContext } from './own-context.ts'
import type { DeadRecord, ProductStore, ProductWrite, RefusedRecord, SinkBatch } from './ports.ts'
import { writeOf } from './product-write.ts'
import { letterOf, openRedrives, spelled } from './redrives.ts'
import { attempt, dead as deadAs, deadBy } from './step.ts'
import { isStoreError, reading } from './store-error.ts'
import type { ProductTopology } from './topology.ts'
import type { WorkerPorts } from './worker.ts'

interface Entry {
  readonly stored: StoredRecord
  readonly record: BronzeRecord
}

/** @param trusting records of ids that identity has just made are not looked up; wrong only after a repeat, which commit tells */
export async function computeBatch(
  topology: ProductTopology,
  partition: number,
  from: number,
  records: readonly StoredRecord[],
  ports: Pick<WorkerPorts, 'store' | 'digest' | 'log' | 'taxonomy'>,
  trusting: boolean,
): Promise<SinkBatch> {
  const dead: DeadRecord[] = []
  const refused: RefusedRecord[] = []
  /** What is dead, here or before. */
  const letters = new Set<string>()
  const { epoch } = ports.log
  const position = (stored: StoredRecord) => ({ epoch, partition, offset: stored.offset })
  const bury = (stored: StoredRecord, { reason, as }: ReturnType<typeof deadAs>) => {
    dead.push({
      position: position(stored),
      key: stored.key,
      value: stored.value,
      claims: claimsOf(stored.value),
      reason,
      as,
      attempts: 1,
    })
    letters.add(spelled({ topic: topology.topic, ...position(stored) }))
  }

  const decoded: Entry[] = []
  for (const stored of records) {
    const outcome = attempt(topology.decode, stored.value)
    if (outcome.kind === 'ok') decoded.push({ stored, record: outcome.value })
    else if (outcome.kind === 'dead') bury(stored, outcome)
  }
  const look = await lookUp(decoded, partition, ports.store, trusting)
  for (const one of look.letters) letters.add(spelled(one))
  const tally = openTally()
  const bulk = openBulkTally()
  const taken = new Map<string, number>()
  const moving = new Map<string, Moving>()
  const last = records.at(-1)
  const to = last ? last.offset + 1 : from
  const asked = decoded.flatMap(({ record }) => (isSaying(record) ? [] : [record.product]))
  const histories = openHistories(ports.store, asked, to, { epoch, partition })
  const historyOf = async (record: BronzeRecord, offset: number): Promise<History> => {
    const history = await reading('history', histories.upTo(record.product, offset))
    // The store does not know yet what this batch refuses and buries.
    const out = new Set([...refused, ...dead].map((one) => one.position.offset))
    const isOut = ({ position }: HistoryEntry) => position.epoch === epoch && out.has(position.offset)
    return { ...history, entries: history.entries.map((entry) => (isOut(entry) ? { ...entry, refused: true } : entry)) }
  }
  const redrives = openRedrives({
    ...{ topology, moving, historyOf, letters, rows: look.rows, learn: look.learn },
    lookupsOf: (record) => look.of(record, ports),
  })
  for (const { stored, record } of decoded) {
    const sent = sentAs(record)
    if (topology.admit(record, sent === null ? undefined : look.progress.get(sent.of)).kind === 'drop') continue
    // The repeat of an append can stand in the very batch of the first.
    if (sent !== null) look.progress.set(sent.of, sent.number)
    if (record.once !== undefined) taken.set(record.once.of, record.once.number)
    const lookups = look.of(record, ports)
    if (lookups === null) {
      const reason = `context ${record.context} or workspace ${record.workspace} is unknown`
      bury(stored, deadAs(reason, 'unknown_context'))
      bulk.count(record, stored.offset, 'refused')
      tally.dead(record, 'its import context is unknown')
      continue
    }
    if (record.op === 'redrive') {
      const taken = await redrives.take(record, position(stored))
      if ('code' in taken) refused.push({ position: position(stored), product: record.product, ...taken })
      bulk.count(record, stored.offset, 'code' in taken ? 'refused' : taken.changed ? 'changed' : 'unchanged')
      continue
    }
    const product = moving.get(record.product) ?? start(record, look.rows.get(record.product) ?? null)
    const refusal = topology.refuse(product.state, record)
    if (refusal) {
      refused.push({ position: position(stored), product: record.product, ...refusal })
      bulk.count(record, stored.offset, 'refused')
      continue
    }
    const history = isSaying(record) ? null : await historyOf(record, stored.offset)
    if (history?.hole) {
      const says = saysIncomplete(history.hole)
      refused.push({ position: position(stored), product: record.product, code: 'LOG_INCOMPLETE', says })
      bulk.count(record, stored.offset, 'refused')
      continue
    }
    try {
      const applied =
        history === null
          ? topology.apply(product.state, record, position(stored), lookups)
          : await refolded(topology, product, record, history, lookups, look.learn)
      const former = product.state?.layers
      const changed = advance(product, applied, record)
      moving.set(record.product, product)
      bulk.count(record, stored.offset, changed ? 'changed' : 'unchanged')
      tally.count(record, applied.effect, applied.warnings)
      tally.withdrawn(record, former !== undefined && applied.state.layers !== former)
    } catch (error) {
      if (isStoreError(error)) throw error
      const outcome = deadBy(error)
      bury(stored, outcome)
      bulk.count(record, stored.offset, 'refused')
      tally.dead(record, outcome.reason)
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
    taken,
    dead,
    redriven: redrives.result(),
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

async function refolded(
  topology: ProductTopology,
  product: Moving,
  record: BronzeRecord,
  history: History,
  lookups: Lookups,
  learn: (contexts: Iterable<number>) => Promise<void>,
): Promise<Applied> {
  const { layers } = topology.refold(history)
  if (layers === null) throw new Error(`${record.op} of a product without any record`)
  await reading('contexts', learn(contextsOf(layers)))
  return topology.settle(product.state, layers, lookups, null)
}

async function lookUp(decoded: readonly Entry[], partition: number, store: ProductStore, trusting: boolean) {
  const wanted = new Map<string, { catalog: string; product: string }>()
  const contexts = new Set<number>()
  const workspaces = new Set<string>()
  const senders = new Set<string>()
  const places: DeadPlace[] = []
  for (const { record } of decoded) {
    if (!trusting || !record.fresh) wanted.set(record.product, { catalog: record.catalog, product: record.product })
    if (record.context > 0) contexts.add(record.context)
    workspaces.add(record.workspace)
    const sent = sentAs(record)
    if (sent !== null) senders.add(sent.of)
    const letter = letterOf(record)
    if (letter) places.push(letter)
  }
  const [rows, settings, progress, letters] = await Promise.all([
    store.load([...wanted.values()]),
    store.settings([...workspaces]),
    store.progress([...senders], partition),
    places.length > 0 ? store.letters(places) : [],
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
    letters,
    learn,
    fresh: trusting && wanted.size === 0,
    settingsOf: (workspace: string): SilverSettings => {
      const found = settings.get(workspace)
      if (!found) throw new Error(`workspace ${workspace} has no settings`)
      return found
    },
    of(record: BronzeRecord, { digest, taxonomy }: Pick<Lookups, 'digest' | 'taxonomy'>): Lookups | null {
      if (record.context > 0 && !known.has(record.context)) return null
      const found = made.get(record.workspace)
      if (found) return found
      const own = settings.get(record.workspace)
      if (!own) return null
      const lookups = { context, settings: own, digest, taxonomy }
      made.set(record.workspace, lookups)
      return lookups
    },
  }
}
