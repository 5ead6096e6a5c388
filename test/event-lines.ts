/** Events as the event store takes them. */
import type { AgentEvent } from '../schemas/event.ts'
import type { EventPlace } from '../schemas/event-row.ts'
import { lineWriter } from '../transforms/events/line-writer.ts'

/** As rows from before there were places. */
const unplaced: EventPlace = { stream: '0', rank: String(2n ** 64n - 1n) }

export function eventLines(events: readonly AgentEvent[], place = unplaced): readonly Uint8Array[] {
  const lines = lineWriter(events.length)
  for (const event of events) lines.add(event, place)
  return [lines.bytes()]
}
