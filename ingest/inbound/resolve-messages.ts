/** Finds what messages of one inbound partition are: whose catalog each means, which product it is, and the record that it makes; or why it is put aside. */
import type { Identities } from '../../infra/catalog/identities.ts'
import { workspaceOfTopic } from '../../schemas/inbound.ts'
import type { BronzeRecord, ImportContext } from '../../schemas/pipeline.ts'
import type { Field } from '../../schemas/product.ts'
import { setInSettings } from '../../transforms/bronze/mapping-of.ts'
import { attempt, dead, drop, type Outcome } from '../../transforms/step.ts'
import { type Candidate, identifierReader } from '../candidate.ts'
import { editRecord } from '../edit.ts'
import { type Found, type Resolution, resolve } from '../identity.ts'
import { type JoinPorts, joinGroups, rememberGroups } from '../join-groups.ts'
import { recordOf } from '../record.ts'
import { derivedId } from './derived-id.ts'
import { inboundContext } from './inbound-context.ts'
import { type InboundMessage, type JudgedMessage, judgeMessage } from './judge-message.ts'

export interface InboundTarget {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

export interface ResolvePorts extends JoinPorts {
  readonly identities: Pick<Identities, 'find' | 'gained'>
  /** Durable when it resolves. @throws a unique violation where a rival has registered one of them */
  readonly register: (catalog: string, found: Pick<Resolution, 'insert' | 'share' | 'gain'>) => Promise<void>
  readonly isUniqueViolation: (error: unknown) => boolean
  readonly now: () => Date
  /** @param id null: the default catalog @returns null where there is none */
  readonly target: (workspace: string, id: string | null) => Promise<InboundTarget | null>
  /** Number of the context of this source in this catalog. */
  readonly context: (target: InboundTarget, source: string) => Promise<number>
  /** Columns that the workspace maps for this source. */
  readonly mapping: (workspace: string, source: string) => Promise<Readonly<Record<string, Field>>>
  /** Products that the plan still takes. */
  readonly room: (workspace: string) => Promise<number>
}

/** A topic of tenants, as it was when these messages were written to it. */
export interface InboundOrigin {
  readonly topic: string
  readonly epoch: number
}

/** A message on its way: what it says, or why it is dead. */
export interface Taken {
  readonly message: InboundMessage
  outcome: Outcome<JudgedMessage>
  target: InboundTarget | null
  record: BronzeRecord | null
  /** Of others, before its own: of the parent of a group that a message of the batch names, and of whoever was alone in it. */
  beside: readonly BronzeRecord[]
}

/** A rival registers the same identifiers once; more collisions than this are a fault of ours. */
const maxTries = 5

/** In order; identities are registered for what makes records, and nothing else is written. */
export async function resolveMessages(
  origin: InboundOrigin,
  messages: readonly InboundMessage[],
  ports: ResolvePorts,
): Promise<readonly Taken[]> {
  const { topic } = origin
  const workspace = workspaceOfTopic(topic)
  if (workspace === null) throw new Error(`${topic} is no inbound topic`)
  const taken = messages.map((message): Taken => {
    const outcome = attempt((one: InboundMessage) => judgeMessage(topic, one), message)
    return { message, outcome, target: null, record: null, beside: [] }
  })
  await findTargets(workspace, taken, ports)
  const bySource = Map.groupBy(
    taken.filter(({ target }) => target !== null),
    ({ target, outcome }) => `${target?.catalog} ${outcome.kind === 'ok' && outcome.value.source}`,
  )
  // One after the other: the next finds what the one before has registered.
  for (const group of bySource.values()) await identify(origin, group, ports)
  return taken
}

async function findTargets(workspace: string, taken: readonly Taken[], ports: ResolvePorts): Promise<void> {
  const known = new Map<string | null, InboundTarget | null>()
  for (const one of taken) {
    if (one.outcome.kind !== 'ok') continue
    const { catalog } = one.outcome.value
    if (!known.has(catalog)) known.set(catalog, await ports.target(workspace, catalog))
    one.target = known.get(catalog) ?? null
    if (one.target === null)
      one.outcome = dead(`there is no catalog ${catalog ?? 'of the brand main'} in ${workspace}`, 'unknown_catalog')
  }
}

/** Those of one catalog and source, in order. */
async function identify(origin: InboundOrigin, group: readonly Taken[], ports: ResolvePorts): Promise<void> {
  const [first] = group
  if (!first?.target || first.outcome.kind !== 'ok') return
  const { target } = first
  const { source } = first.outcome.value
  const [context, mapped] = await Promise.all([ports.context(target, source), ports.mapping(target.workspace, source)])
  const mapping = identifying(mapped)
  let asked = askable(group, identifierReader({ mapping }))
  for (let tries = 1; ; ) {
    const scope = { workspace: target.workspace, catalog: target.catalog, source }
    const wanted = asked.map(({ candidate }) => ({ candidate, shared: null }))
    const resolution = await resolve(wanted, scope, ports.identities, false)
    const fresh = resolution.found.some((each) => each.fresh)
    const rest = asked.filter(stays(resolution.found, fresh ? await ports.room(target.workspace) : 0))
    // Nothing is registered for what makes no product.
    if (rest.length < asked.length) {
      asked = rest
      continue
    }
    const grouped = await joinGroups(resolution, scope, mapping, ports)
    const { found, insert, share, gain, beside = [] } = grouped
    try {
      await ports.register(target.catalog, { insert, share, gain })
    } catch (error) {
      if (!ports.isUniqueViolation(error) || tries++ === maxTries) throw error
      continue
    }
    rememberGroups(grouped, source, ports)
    const at = ports.now().toISOString()
    const by = { ...target, by: 'assay' }
    first.beside = beside.map(({ id, sid, cells, says }) => ({ ...editRecord(by, id, sid, cells, says), at }))
    const row = { ...target, source, id: streamOf(origin, first.message.partition, target.catalog, source) }
    for (const [i, { one }] of asked.entries()) {
      const each = found[i]
      if (!each || one.outcome.kind !== 'ok') continue
      const record = recordOf({ ...each, fresh: false }, row, context, null, at)
      one.record = one.outcome.value.op === 'put' ? record : { ...record, op: 'withdraw', rows: [], cells: {} }
    }
    return
  }
}

interface AskedMessage {
  readonly one: Taken
  readonly candidate: Candidate
}

/** What can be asked for at all; a key is what the source calls the product. */
function askable(group: readonly Taken[], idsOf: ReturnType<typeof identifierReader>): AskedMessage[] {
  return group.flatMap((one) => {
    if (one.outcome.kind !== 'ok') return []
    const { cells, key } = one.outcome.value
    const read = idsOf(cells)
    const ids = { ...read, sourceId: read.sourceId ?? key }
    if (Object.values(ids).every((id) => id === null)) {
      one.outcome = dead('it has no key and no identifier', 'no_identity')
      return []
    }
    const { offset } = one.message
    return [{ one, candidate: { seq: offset, rows: [offset + 1], kind: 'single', cells, ids } }]
  })
}

/** Columns that the workspace maps come before our own names. */
function identifying(mapped: Readonly<Record<string, Field>>): ImportContext['mapping'] {
  const chosen = Object.entries(mapped).map(([column, field]) => [column, { field, reason: setInSettings }] as const)
  const own = Object.entries(inboundContext.mapping).filter(([column]) => !Object.hasOwn(mapped, column))
  return Object.fromEntries([...chosen, ...own])
}

/** Whether a message goes on: what withdraws a product that there never was is done; what decides nothing, or is too much for the plan, is dead. */
function stays(found: readonly Found[], room: number): (asked: AskedMessage, at: number) => boolean {
  let made = 0
  return ({ one }, at) => {
    const { product = null, fresh = false } = found[at] ?? {}
    const withdraws = one.outcome.kind === 'ok' && one.outcome.value.op === 'withdraw'
    if (product === null) one.outcome = dead('its identifiers lead to several products', 'no_identity')
    else if (fresh && withdraws) one.outcome = drop('there is no such product')
    else if (fresh && ++made > room) one.outcome = dead('the plan takes no more products', 'no_room')
    return one.outcome.kind === 'ok'
  }
}

/**
 * A partition of a topic is an import that never ends, for each catalog and source in it: its seq is the message's offset, by
 * which a repeat is dropped. A topic that was made anew begins again, as another import.
 */
const streamOf = ({ topic, epoch }: InboundOrigin, partition: number, catalog: string, source: string): string =>
  derivedId([topic, ...(epoch === 0 ? [] : [epoch]), partition, catalog, source])
