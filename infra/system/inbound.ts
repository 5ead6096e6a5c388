/** Reads what tenants write to topics of their own, each partition from where it came to, and puts it on the log. */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendMade, takeMessages } from '../../ingest/inbound/take-messages.ts'
import type { Membership, PartitionShare } from '../../transforms/ports.ts'
import { type InboundPlace, inboundPosition } from '../catalog/inbound-queries.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { InboundLog } from '../log/inbound-log.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { freshFor } from './fresh-for.ts'
import { inboundPorts } from './inbound-ports.ts'
import type { LeaseTurns } from './lease-turns.ts'
import { leasedShare } from './leased-share.ts'

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly inbound: Omit<InboundLog, 'lookUp' | 'ends'>
  readonly bulk: Pick<BulkWriter, 'keepPace'>
  /** Of the lanes: each process has some, and one that falls silent loses them with its sessions. */
  readonly share: PartitionShare
  readonly onError: (error: unknown) => void
}

/** Partitions of topics are dealt out to so many lanes, of which no more processes than there are have any. */
const lanes = 8
const pollMs = 200
/** How soon a topic is seen that was made just now. */
const lookMs = 2_000
const retryMs = 1_000
const batchMessages = 1_000

/** @param turns of this process */
export const inboundShare = (turns: LeaseTurns, member: string, onError: (error: unknown) => void): PartitionShare =>
  leasedShare(turns, { group: 'inbound', epoch: 0, topic: 'lanes', partitions: lanes, member }, onError)

const laneOf = ({ topic, partition }: Pick<InboundPlace, 'topic' | 'partition'>) =>
  Number.parseInt(hash('sha256', `${topic}/${partition}`, 'hex').slice(0, 8), 16) % lanes

export function startInbound({ catalog, log, inbound, bulk, share, onError }: Parts): Membership {
  const ports = inboundPorts(catalog, log)
  const listed = freshFor(lookMs / 2, Date.now, () => inbound.topics())

  async function follow(place: InboundPlace, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        // Cut off, or refused by brokers that were away: it comes before what is read next.
        if (!log.transactional) await sendMade(place, ports)
        if (!(await step(place, signal))) await pause(pollMs, signal)
      } catch (error) {
        if (!signal.aborted) onError(error)
        await pause(retryMs, signal)
      }
    }
  }

  /** @returns false at the end */
  async function step(place: InboundPlace, signal: AbortSignal): Promise<boolean> {
    const { topic, partition } = place
    const from = await inboundPosition(catalog.pipeline, place)
    const messages = await inbound.read(topic, partition, from, batchMessages)
    const [first] = messages
    if (!first) return false
    if (first.offset > from && ((await inbound.begins(topic))[partition] ?? 0) > from)
      onError(
        new Error(
          `${topic}, partition ${partition}: ${from} to ${first.offset - 1} were dropped before they were read`,
        ),
      )
    await bulk.keepPace(signal)
    await takeMessages(place, from, messages, ports)
    return true
  }

  /** Topics come, and go; one that was made anew is another. */
  async function runLane(lane: number, signal: AbortSignal): Promise<void> {
    const loops = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>()
    for (; !signal.aborted; await pause(lookMs, signal)) {
      const found = await listed('').catch((error: unknown) => {
        onError(error)
        return null
      })
      if (found === null || signal.aborted) continue
      const places = found.flatMap(({ topic, epoch, partitions }) =>
        Array.from({ length: partitions }, (_, partition) => ({ topic, epoch, partition })),
      )
      const own = new Map(places.filter((one) => laneOf(one) === lane).map((one) => [nameOf(one), one]))
      for (const [name, { stop }] of loops) if (!own.has(name)) stop.abort()
      for (const [name, place] of own) {
        if (loops.has(name)) continue
        const stop = new AbortController()
        const ended = follow(place, AbortSignal.any([stop.signal, signal])).finally(() => loops.delete(name))
        loops.set(name, { stop, ended })
      }
    }
    await Promise.all([...loops.values()].map(({ ended }) => ended))
  }

  return share.join(runLane)
}

const nameOf = ({ topic, epoch, partition }: InboundPlace) => `${topic}/${epoch}/${partition}`
const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
