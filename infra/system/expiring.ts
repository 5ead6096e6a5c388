/** Removes events that are kept no longer, and remembers that it did. */
import { moveHorizons, ownEventDays } from '../catalog/event-days.ts'
import { hasWritten } from '../catalog/event-store-id.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { expireEvents } from '../events/expire.ts'
import type { EventStore } from '../events/port.ts'
import { eventsGroup } from './event-sink.ts'

interface Parts {
  readonly catalog: Pick<Catalog, 'pipeline'>
  readonly events: Pick<EventStore, 'ask' | 'remove'>
}

export async function expireKept({ catalog, events }: Parts, now: Date): Promise<void> {
  const pool = catalog.pipeline
  // A store that nothing was written to is not asked, and an embedded one not started.
  if (!(await hasWritten(pool, eventsGroup))) return
  const own = await ownEventDays(pool)
  await moveHorizons(pool, own, now)
  await expireEvents(events, own, now)
}
