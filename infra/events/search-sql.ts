/** Searches and what was opened of what they found, in the event store's words: tables of which the search analytics are made. */
import { demandKeys } from '../../schemas/demand.ts'
import { noId } from '../../schemas/event-row.ts'
import { laterPage, openedWithinMinutes, searchKeys } from '../../schemas/search-event.ts'
import { type AnalyticsScope, type AskedAnalytics, boundOf, narrowedTo, ofScope, windowOf } from './analytics-scope.ts'
import { foldSql } from './fold-sql.ts'
import type { Bound } from './port.ts'

export interface AskedSearches extends AskedAnalytics {
  /** In whatever spelling; null: any, and none. */
  readonly query: string | null
}

export const boundOfSearches = (asked: AskedSearches, scope: AnalyticsScope, now: Date): Bound => ({
  ...boundOf(asked, scope, windowOf(asked, now)),
  ...(asked.query !== null && { query: asked.query }),
})

/** Of what callers send in place of an id. */
const searchIdSql = `toUUIDOrZero(metadata['${searchKeys.search}'])`
const none = `toUUID('${noId}')`
/** null where it is none. */
export const positionSql = `nullIf(toUInt32OrZero(metadata['${searchKeys.position}']), 0)`
/** A search takes so many; events of callers have more. */
const mostCharacters = 512
const queryText = `substringUTF8(trimBoth(metadata['${demandKeys.query}']), 1, ${mostCharacters})`
const results = `metadata['${demandKeys.results}']`

/** Each search once, by its first page. Queries are folded where there are few of them: to fold takes longer than all else that is asked of a row. */
export function searchesSql(asked: AskedSearches, scope: AnalyticsScope): string {
  const columns = { catalog: 'catalog', channel: `metadata['${searchKeys.channel}']`, agent: 'agent_name' }
  const isSearch = `${ofScope(scope)} and type in ('search', 'search_zero_hit') and metadata['${searchKeys.page}'] != '${laterPage}'`
  const spellings = `select typed from (select distinct ${queryText} as typed from events where ${isSearch})
    where ${foldSql('typed')} = ${foldSql(`substringUTF8({query:String}, 1, ${mostCharacters})`)}`
  return `select id, time, session_id as session, agent_name as agent, ${columns.channel} as channel, metadata as said, ${queryText} as typed,
      type = 'search_zero_hit' or ${results} = '0' as nothing, if(type = 'search_zero_hit', 0, toUInt64OrNull(${results})) as found
    from events final
    where ${isSearch} ${narrowedTo(asked, scope, columns)} ${asked.query === null ? '' : `and typed global in (${spellings})`}`
}

/** What was opened, with whether it is said of which search. */
const viewedSql = (scope: AnalyticsScope, which: string) =>
  `select ${searchIdSql} as search, product_id as product, session_id as session, time as at, id, ${positionSql} as position
    from events final where ${ofScope(scope)} and type = 'product_view' and product_id != '' and ${which}`

/** Products of pages, each with its place in all that the search showed. */
const shownSql = (scope: AnalyticsScope, which: string) =>
  `select search, session, at, item.1 as product, toUInt32(item.2 + before) as place
    from (select if(metadata['${searchKeys.page}'] = '${laterPage}', ${searchIdSql}, id) as search, session_id as session, time as at,
                 toUInt32OrZero(metadata['${searchKeys.offset}']) as before, arrayJoin(arrayZip(product_ids, arrayEnumerate(product_ids))) as item
            from events final where ${ofScope(scope)} and type = 'search' and ${which})`

/**
 * What was opened of which search: by the id that the caller sent with it; without one, of the last search of its session that
 * showed it. A product that was opened again counts once, where it was opened first.
 */
function openedSql(scope: AnalyticsScope): string {
  const named = viewedSql(scope, `search != ${none}`)
  const unnamed = viewedSql(scope, `search = ${none} and session != ''`)
  return `select search, product, argMin(position, (at, id)) as position from (
    select search, product, at, id, if(isNull(said.position), nullIf(places.place, 0), said.position) as position
      from (${named}) as said
      left any join (select search, product, min(place) as place
          from (${shownSql(scope, `search global in (select search from (${named}) where isNull(position))`)}) group by search, product) as places
        using (search, product)
    union all
    select tupleElement(last, 1) as search, product, at, id, ifNull(position, tupleElement(last, 2)) as position
      from (${unnamed}) as said
      asof join (select session, product, at as shown, max((search, place)) as last
          from (${shownSql(scope, `session != '' and session global in (select session from (${unnamed}))`)}) group by session, product, shown) as pages
        on said.session = pages.session and said.product = pages.product and said.at >= pages.shown
     where at <= shown + toIntervalMinute(${openedWithinMinutes}))
  group by search, product`
}

/** Searches with how many products were opened of each (`opened`), the sum and number of their places, and these themselves, 0 for one that nobody knows. */
export const judgedSql = (asked: AskedSearches, scope: AnalyticsScope): string =>
  `select typed, channel, agent, nothing, found, opened, places, placed, spots from (${searchesSql(asked, scope)}) as searches
    left any join (select search, count() as opened, sum(position) as places, count(position) as placed, groupArray(ifNull(position, 0)) as spots
        from (${openedSql(scope)}) group by search) as opens
      on searches.id = opens.search`
