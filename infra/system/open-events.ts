/** The event store of a configuration, with a queue before it. */
import { join } from 'node:path'
import { topics } from '../../schemas/topics.ts'
import { changeStoreAlone } from '../catalog/change-store-alone.ts'
import { matchStore } from '../catalog/event-store-id.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Config } from '../config.ts'
import { clickhouseEvents, type OpenedStore } from '../events/clickhouse.ts'
import { embeddedEvents } from '../events/embedded.ts'
import { fairQueue, type QueueBounds } from '../events/fair-queue.ts'
import { fairStore } from '../events/fair-store.ts'
import type { EventStore } from '../events/port.ts'
import { eventsGroup } from './event-sink.ts'

/** With the time that a question may take, less than a request has. */
const waits = { waitMs: 15_000, waiting: 200 }
/** Of this process: others before the same server have a queue each. */
const ofServer: QueueBounds = { ...waits, atOnce: 8, each: 4 }
/** It answers one after another, whatever it is asked. */
const ofEmbedded: QueueBounds = { ...waits, atOnce: 1, each: 1 }

/** The embedded one starts when it is first asked: who has no events has no process for them. */
export function openEvents(
  { clickhouseUrl, clickhouseCluster: cluster, dataFolder }: Config,
  { pipeline }: Pick<Catalog, 'pipeline'>,
): EventStore {
  // Several processes may come to a server at once; an embedded one belongs to this one.
  const alone = (work: () => Promise<void>) => changeStoreAlone(pipeline, work)
  const match = (store: OpenedStore) => matchStore(pipeline, eventsGroup, topics.events, store)
  if (clickhouseUrl !== undefined)
    return fairStore(
      clickhouseEvents(async () => clickhouseUrl, { cluster, alone, match }),
      fairQueue(ofServer),
    )
  const embedded = embeddedEvents(join(dataFolder, 'events'))
  return fairStore(clickhouseEvents(embedded.address, { ...embedded, match }), fairQueue(ofEmbedded))
}
