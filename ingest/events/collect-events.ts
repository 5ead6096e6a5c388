/** Makes events for the log of what was sent; what cannot be one is refused by its place, and the others go on. */
import {
  type AgentEvent,
  aheadMs,
  eventInput,
  largestEventCharacters,
  type NumberField,
  numberFields,
  oldestDays,
} from '../../schemas/event.ts'
import { canonicalLength, utcInstant } from '../../schemas/instant.ts'
import { agentOf } from '../../transforms/events/agent-of.ts'
import { breaths } from './breaths.ts'
import { timeOfUuid } from './event-id.ts'
import { type EventInput, isPlainEvent } from './plain-event.ts'
import type { SentEvent } from './read-events.ts'

export interface Refused {
  /** Counted from 0. */
  readonly index: number
  readonly field?: string
  readonly message: string
}

export interface Ground {
  readonly workspace: string
  readonly now: Date
  readonly newId: (at: Date) => string
  /** Days that the workspace keeps its events. */
  readonly keptDays: number
  /** Of the request, where an event names no agent of its own. */
  readonly userAgent: string
}

/** Before it is known whether what it names is the caller's, and under which name its customer goes. */
export interface Collected {
  readonly event: Draft
  /** That it names. */
  readonly brand: string | undefined
  readonly customer: string | undefined
  readonly index: number
}

/** Nobody else's, so that what it lacks is put into it. */
export type Draft = { -readonly [name in keyof Omit<AgentEvent, 'brand' | 'customer'>]: AgentEvent[name] }

const dayMs = 86_400_000

export async function collectEvents(
  sent: readonly SentEvent[],
  ground: Ground,
): Promise<{ readonly collected: readonly Collected[]; readonly refused: readonly Refused[] }> {
  const breath = breaths()
  const collected: Collected[] = []
  const refused: Refused[] = []
  const of = { ...ground, received: ground.now.toISOString(), agentOf: remembered(agentOf) }
  for (const [index, one] of sent.entries()) {
    const pause = breath()
    if (pause) await pause
    const made = 'unread' in one ? { message: one.unread } : collect(one.value, index, of)
    if ('message' in made) refused.push({ index, ...made })
    else collected.push(made)
  }
  return { collected, refused }
}

interface Call extends Ground {
  /** Now, as events have it. */
  readonly received: string
  readonly agentOf: typeof agentOf
}

/** One body names few user agents, and each is looked for in a whole table. */
function remembered<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const looked = look(text)
    known.set(text, looked)
    return looked
  }
}

function collect(value: unknown, index: number, ground: Call): Collected | Omit<Refused, 'index'> {
  if (isPlainEvent(value)) return made(value, index, ground)
  const read = eventInput.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const field = issue?.path.join('.')
    return { message: issue?.message ?? 'is no event', ...(field && { field }) }
  }
  // What is far from it need not be written out to be measured: of what is collected that took a tenth of the time.
  const characters = charactersOf(value)
  if (characters > surelySmall && JSON.stringify(value).length > largestEventCharacters)
    return { message: `has more than ${largestEventCharacters} characters` }
  if (Object.hasOwn(Object(value).metadata ?? {}, '__proto__'))
    return { field: 'metadata', message: '__proto__ is no key' }
  if (Number.isNaN(characters)) return { message: 'the character U+0000 and halves of surrogate pairs are no text' }
  return made(read.data, index, ground)
}

function made(input: EventInput, index: number, ground: Call): Collected | Omit<Refused, 'index'> {
  const now = ground.now.getTime()
  const at = timeOf(input, now)
  if (at === null)
    return {
      field: 'time',
      message: 'an id that is no UUID of version 7 tells no time: a repeat would be another event',
    }
  if (at > now + aheadMs) return { field: 'time', message: `is more than ${aheadMs / 60_000} minutes ahead` }
  if (at < now - oldestDays * dayMs) return { field: 'time', message: `is more than ${oldestDays} days ago` }
  if (at < now - ground.keptDays * dayMs)
    return { field: 'time', message: `is more than ${ground.keptDays} days ago; this workspace keeps no older events` }
  const event: Draft = {
    v: 1,
    id: input.id ?? ground.newId(new Date(at)),
    type: input.type,
    time: isCanonical(input.time) ? input.time : new Date(at).toISOString(),
    received: ground.received,
    workspace: ground.workspace,
  }
  // Assigned one by one: to spread each into the next took a fifth of the time.
  if (input.catalog_id) event.catalog = input.catalog_id
  if (input.product_id) event.product = input.product_id
  if (input.product_ids?.length) event.products = input.product_ids
  if (input.session_id) event.session = input.session_id
  const agent = agentIn(input, ground)
  if (agent) event.agent = agent
  const numbers = numbersOf(input)
  if (numbers) event.numbers = numbers
  if (input.currency) event.currency = input.currency
  const metadata = textsOf(input.metadata)
  if (metadata) event.metadata = metadata
  return { customer: input.customer_id || undefined, brand: input.brand_id, index, event }
}

/** The caller's, or its id's: so that a repeat has the same. @returns null where the id is the caller's own and tells none */
function timeOf({ id, time }: EventInput, now: number): number | null {
  if (time !== undefined) return Date.parse(time)
  return id === undefined ? now : (timeOfUuid(id)?.getTime() ?? null)
}

const isCanonical = (time: string | undefined): time is string =>
  time !== undefined && time.length === canonicalLength && utcInstant.test(time)

type Agent = { -readonly [name in keyof NonNullable<AgentEvent['agent']>]: string }

/** @returns null where nothing is known of one, as of numbers and texts */
function agentIn({ agent_id, agent = {} }: EventInput, { agentOf, userAgent }: Call): Agent | null {
  const known = agentOf(agent.user_agent ?? userAgent)
  const name = agent.name || known?.name
  const version = agent.version || known?.version
  if (!agent_id && !name && !version && !known) return null
  const found: Agent = {}
  if (agent_id) found.id = agent_id
  if (name) found.name = name
  if (version) found.version = version
  if (known) found.kind = known.kind
  return found
}

function numbersOf(input: EventInput): Partial<Record<NumberField, string>> | null {
  let found: Partial<Record<NumberField, string>> | null = null
  for (const name of numberFields) {
    const value = input[name]
    if (value === undefined) continue
    found ??= {}
    found[name] = typeof value === 'number' ? plainDecimal(value) : value
  }
  return found
}

function textsOf(metadata: EventInput['metadata']): Record<string, string> | null {
  let found: Record<string, string> | null = null
  for (const key of Object.keys(metadata ?? {})) {
    const value = metadata?.[key]
    if (value === undefined || value === null) continue
    found ??= {}
    found[key] = String(value)
  }
  return found
}

/** A number of JSON may have float noise far behind the point: nine decimals are kept, as the store does. */
const plainDecimal = (value: number) =>
  value
    .toFixed(9)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0')

/** A character may be six as JSON, and beside texts there are at most some 50 names and numbers. */
const surelySmall = (largestEventCharacters - 4_096) / 6

/** @returns those of all names and texts; NaN where a text has the character U+0000 or half of a surrogate pair */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? value.length : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let characters = 0
  for (const name of Object.keys(value))
    characters += name.length + charactersOf((value as Record<string, unknown>)[name])
  return characters
}
