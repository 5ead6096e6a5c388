/** An event as a row of the event store with its cells by name: what tests compare with, and benchmarks insert. */
import type { AgentEvent } from '../schemas/event.ts'
import { storeTime } from '../schemas/event-row.ts'

type Cell = string | readonly string[] | Readonly<Record<string, string>>

/** Column by column. What is absent is left out: the store puts the same empty value in its place, and reads a third less. */
export type EventRow = Readonly<Record<string, Cell | undefined>>

export function eventRow(event: AgentEvent): EventRow {
  const { agent } = event
  return {
    workspace: event.workspace,
    brand: event.brand,
    time: storeTime(event.time),
    id: event.id,
    type: event.type,
    catalog: event.catalog,
    product_id: event.product,
    product_ids: event.products,
    session_id: event.session,
    agent_id: agent?.id,
    agent_name: agent?.name,
    agent_version: agent?.version,
    agent_kind: agent?.kind,
    customer_id: event.customer,
    ...event.numbers,
    currency: event.currency,
    metadata: event.metadata,
    received: storeTime(event.received),
  }
}
