/** An event of the log as a row of the event store. */
import { type AgentEvent, type NumberField, numberFields } from '../../schemas/event.ts'
import { noId, storeTime } from '../../schemas/event-row.ts'

/** Column by column; what is absent is empty, or zero where it is an id. */
export type EventRow = Readonly<Record<string, string | null | readonly string[] | Readonly<Record<string, string>>>>

export function flatten(event: AgentEvent): EventRow {
  const { agent = {}, numbers = {} } = event
  const amounts = Object.fromEntries(numberFields.map((name: NumberField) => [name, numbers[name] ?? null]))
  return {
    workspace: event.workspace,
    brand: event.brand,
    time: storeTime(event.time),
    id: event.id,
    type: event.type,
    catalog: event.catalog ?? noId,
    product_id: event.product ?? '',
    product_ids: event.products ?? [],
    session_id: event.session ?? '',
    agent_id: agent.id ?? '',
    agent_name: agent.name ?? '',
    agent_version: agent.version ?? '',
    agent_kind: agent.kind ?? '',
    customer_id: event.customer ?? '',
    ...amounts,
    currency: event.currency ?? '',
    metadata: event.metadata ?? {},
    received: storeTime(event.received),
  }
}
