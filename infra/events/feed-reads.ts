/** How a feed was read: by whom, how often, how much of it and how far, from the events that its reads left. */
import { aheadMs } from '../../schemas/event.ts'
import { noId, storeTime } from '../../schemas/event-row.ts'
import { questionLimits } from './aggregate.ts'
import type { Bound, EventStore } from './port.ts'

export interface ReadScope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  /** Takes the brand's events that name no catalog. */
  readonly isDefault: boolean
  readonly platform: string
  /** The first of its days of UTC. */
  readonly from: string
  readonly now: Date
}

export interface Reads {
  readonly reads: number
  /** That came to their end. */
  readonly complete: number
  readonly lines: number
  readonly bytes: number
  /** That broke off or were refused on our side; a reader who goes away is none. */
  readonly errors: number
  readonly lastAt: string | null
  /** Of the last read that had one. */
  readonly lastPosition: string | null
}

export interface ConsumerReads extends Reads {
  /** As its user agent names it; empty where nobody knows it. */
  readonly consumer: string
}

/** Those who read most. */
const mostConsumers = 100

const figures = `count() as reads, countIf(metadata['complete'] = 'true') as complete, sum(toUInt64OrZero(metadata['lines'])) as lines,
  sum(toUInt64OrZero(metadata['bytes'])) as bytes, countIf(metadata['error'] != '') as errors,
  toUnixTimestamp64Milli(max(time)) as "lastAt", argMaxIf(metadata['position'], time, metadata['position'] != '') as "lastPosition"`

const lines = `from events final
  where workspace = {workspace:String} and brand = {brand:UUID} and catalog in ({catalog:UUID}, {other:UUID})
    and time >= {from:DateTime64(3, 'UTC')} and time < {to:DateTime64(3, 'UTC')} and type = 'feed_read' and metadata['platform'] = {platform:String}`

type Told = { readonly [K in keyof ConsumerReads]: string }

/** @throws TooMuch, EventsAway */
export async function feedReads(
  store: Pick<EventStore, 'ask'>,
  { workspace, brand, catalog, isDefault, platform, from, now }: ReadScope,
): Promise<Reads & { readonly consumers: readonly ConsumerReads[] }> {
  const bound: Bound = {
    ...{ workspace, brand, catalog, other: isDefault ? noId : catalog, from: `${from} 00:00:00.000`, platform },
    to: storeTime(now.getTime() + aheadMs),
  }
  const all = await store.ask<Told>(`select ${figures} ${lines}`, bound, questionLimits)
  const each = await store.ask<Told>(
    `select agent_name as consumer, ${figures} ${lines} group by consumer order by reads desc, consumer limit ${mostConsumers}`,
    bound,
    questionLimits,
  )
  const [row] = all.rows
  return { ...readsOf(row), consumers: each.rows.map((one) => ({ consumer: one.consumer, ...readsOf(one) })) }
}

function readsOf(row: Omit<Told, 'consumer'> | undefined): Reads {
  const reads = Number(row?.reads ?? 0)
  return {
    reads,
    complete: Number(row?.complete ?? 0),
    lines: Number(row?.lines ?? 0),
    bytes: Number(row?.bytes ?? 0),
    errors: Number(row?.errors ?? 0),
    lastAt: reads > 0 ? new Date(Number(row?.lastAt)).toISOString() : null,
    lastPosition: row?.lastPosition || null,
  }
}
