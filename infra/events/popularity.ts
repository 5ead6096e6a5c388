/** What events say of products: how much each was met, lately and before, and which were in one basket. In parts by name, so that no answer is large. */

import { storeTime } from '../../schemas/event-row.ts'
import { type BasketMethod, basketTypes, eventWeights, popularityDays } from '../../schemas/recommendation.ts'
import type { Bound, EventStore, Limits } from './port.ts'

/** Events of one brand, up to when its counting began. */
export interface CountedEvents {
  readonly workspace: string
  readonly brand: string
  /** The first and the last day, YYYY-MM-DD of UTC. */
  readonly from: string
  readonly today: string
  /** Events that came later are of the next. ISO 8601. */
  readonly receivedBy: string
}

/** Names fall into so many parts, of which one is asked about. */
export interface Part {
  readonly parts: number
  readonly part: number
}

/** What events call a product: its id, or the event's catalog and a SKU with a blank between. */
export interface MetName {
  readonly name: string
  /** A number that stands for it in pairs: of names the store would hold gigabytes. */
  readonly hash: string
  readonly points: number
  readonly recent: number
  readonly before: number
  readonly together: number
  readonly viewedTogether: number
}

/** By their hashes. */
export interface HashedPair {
  readonly a: string
  readonly b: string
  readonly baskets: number
}

const limits: Limits = { seconds: 60, memoryBytes: 2 * 1024 ** 3 }
/** Of a brand with more the window begins later: a question stays bounded, and what is newest tells most. */
const mostEvents = 10_000_000
/** In one part. */
const partOf = { names: 50_000, events: 1_000_000 }
const mostParts = 256
/** A basket of more is nobody's choice: an agent walks through the catalog. */
const basketNames = { least: 2, most: 50 }
/** Of one basket alone nobody knows. */
const leastBaskets = 2
/** By baskets alone, of which those behind choose by more. */
const companionsOf = 40

const { half, recent, before, counted } = popularityDays
const types = Object.keys(eventWeights)
const weightSql = `transform(type, [${types.map((type) => `'${type}'`).join(', ')}], [${Object.values(eventWeights).join(', ')}], 0)`
/** Orders are of customers, who come again; views of sessions. */
const basketSql: Readonly<Record<BasketMethod, string>> = {
  together: `multiIf(customer_id != '', customer_id, session_id != '', session_id, toString(id))`,
  viewed_together: `multiIf(session_id != '', session_id, customer_id != '', concat(customer_id, ' ', toString(toDate(time))), '')`,
}
const isId = `match(named, '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$')`
const nameSql = `if(${isId}, lower(named), concat(toString(catalog), ' ', named))`
const namedSql = `arrayDistinct(arrayFilter(one -> one != '', arrayPushBack(product_ids, product_id)))`

const listOf = (of: readonly string[]) => of.map((type) => `'${type}'`).join(', ')
const linesOf = (of: readonly string[]) => `from events final
  where workspace = {workspace:String} and brand = {brand:UUID} and time >= {from:DateTime64(3, 'UTC')}
    and type in (${listOf(of)}) and received <= {received:DateTime64(3, 'UTC')}`
const isOfPart = (hash: string) => `${hash} % {parts:UInt32} = {part:UInt32}`
/** Signed, as Postgres has them. */
const told = (hash: string) => `toString(reinterpretAsInt64(${hash}))`

const boundOf = ({ workspace, brand, from, today, receivedBy }: CountedEvents): Bound => ({
  ...{ workspace, brand, from: `${from} 00:00:00.000`, today },
  received: storeTime(receivedBy),
})

/** When the last event came that counts; null where none did. @throws TooMuch, EventsAway */
export async function lastReceived(
  store: Pick<EventStore, 'ask'>,
  { workspace, brand }: Pick<CountedEvents, 'workspace' | 'brand'>,
  from: string,
): Promise<Date | null> {
  const sql = `select toUnixTimestamp64Milli(max(received)) as ms, count() as n from events
    where workspace = {workspace:String} and brand = {brand:UUID} and time >= {from:DateTime64(3, 'UTC')} and type in (${listOf(types)})`
  const { rows } = await store.ask<{ ms: string; n: string }>(
    sql,
    { workspace, brand, from: `${from} 00:00:00.000` },
    limits,
  )
  return Number(rows[0]?.n ?? 0) === 0 ? null : new Date(Number(rows[0]?.ms))
}

