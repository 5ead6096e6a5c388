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
  /** The field that a filter or argument of this name means; the name itself where it means none. */
  readonly fieldOf: (name: string) => string
  /** Whoever waits for it has gone. */
  readonly signal: AbortSignal
}

export interface AskedKey {
  /** As in the metadata, but of the field that it means: `filter_material`. */
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

/** Names are bound in the address of a question, which may not be long. */
const most = { names: 2_000, renamed: 150, keys: 200, queriesOfKey: 5, empty: 200, regrets: 100, productsOfRegret: 50 }

const lines = (type: string) => `from events final
  where workspace = {workspace:String} and brand = {brand:UUID} and catalog in ({catalog:UUID}, {other:UUID})
    and time >= {from:DateTime64(3, 'UTC')} and time < {to:DateTime64(3, 'UTC')} and ${type}`

const searches = `type in ('search', 'search_zero_hit', 'tool_call', 'feed_read')`
const isFilter = `startsWith(key, '${demandKeys.filter}') and key != '${demandKeys.filter}'`
const isArgument = `type = 'tool_call' and startsWith(key, '${demandKeys.argument}') and key != '${demandKeys.argument}'`
const keysWhich = (condition: string) => `arrayFilter(key -> ${condition}, mapKeys(metadata))`
const askedKeys = keysWhich(`(${isFilter}) or (${isArgument})`)
/** Of each kind, without what says the kind. */
const namesWhich = (condition: string, kind: string) =>
  `arrayMap(key -> substring(key, ${kind.length + 1}), ${keysWhich(condition)})`
const [filters, args] = [namesWhich(isFilter, demandKeys.filter), namesWhich(isArgument, demandKeys.argument)]
const queryOf = `lowerUTF8(trimBoth(metadata['${demandKeys.query}']))`

const namesSql = `
  select name, count() as times from (select arrayJoin(arrayConcat(${filters}, ${args})) as name ${lines(searches)})
   group by name order by times desc, name limit ${most.names}`

/** An event counts once for a field, however many of its keys ask for it: a range is two, and a filter is an argument of its tool too. */
const fieldsOf = (names: string) =>
  `arrayDistinct(arrayMap(name -> transform(name, {names:Array(String)}, {fields:Array(String)}, name), ${names}))`
const keysSql = `
  select key, query, times, total from (
    select key, query, count() as times, sum(times) over (partition by key) as total
      from (select ${fieldsOf(filters)} as filtered, arrayFilter(field -> not has(filtered, field), ${fieldsOf(args)}) as given,
                   arrayJoin(arrayConcat(arrayMap(field -> concat('${demandKeys.filter}', field), filtered),
                                         arrayMap(field -> concat('${demandKeys.argument}', field), given))) as key,
                   ${queryOf} as query ${lines(searches)})
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
  const { workspace, brand, catalog, isDefault, from, now, fieldOf, signal } = scope
  const bound: Bound = {
    ...{ workspace, brand, catalog, other: isDefault ? noId : catalog, from: `${from} 00:00:00.000` },
    to: storeTime(now.getTime() + aheadMs),
  }
  type Told<T> = { readonly [K in keyof T]: T[K] extends number ? string : T[K] }
  const ask = <T>(sql: string, more: Bound = {}): Promise<Answer<Told<T>>> =>
    store.ask<Told<T>>(sql, { ...bound, ...more }, { ...questionLimits, signal })
  const names = await ask<{ name: string; times: number }>(namesSql)
  const renamed = names.rows
    .map(({ name }) => [name, fieldOf(name)] as const)
    .filter(([name, field]) => name !== field)
    .slice(0, most.renamed)
  const [keys, empty, regrets] = [
    await ask<AskedKey>(keysSql, {
      names: renamed.map(([name]) => name),
      fields: renamed.map(([, field]) => field),
    }),
    await ask<EmptyQuery>(emptySql),
    await ask<Regret>(regretsSql),
  ]
  return {
    keys: keys.rows.map((one) => ({ ...one, times: Number(one.times), total: Number(one.total) })),
    empty: empty.rows.map((one) => ({ ...one, times: Number(one.times) })),
    regrets: regrets.rows.map((one) => ({ ...one, times: Number(one.times) })),
    rowsRead: names.rowsRead + keys.rowsRead + empty.rowsRead + regrets.rowsRead,
  }
}
