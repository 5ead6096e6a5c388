/** What agents asked a catalog for in a time: filters and arguments with the query beside them, queries that found nothing, reasons of cancelled orders; the commonest of each. */
import { demandKeys } from '../../schemas/demand.ts'
import { aheadMs } from '../../schemas/event.ts'
import { noId, storeTime } from '../../schemas/event-row.ts'
import { questionLimits } from './aggregate.ts'
import type { Answer, Bound, EventStore } from './port.ts'

export interface DemandScope {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  /** Takes the brand's events that name no catalog. */
  readonly isDefault: boolean
  /** The first of its days of UTC. */
  readonly from: string
  readonly now: Date
  /** Whoever waits for it has gone. */
  readonly signal: AbortSignal
}

export interface AskedKey {
  /** As in the metadata: `filter_material`. */
  readonly key: string
  /** What was searched for with it; empty where nothing was. */
  readonly query: string
  readonly times: number
  /** With any query. */
  readonly total: number
}

export interface EmptyQuery {
  readonly query: string
  readonly times: number
}

export interface Regret {
  readonly reason: string
  readonly times: number
  /** Products that the orders were about, as far as they say. */
  readonly products: readonly string[]
}

export interface Demand {
  readonly keys: readonly AskedKey[]
  readonly empty: readonly EmptyQuery[]
  readonly regrets: readonly Regret[]
  readonly rowsRead: number
}

const most = { keys: 200, queriesOfKey: 5, empty: 200, regrets: 100, productsOfRegret: 50 }

const lines = (type: string) => `from events final
  where workspace = {workspace:String} and brand = {brand:UUID} and catalog in ({catalog:UUID}, {other:UUID})
    and time >= {from:DateTime64(3, 'UTC')} and time < {to:DateTime64(3, 'UTC')} and ${type}`

const searches = `type in ('search', 'search_zero_hit', 'tool_call', 'feed_read')`
const isAskedFor = `startsWith(key, '${demandKeys.filter}') or (type = 'tool_call' and startsWith(key, '${demandKeys.argument}'))`
const askedKeys = `arrayFilter(key -> ${isAskedFor}, mapKeys(metadata))`
const queryOf = `lowerUTF8(trimBoth(metadata['${demandKeys.query}']))`

const keysSql = `
  select key, query, times, total from (
    select key, query, count() as times, sum(times) over (partition by key) as total
      from (select arrayJoin(${askedKeys}) as key, ${queryOf} as query ${lines(searches)})
     group by key, query)
  order by total desc, key, times desc, query limit ${most.queriesOfKey} by key limit ${most.keys * most.queriesOfKey}`

/** Those with filters are counted by these. */
const emptySql = `
  select ${queryOf} as query, count() as times
  ${lines(searches)} and (type = 'search_zero_hit' or metadata['${demandKeys.results}'] = '0') and empty(${askedKeys})
  group by query having query != '' order by times desc, query limit ${most.empty}`

const regretsSql = `
  select lowerUTF8(trimBoth(metadata['${demandKeys.reason}'])) as reason, count() as times,
         arraySort(groupUniqArrayIf(${most.productsOfRegret})(product_id, product_id != '')) as products
  ${lines(`type = 'order_cancelled'`)} group by reason having reason != '' order by times desc, reason limit ${most.regrets}`

/** @throws TooMuch, EventsAway */
export async function demandOf(store: Pick<EventStore, 'ask'>, scope: DemandScope): Promise<Demand> {
  const { workspace, brand, catalog, isDefault, from, now, signal } = scope
  const bound: Bound = {
    ...{ workspace, brand, catalog, other: isDefault ? noId : catalog, from: `${from} 00:00:00.000` },
    to: storeTime(now.getTime() + aheadMs),
  }
  type Told<T> = { readonly [K in keyof T]: T[K] extends number ? string : T[K] }
  const ask = <T>(sql: string): Promise<Answer<Told<T>>> =>
    store.ask<Told<T>>(sql, bound, { ...questionLimits, signal })
  const [keys, empty, regrets] = [
    await ask<AskedKey>(keysSql),
    await ask<EmptyQuery>(emptySql),
    await ask<Regret>(regretsSql),
  ]
  return {
    keys: keys.rows.map((one) => ({ ...one, times: Number(one.times), total: Number(one.total) })),
    empty: empty.rows.map((one) => ({ ...one, times: Number(one.times) })),
    regrets: regrets.rows.map((one) => ({ ...one, times: Number(one.times) })),
    rowsRead: keys.rowsRead + empty.rowsRead + regrets.rowsRead,
  }
}
