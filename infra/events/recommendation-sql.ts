/** Recommendations and what came of them, in the event store's words: one table of facts, of which their analytics are made. */
import { noId } from '../../schemas/event-row.ts'
import { boughtWithinHours, searchKeys } from '../../schemas/search-event.ts'
import { type AnalyticsScope, type AskedAnalytics, narrowedTo, ofScope } from './analytics-scope.ts'
import { positionSql } from './search-sql.ts'

export interface AskedRecommendations extends AskedAnalytics {
  /** As the events say; empty: those that do not say. null: any. */
  readonly method: string | null
}

const list = `if(metadata['${searchKeys.recommendation}'] = '', toString(id), metadata['${searchKeys.recommendation}'])`
const products = "arrayDistinct(arrayFilter(one -> one != '', arrayPushBack(product_ids, product_id)))"
/** Of several events the first says it. */
const first = (column: string, name: string) => `argMin(${column}, (time, id)) as ${name}`
const said = [
  first('catalog', 'of_catalog'),
  first(`metadata['${searchKeys.method}']`, 'method'),
  first(`metadata['${searchKeys.channel}']`, 'channel'),
  first('agent_name', 'agent'),
].join(', ')

/** Lists that were shown: events with the same id are one list. */
const listsSql = (scope: AnalyticsScope) => `
  select ${list} as list, min(time) as at, ${said},
         arrayDistinct(arrayFlatten(arrayMap(one -> tupleElement(one, 3), arraySort(groupArray((time, id, ${products})))))) as shown
    from events final where ${ofScope(scope)} and type = 'recommendation_shown' group by list having notEmpty(shown)`

/** Products that were opened, each once of a list: what the list says of itself goes before what the caller says of it. */
const clicksSql = (scope: AnalyticsScope) => `
  select list, product, at, session, customer,
         if(lists.list != '', lists.of_catalog, said.of_catalog) as of_catalog, if(lists.list != '', lists.method, said.method) as method,
         if(lists.list != '', lists.channel, said.channel) as channel, if(lists.list != '', lists.agent, said.agent) as agent,
         ifNull(position, toUInt32(indexOf(shown, product))) as place
    from (select ${list} as list, product_id as product, min(time) as at, ${said}, ${first(positionSql, 'position')},
                 ${first('session_id', 'session')}, ${first('customer_id', 'customer')}
            from events final where ${ofScope(scope)} and type = 'recommendation_click' and product_id != '' group by list, product) as said
    left any join (${listsSql(scope)}) as lists using (list)`

/** By whom something was opened and put into a cart: the list that they name, their session, or the customer. */
const actors = (recommendation: string, session: string, customer: string) =>
  `arrayFilter(one -> length(one) > 1, [concat('r', ${recommendation}), concat('s', ${session}), concat('c', ${customer})])`

/** Products put into a cart or ordered, each by the last time that it was opened before. */
const boughtSql = (scope: AnalyticsScope) => `
  select id, type, product, min(bought.at) as at, argMax(tupleElement(by_click, 1), opened) as of_catalog, argMax(tupleElement(by_click, 2), opened) as method,
         argMax(tupleElement(by_click, 3), opened) as channel, argMax(tupleElement(by_click, 4), opened) as agent, argMax(tupleElement(by_click, 5), opened) as place
    from (select id, type, time as at, arrayJoin(${products}) as product,
                 arrayJoin(${actors(`metadata['${searchKeys.recommendation}']`, 'session_id', 'customer_id')}) as actor
            from events final where ${ofScope(scope)} and type in ('add_to_cart', 'order')) as bought
    asof join (select actor, product, at as opened, max((of_catalog, method, channel, agent, place)) as by_click
                 from (select arrayJoin(${actors('list', 'session', 'customer')}) as actor, product, at, of_catalog, method, channel, agent, place
                         from (${clicksSql(scope)}))
                group by actor, product, opened) as clicks
      on bought.actor = clicks.actor and bought.product = clicks.product and bought.at >= clicks.opened
   where bought.at <= opened + toIntervalHour(${boughtWithinHours})
   group by id, type, product`

const nowhere = 'toUInt32(0)'
const nobody = `toUUID('${noId}')`

/** What happened: a `list` was shown, a `product` of it, a `click`, an `add_to_cart`, an `order`. */
export function factsSql(asked: AskedRecommendations, scope: AnalyticsScope): string {
  const columns = { catalog: 'of_catalog', channel: 'channel', agent: 'agent' }
  const alike = 'of_catalog, method, channel, agent'
  return `select * from (
    select 'list' as kind, ${alike}, at as time, '' as product, ${nowhere} as place, ${nobody} as event, lists.list global in (select list from (${clicksSql(scope)})) as clicked
      from (${listsSql(scope)}) as lists
    union all
    select 'product', ${alike}, at, tupleElement(item, 1), toUInt32(tupleElement(item, 2)), ${nobody}, 0
      from (select *, arrayJoin(arrayZip(shown, arrayEnumerate(shown))) as item from (${listsSql(scope)}))
    union all
    select 'click', ${alike}, at, product, place, ${nobody}, 0 from (${clicksSql(scope)})
    union all
    select type, ${alike}, at, product, place, id, 0 from (${boughtSql(scope)}))
  where 1 ${narrowedTo(asked, scope, columns)} ${asked.method === null ? '' : 'and method = {method:String}'}`
}
