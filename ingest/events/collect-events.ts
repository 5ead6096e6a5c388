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
import { agentOf } from '../../transforms/events/agent-of.ts'
import { timeOfUuid } from './event-id.ts'
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
  readonly event: Omit<AgentEvent, 'brand' | 'customer'>
  /** That it names. */
  readonly brand: string | undefined
  readonly customer: string | undefined
  readonly index: number
}

const dayMs = 86_400_000

export function collectEvents(
  sent: readonly SentEvent[],
  ground: Ground,
): { readonly collected: readonly Collected[]; readonly refused: readonly Refused[] } {
  const collected: Collected[] = []
  const refused: Refused[] = []
  const of = { ...ground, received: ground.now.toISOString(), agentOf: remembered(agentOf) }
  for (const [index, one] of sent.entries()) {
    const made = 'unread' in one ? { message: one.unread } : collect(one.value, of)
    if ('message' in made) refused.push({ index, ...made })
    else collected.push({ index, ...made })
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

function collect(value: unknown, ground: Call): Omit<Collected, 'index'> | Omit<Refused, 'index'> {
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
  const input = read.data
  const { now } = ground
  const at = timeOf(input, now)
  if (at === null)
    return {
      field: 'time',
      message: 'an id that is no UUID of version 7 tells no time: a repeat would be another event',
    }
  if (at.getTime() > now.getTime() + aheadMs)
    return { field: 'time', message: `is more than ${aheadMs / 60_000} minutes ahead` }
  if (at.getTime() < now.getTime() - oldestDays * dayMs)
    return { field: 'time', message: `is more than ${oldestDays} days ago` }
  if (at.getTime() < now.getTime() - ground.keptDays * dayMs)
    return { field: 'time', message: `is more than ${ground.keptDays} days ago; this workspace keeps no older events` }
  const agent = agentIn(input, ground)
  const numbers = numbersOf(input)
  const metadata = Object.entries(input.metadata ?? {}).filter(([, one]) => one !== null)
  return {
    customer: input.customer_id || undefined,
    brand: input.brand_id,
    event: {
      v: 1,
      id: input.id ?? ground.newId(at),
      type: input.type,
      time: at.toISOString(),
      received: ground.received,
      workspace: ground.workspace,
      ...(input.catalog_id && { catalog: input.catalog_id }),
      ...(input.product_id && { product: input.product_id }),
      ...(input.product_ids?.length && { products: input.product_ids }),
      ...(input.session_id && { session: input.session_id }),
      ...(Object.keys(agent).length > 0 && { agent }),
      ...(Object.keys(numbers).length > 0 && { numbers }),
      ...(input.currency && { currency: input.currency }),
      ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata.map(([key, one]) => [key, String(one)])) }),
    },
  }
}

type Input = ReturnType<typeof eventInput.parse>

/** The caller's, or its id's: so that a repeat has the same. @returns null where the id is the caller's own and tells none */
function timeOf({ id, time }: Input, now: Date): Date | null {
  if (time !== undefined) return new Date(time)
  return id === undefined ? now : timeOfUuid(id)
}

function agentIn({ agent_id, agent = {} }: Input, { agentOf, userAgent }: Call): NonNullable<AgentEvent['agent']> {
  const known = agentOf(agent.user_agent ?? userAgent)
  const name = agent.name || known?.name
  const version = agent.version || known?.version
  return {
    ...(agent_id && { id: agent_id }),
    ...(name && { name }),
    ...(version && { version }),
    ...(known && { kind: known.kind }),
  }
}

function numbersOf(input: Input): Partial<Record<NumberField, string>> {
  const found: Partial<Record<NumberField, string>> = {}
  for (const name of numberFields) {
    const value = input[name]
    if (value !== undefined) found[name] = typeof value === 'number' ? plainDecimal(value) : value
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
