/** What a day's events say of a catalog on each channel: how many there were, and which products they name. */
import { noId, storeTime } from '../../schemas/event-row.ts'
import { channelOfType } from '../../schemas/visibility.ts'
import type { Bound, EventStore, Limits } from './port.ts'

export interface DayOfCatalog {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  /** Takes the brand's events that name no catalog. */
  readonly isDefault: boolean
  /** YYYY-MM-DD, of UTC. */
  readonly day: string
  /** Events that came later are left out, so that all pages are of the same. ISO 8601. */
  readonly receivedBy: string
}

export interface ChannelEvents {
  /** For feeds `feed:` and whatever platform they name. */
  readonly channel: string
  readonly events: number
  /** That met nothing, and say so. */
  readonly nothing: number
  /** That do not say what they met. */
  readonly unnamed: number
  /** Products of the largest single read; null where none says. */
  readonly lines: number | null
}

/** A product as events name it. */
export interface NamedProduct {
  readonly channel: string
  readonly name: string
  /** Events that it is named in. */
  readonly events: number
}

const limits: Limits = { seconds: 60, memoryBytes: 2 * 1024 ** 3 }

const channelSql = `multiIf(type = 'feed_read', concat('feed:', metadata['platform']), ${Object.entries(channelOfType)
  .filter(([, channel]) => channel !== 'feed')
  .map(([type, channel]) => `type = '${type}', '${channel}'`)
  .join(', ')}, '')`
const metNothing = `(type = 'search_zero_hit' or metadata['results'] = '0')`
const namedSql = `arrayDistinct(arrayFilter(one -> one != '', arrayPushBack(product_ids, product_id)))`

const where = `workspace = {workspace:String} and brand = {brand:UUID}
  and time >= {from:DateTime64(3, 'UTC')} and time < {from:DateTime64(3, 'UTC')} + interval 1 day
  and catalog in ({catalog:UUID}, {other:UUID}) and type in {types:Array(String)} and received <= {received:DateTime64(3, 'UTC')}`

const boundOf = ({ workspace, brand, catalog, isDefault, day, receivedBy }: DayOfCatalog): Bound => ({
  ...{ workspace, brand, catalog, other: isDefault ? noId : catalog, from: `${day} 00:00:00.000` },
  ...{ types: Object.keys(channelOfType), received: storeTime(receivedBy) },
})

/** @throws TooMuch, EventsAway */
export async function channelEvents(store: Pick<EventStore, 'ask'>, of: DayOfCatalog): Promise<ChannelEvents[]> {
  const sql = `select ${channelSql} as channel, count() as events, countIf(${metNothing}) as nothing,
      countIf(not ${metNothing} and empty(${namedSql})) as unnamed, toInt64(max(if(type = 'feed_read', quantity, null))) as lines
    from events final where ${where} group by channel`
  const { rows } = await store.ask<Record<keyof ChannelEvents, string | null>>(sql, boundOf(of), limits)
  return rows.map(({ channel, events, nothing, unnamed, lines }) => ({
    channel: channel ?? '',
    events: Number(events),
    nothing: Number(nothing),
    unnamed: Number(unnamed),
    lines: lines === null ? null : Number(lines),
  }))
}

/** How many events name a product both by its id and by its SKU. @throws TooMuch, EventsAway */
export async function namedBothWays(
  store: Pick<EventStore, 'ask'>,
  of: DayOfCatalog,
  products: readonly { readonly product: string; readonly sku: string }[],
): Promise<{ readonly channel: string; readonly product: string; readonly events: number }[]> {
  const sql = `select channel, product, count() as events
    from (
      select ${channelSql} as channel, ${namedSql} as named,
        arrayJoin(arrayFilter(id -> has(named, id), arrayMap(name -> transform(name, {skus:Array(String)}, {ids:Array(String)}, ''), named))) as product
      from events final where ${where})
    group by channel, product`
  const bound = { ...boundOf(of), ids: products.map(({ product }) => product), skus: products.map(({ sku }) => sku) }
  const { rows } = await store.ask<{ channel: string; product: string; events: string }>(sql, bound, limits)
  return rows.map((row) => ({ ...row, events: Number(row.events) }))
}

/** In order of channel and name. @throws TooMuch, EventsAway */
export async function namedProducts(
  store: Pick<EventStore, 'ask'>,
  of: DayOfCatalog,
  after: readonly [channel: string, name: string] | null,
  limit: number,
): Promise<NamedProduct[]> {
  const sql = `select channel, name, count() as events
    from (select ${channelSql} as channel, arrayJoin(${namedSql}) as name from events final where ${where})
    where (channel, name) > ({channel:String}, {name:String})
    group by channel, name order by channel, name limit {limit:UInt32}`
  const [channel, name] = after ?? ['', '']
  const bound = { ...boundOf(of), channel, name, limit }
  const { rows } = await store.ask<{ channel: string; name: string; events: string }>(sql, bound, limits)
  return rows.map((row) => ({ ...row, events: Number(row.events) }))
}
