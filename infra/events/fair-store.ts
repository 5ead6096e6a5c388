/** An event store whose questions wait for their turns by workspace; what is inserted does not wait. */
import type { FairQueue } from './fair-queue.ts'
import type { EventStore } from './port.ts'

/** A question that binds no workspace is one of our own. */
export const fairStore = (store: EventStore, queue: FairQueue): EventStore => ({
  ...store,
  ask: (sql, bound, limits) =>
    queue.run(String(bound.workspace ?? ''), () => store.ask(sql, bound, limits), limits.signal),
})
