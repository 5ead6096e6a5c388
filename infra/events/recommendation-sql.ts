/** Recommendations and what came of them, in the event store's words: one table of facts, of which their analytics are made. */

import { mostProducts } from '../../schemas/event.ts'
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
const said = `catalog as of_catalog, metadata['${searchKeys.method}'] as method, metadata['${searchKeys.channel}'] as channel, agent_name as agent`

const given = `arrayMap(one -> toUInt32OrZero(one), splitByChar(',', metadata['${searchKeys.positions}']))`

/** Lists that were shown, of which several may stand under one id: they are read past what was opened of them, and never put by. */
const listsSql = (scope: AnalyticsScope) => `
  select ${list} as list, time as at, id, ${said}, ${products} as shown, if(length(${given}) = length(shown) and not has(${given}, 0), ${given}, arrayEnumerate(shown)) as places
    from events final where ${ofScope(scope)} and type = 'recommendation_shown' and notEmpty(shown)`

/** What was opened, each product once of a list, which has no more than so many. */
const openedSql = (scope: AnalyticsScope) => `
  select list, product, min(time) as at, argMin((of_catalog, method, channel, agent), (time, id)) as of_click, argMin(position, (time, id)) as position,
         argMin((session_id, customer_id), (time, id)) as whose
    from (select ${list} as list, product_id as product, time, id, ${said}, ${positionSql} as position, session_id, customer_id
            from events final where ${ofScope(scope)} and type = 'recommendation_click' and product_id != '')
   group by list, product order by at limit ${mostProducts} by list`

const nobody = `toUUID('${noId}')`
const nearest = '(not has(lists.shown, opened.product), lists.at, lists.id)'

/** The same with what the first list of that id that showed the product, or else the first one, says of itself, which goes before what the caller says of it. */
const clicksSql = (scope: AnalyticsScope) => `
  select list, product, at, tupleElement(whose, 1) as session, tupleElement(whose, 2) as customer, if(known, of_list, of_click) as says,
         tupleElement(says, 1) as of_catalog, tupleElement(says, 2) as method, tupleElement(says, 3) as channel, tupleElement(says, 4) as agent,
         ifNull(position, shown_at) as place, if(known, of_event, ${nobody}) as shown_by
    from (select opened.list as list, opened.product as product, any(opened.at) as at, any(opened.whose) as whose, any(opened.of_click) as of_click,
                 any(opened.position) as position, max(lists.list != '') as known,
                 argMin((lists.of_catalog, lists.method, lists.channel, lists.agent), ${nearest}) as of_list, argMin(lists.id, ${nearest}) as of_event,
                 argMin(toUInt32(lists.places[indexOf(lists.shown, opened.product)]), ${nearest}) as shown_at
            from (${listsSql(scope)}) as lists right join (${openedSql(scope)}) as opened on lists.list = opened.list
           group by list, product)`

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

const alike = 'of_catalog, method, channel, agent'
const columns = { catalog: 'of_catalog', channel: 'channel', agent: 'agent' }
const narrowed = (asked: AskedRecommendations, scope: AnalyticsScope) =>
  `where 1 ${narrowedTo(asked, scope, columns)} ${asked.method === null ? '' : 'and method = {method:String}'}`

/**
 * What happened: lists were shown (`list`), of so many products; a product at a place so often (`product`); a `click`, an
 * `add_to_cart`, an `order`.
 */
export const factsSql = (asked: AskedRecommendations, scope: AnalyticsScope, day: string): string =>
  `select * from (
    select 'list' as kind, ${alike}, ${day} as day, '' as product, ${nowhere} as place, ${nobody} as event, length(shown) as n,
           id global in (select shown_by from (${clicksSql(scope)})) as clicked
      from (select *, at as time from (${listsSql(scope)}))
    union all
    select 'product', ${alike}, '', tupleElement(item, 1), toUInt32(tupleElement(item, 2)), ${nobody}, count(), false
      from (select ${alike}, arrayJoin(arrayZip(shown, places)) as item from (${listsSql(scope)})) group by ${alike}, item
    union all
    select 'click', ${alike}, ${day}, product, place, ${nobody}, 0, false from (select *, at as time from (${clicksSql(scope)}))
    union all
    select type, ${alike}, ${day}, product, place, id, 0, false from (select *, at as time from (${boughtSql(scope)})))
  ${narrowed(asked, scope)}`
