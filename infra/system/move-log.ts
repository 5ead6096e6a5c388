/** Moves the log into its next epoch: waits until nothing is under way, closes the present one and opens the next (DESIGN 5.7). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { allTopics, topics } from '../../schemas/topics.ts'
import { products as topology } from '../../transforms/topology.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { countUnresolved } from '../catalog/inbound-queries.ts'
import { beginMove, countAppending, fenceEpoch, type Offsets, openNext } from '../catalog/log-epochs.ts'
import type { Epoch } from '../catalog/migrate.ts'
import { type Catalog, connect } from '../catalog/postgres.ts'
import { closeSegment } from '../log/close-segment.ts'
import type { InboundLog } from '../log/inbound-log.ts'
import type { EpochReader, Log } from '../log/port.ts'
import { StartError } from '../start-error.ts'
import type { Archiving } from './archiving.ts'
import { awaitedInbound } from './awaited-inbound.ts'
import { eventsGroup } from './event-sink.ts'
import type { OpenEpoch } from './open-epoch.ts'

export interface MoveParts {
  readonly catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  readonly databaseUrl: string
  readonly log: Log
  readonly inbound: Pick<InboundLog, 'topics' | 'ends' | 'read'>
  readonly archiving: Pick<Archiving, 'runNow'>
  /** Makes ready where the next epoch will be, before it is one. */
  readonly prepare: (next: Epoch) => Promise<Pick<OpenEpoch, 'log' | 'topicId' | 'close'>>
}

/** What the move waits for: jobs that append, records that the sink has not passed, and messages of tenants that are not resolved. */
export interface Waiting {
  readonly jobs: number
  readonly records: number
}

const askEveryMs = 100

/** Those that begin the next epoch where it begins. Events need not be waited for: their consumer reads former epochs to their ends. */
const consumers = [topology, { group: eventsGroup, topic: topics.events }]

/**
 * While it runs every node refuses new writes; once it has ended each that serves must be started anew.
 * @param waiting told of what is still under way, again and again
 * @throws StartError where another move is under way
 */
export async function moveLog(
  parts: MoveParts,
  to: Omit<Epoch, 'epoch'>,
  waiting: (left: Waiting) => void,
  signal = new AbortController().signal,
): Promise<Epoch> {
  const { catalog, databaseUrl, archiving } = parts
  const session = await connect(databaseUrl)
  try {
    if (!(await beginMove(session))) throw new StartError('Another assay migrate-log is under way.')
    const next = { ...to, epoch: parts.log.epoch + 1 }
    const prepared = await parts.prepare(next)
    try {
      // Brokers that are left are read no more; between embedded epochs `countUnresolved` counts all of them.
      const leaves = !parts.log.transactional && to.engine === 'postgres'
      const unresolved = leaves ? await awaitedInbound(catalog.pipeline, parts.inbound) : async () => 0
      for (;;) {
        signal.throwIfAborted()
        const left = await underWay(parts, catalog.pipeline, unresolved)
        // Before the fence stands: behind it there is little left to archive.
        const ready = isNothing(left) && (await archiving.runNow(signal)) !== null
        if (ready && (await step(parts, next, prepared, unresolved, signal))) break
        waiting(left)
        await sleep(askEveryMs)
      }
    } finally {
      await prepared.close()
    }
    // What was appended in the former epoch is then found by its keys without a look at all of them.
    await closeSegment(catalog.pipeline)
    return next
  } finally {
    await session.end()
  }
}

const isNothing = ({ jobs, records }: Waiting) => jobs === 0 && records === 0

async function underWay(
  { log }: MoveParts,
  client: Catalog['pipeline'] | PoolClient,
  unresolved: () => Promise<number>,
): Promise<Waiting> {
  // First: what is resolved meanwhile is on the log, or counted as under way, when that is asked.
  const waiting = await unresolved()
  const jobs = await countAppending(client)
  const ends = await log.ends(topology.topic)
  const passed = await sinkPositions(client, topology.group, log.epoch, topology.topic, log.partitions)
  const unread = ends.reduce((sum, end, i) => sum + Math.max(0, end - (passed[i] ?? 0)), 0)
  return { jobs, records: waiting + unread + (await countUnresolved(client)) }
}

/** @returns false where something was appended just before the fence stood, or another process is archiving */
function step(
  parts: MoveParts,
  next: Epoch,
  prepared: Pick<OpenEpoch, 'topicId'> & { readonly log: Pick<EpochReader, 'ends'> },
  unresolved: () => Promise<number>,
  signal: AbortSignal,
): Promise<boolean> {
  const { catalog, log, archiving } = parts
  return catalog.inTransaction(catalog.pipeline, async (tx) => {
    await fenceEpoch(tx)
    if (!isNothing(await underWay(parts, tx, unresolved)) || (await archiving.runNow(signal)) === null) return false
    const [ends, begins] = [await endsOf(log), await endsOf(prepared.log)]
    await openNext(tx, { closed: log.epoch, ends }, { ...next, begins, topicId: prepared.topicId }, consumers)
    return true
  })
}

async function endsOf(log: Pick<EpochReader, 'ends'>): Promise<Offsets> {
  const ends: [string, readonly number[]][] = []
  for (const topic of allTopics) ends.push([topic, await log.ends(topic)])
  return Object.fromEntries(ends)
}
