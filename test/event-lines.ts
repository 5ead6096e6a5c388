/** Events as the event store takes them. */
import type { AgentEvent } from '../schemas/event.ts'
import type { EventPlace } from '../schemas/event-row.ts'
import { eventLine } from '../transforms/events/event-line.ts'

/** As rows from before there were places. */
const unplaced: EventPlace = { stream: '0', rank: String(2n ** 64n - 1n) }

export const eventLines = (events: readonly AgentEvent[], place = unplaced): readonly Uint8Array[] => [
  Buffer.from(events.map((event) => eventLine(event, place)).join('')),
]
