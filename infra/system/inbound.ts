/** Reads what tenants write to topics of their own, each partition from where it came to, and puts it on the log. */
import { setTimeout as sleep } from 'node:timers/promises'
import { takeMessages } from '../../ingest/inbound/take-messages.ts'
import { inboundPosition } from '../catalog/inbound-queries.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { InboundLog } from '../log/inbound-log.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { inboundPorts } from './inbound-ports.ts'

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly inbound: InboundLog
  readonly bulk: Pick<BulkWriter, 'keepPace'>
  readonly onError: (error: unknown) => void
}

const pollMs = 200
/** How soon a topic is seen that was made just now. */
const lookMs = 2_000
const retryMs = 1_000
const batchMessages = 1_000

/** @returns stops it after the batches under way */
export function startInbound({ catalog, log, inbound, bulk, onError }: Parts): () => Promise<void> {
  const stop = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {})
  const loops = new Map<string, Promise<void>>()
  const ports = inboundPorts(catalog, log)

  async function follow(topic: string, partition: number): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        const from = await inboundPosition(catalog.pipeline, topic, partition)
        const messages = await inbound.read(topic, partition, from, batchMessages)
        if (messages.length === 0) await pause(pollMs)
        else {
          await bulk.keepPace(stop.signal)
          await takeMessages(topic, partition, from, messages, ports)
        }
      } catch (error) {
        if (!stop.signal.aborted) onError(error)
        await pause(retryMs)
      }
    }
  }

  async function look(): Promise<void> {
    for (; !stop.signal.aborted; await pause(lookMs)) {
      const found = await inbound.topics().catch((error: unknown) => {
        onError(error)
        return []
      })
      for (const { topic, partitions } of found)
        for (let partition = 0; partition < partitions; partition++) {
          const name = `${topic}/${partition}`
          if (!loops.has(name)) loops.set(name, follow(topic, partition))
        }
    }
  }

  const looking = look()
  return async () => {
    stop.abort()
    await looking
    await Promise.all(loops.values())
  }
}
