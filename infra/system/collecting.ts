/** Puts events on the log: those that callers send, and those that Assay's own channels record. */
import { randomBytes } from 'node:crypto'
import { collectEvents, type Refused } from '../../ingest/events/collect-events.ts'
import { uuidAt } from '../../ingest/events/event-id.ts'
import type { SentEvent } from '../../ingest/events/read-events.ts'
import type { AgentEvent, RecordedEvent } from '../../schemas/event.ts'
import { retention } from '../../schemas/retention.ts'
import { topics } from '../../schemas/topics.ts'
import { agentOf } from '../../transforms/events/agent-of.ts'
import { customerNames, eraseCustomer } from '../catalog/customers.ts'
import { readEventDays } from '../catalog/event-days.ts'
import { type EventScope, placesOf } from '../catalog/event-places.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { readSecret } from '../catalog/secrets.ts'
import type { Log } from '../log/port.ts'
import { appendTogether } from './append-together.ts'
import type { FreshLines } from './fresh-lines.ts'

export interface Collecting {
  collect(
    scope: EventScope & { readonly userAgent: string },
    sent: readonly SentEvent[],
  ): Promise<{ readonly accepted: number; readonly refused: readonly Refused[] }>
  /** What a channel of Assay's own did. @returns its id at once, and when it stands on the log */
  record(
    workspace: string,
    userAgent: string,
    event: RecordedEvent,
  ): { readonly id: string; readonly appended: Promise<void> }
  /** From then on nobody can tell whose the customer's events were. @returns whether there were any */
  erase(workspace: string, customer: string): Promise<boolean>
  /** What was recorded is on the log then. */
  close(): Promise<void>
}

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly fresh: FreshLines
}

export function openCollecting({ catalog, log, fresh }: Parts): Collecting {
  const pool = catalog.pipeline
  let key: Promise<Buffer> | undefined
  const customersKey = () => {
    key ??= readSecret(pool, 'customers').catch((error: unknown) => {
      key = undefined
      throw error
    })
    return key
  }
  const appendAll = async (events: readonly AgentEvent[]) => {
    const records = events.map((event) => ({ key: event.id, value: JSON.stringify(event) }))
    fresh.keep(events, await log.append(topics.events, records))
  }
  const { append, close } = appendTogether(appendAll)
  return {
    close,
    erase: async (workspace, customer) => eraseCustomer(pool, await customersKey(), workspace, customer),

    record(workspace, userAgent, { agent: named, ...event }) {
      const now = new Date()
      const agent = named ? { ...agentOf(`${named.name}/${named.version ?? ''}`), ...named } : agentOf(userAgent)
      const at = { id: uuidAt(now, randomBytes(10)), time: now.toISOString(), received: now.toISOString() }
      const whole: AgentEvent = { v: 1, ...at, workspace, ...event, ...(agent && { agent }) }
      return { id: whole.id, appended: append(whole) }
    },

    async collect({ userAgent, ...scope }, sent) {
      const workspace = scope.principal.workspaceId
      const newId = (at: Date) => uuidAt(at, randomBytes(10))
      const keptDays = (await readEventDays(pool, workspace)) ?? retention.events.days
      const { collected, refused } = await collectEvents(sent, {
        workspace,
        userAgent,
        now: new Date(),
        newId,
        keptDays,
      })
      const placeOf = await placesOf(catalog, scope, collected)
      const taken: { readonly event: AgentEvent; readonly customer: string | undefined }[] = []
      const foreign: Refused[] = []
      for (const one of collected) {
        const place = placeOf(one)
        if ('message' in place) foreign.push({ index: one.index, ...place })
        else taken.push({ event: Object.assign(one.event, place), customer: one.customer })
      }
      const customers = new Set<string>()
      for (const { customer } of taken) if (customer !== undefined) customers.add(customer)
      const names = await customerNames(pool, await customersKey(), workspace, [...customers])
      const events = taken.map(({ event, customer }) => {
        const name = customer === undefined ? undefined : names.get(customer)
        return name === undefined ? event : { ...event, customer: name }
      })
      if (events.length > 0) await appendAll(events)
      return { accepted: events.length, refused: [...refused, ...foreign].sort((a, b) => a.index - b.index) }
    },
  }
}