/** How far back events are counted, and in how many parts. @throws TooMuch, EventsAway */
export async function extentOf(
  store: Pick<EventStore, 'ask'>,
  events: CountedEvents,
): Promise<{ readonly from: string; readonly events: number; readonly parts: number }> {
  const daysSql = `select toString(toDate(time)) as day, count() as n ${linesOf(types)} group by day order by day desc limit ${counted + 1}`
  const { rows } = await store.ask<{ day: string; n: string }>(daysSql, boundOf(events), limits)
  let [from, sum] = [events.today, 0]
  for (const { day, n } of rows) {
    if (sum > 0 && sum + Number(n) > mostEvents) break
    if (day < from) from = day
    sum += Number(n)
  }
  const namesSql = `select uniq(${nameSql}) as n from (select catalog, arrayJoin(${namedSql}) as named ${linesOf(types)})`
  const names = await store.ask<{ n: string }>(namesSql, boundOf({ ...events, from }), limits)
  const parts = Math.max(sum / partOf.events, Number(names.rows[0]?.n ?? 0) / partOf.names)
  return { from, events: sum, parts: Math.min(mostParts, Math.max(1, Math.ceil(parts))) }
}

/** A session that meets a product many times in a day in one way met it once. */
const metSql = `
  select name, ${told('cityHash64(name)')} as hash, sum(${weightSql} * exp2(-age / ${half})) as points, sumIf(${weightSql}, age < ${recent}) as recent,
         sumIf(${weightSql}, age >= ${recent} and age < ${recent + before}) as before,
         countIf(type in (${listOf(basketTypes.together)})) as together, countIf(type in (${listOf(basketTypes.viewed_together)})) as "viewedTogether"
    from (select distinct ${nameSql} as name, type, greatest(0, dateDiff('day', toDate(time), {today:Date})) as age,
                 cityHash64(if(session_id = '', toString(id), session_id)) as who
            from (select type, time, id, session_id, catalog, arrayJoin(${namedSql}) as named ${linesOf(types)})
           where ${isOfPart(`cityHash64(${nameSql})`)})
   group by name`

/** @throws TooMuch, EventsAway */
export async function namesMet(store: Pick<EventStore, 'ask'>, events: CountedEvents, part: Part): Promise<MetName[]> {
  const { rows } = await store.ask<MetName>(metSql, { ...boundOf(events), ...part }, limits)
  return rows.map(({ name, hash, ...figures }) => ({
    ...{ name, hash, points: Number(figures.points), recent: Number(figures.recent), before: Number(figures.before) },
    ...{ together: Number(figures.together), viewedTogether: Number(figures.viewedTogether) },
  }))
}

const basketsSql = (method: BasketMethod) => `
  select groupUniqArray(${basketNames.most + 1})(cityHash64(${nameSql})) as names
    from (select ${basketSql[method]} as basket, catalog, arrayJoin(${namedSql}) as named ${linesOf(basketTypes[method])} and basket != '')
   group by basket having length(names) between ${basketNames.least} and ${basketNames.most}`

const pairsSql = (method: BasketMethod) => `
  select ${told('one')} as a, ${told('other')} as b, baskets
    from (select one, other, count() as baskets
            from (select names, arrayJoin(names) as one from (${basketsSql(method)}) where ${isOfPart('one')})
           array join names as other
           where one != other group by one, other having baskets >= ${leastBaskets}
           order by one, baskets desc, other limit ${companionsOf} by one)`

/** @throws TooMuch, EventsAway */
export async function pairsOf(
  store: Pick<EventStore, 'ask'>,
  events: CountedEvents,
  method: BasketMethod,
  part: Part,
): Promise<HashedPair[]> {
  const { rows } = await store.ask<HashedPair>(pairsSql(method), { ...boundOf(events), ...part }, limits)
  return rows.map(({ a, b, baskets }) => ({ a, b, baskets: Number(baskets) }))
}
