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

/** Of one search, and of a session in half an hour: more would be nobody's doing, and each is held against every page. */
const mostOpened = 200

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

/**
 * What is joined and gathered goes by hashes of 64 bits, and by moments of one number: the store keeps ids, texts and tuples of a
 * group as columns of their own, which took as long as all else.
 */
const stretch = `intDiv(toUnixTimestamp(time), ${openedWithinMinutes * 60})`
const keyOfSearch = "cityHash64('search', search)"
const keyOfSession = (of: string) => `cityHash64('session', session, ${of})`
/** Milliseconds, and bits of an id, so that no two that came at once change places. */
const momentOf = (ms: string, id: string) => `bitOr(bitShiftLeft(toUInt64(${ms}), 22), bitAnd(${id}, 4194303))`
const msOf = 'toUnixTimestamp64Milli(time)'

/** Pages under all keys by which what was opened of them may name them. */
const pagesSql = (scope: AnalyticsScope) => `
  select search, shown, products, before, arrayJoin(if(session = '', [${keyOfSearch}], [${keyOfSearch}, ${keyOfSession('stretch')}])) as key
    from (select cityHash64(if(metadata['${searchKeys.page}'] = '${laterPage}', ${searchIdSql}, id)) as search, session_id as session, ${msOf} as shown,
                 ${stretch} as stretch, arrayMap(one -> cityHash64(one), product_ids) as products, toUInt32OrZero(metadata['${searchKeys.offset}']) as before
            from events final where ${ofScope(scope)} and type = 'search')`

/** What was opened: under the search that it names, where its place is to be looked up, or under the two stretches of its session in which its search may be. */
const viewsSql = (scope: AnalyticsScope) => `
  select *, arrayJoin(multiIf(search = 0, [whose, ${keyOfSession('stretch - 1')}], isNull(position), [whose], [toUInt64(0)])) as key
    from (select ${searchIdSql} as named, if(named = ${none}, 0, cityHash64(named)) as search, cityHash64(product_id) as product, session_id as session,
                 ${msOf} as at, cityHash64(id) as view, ${positionSql} as position, ${stretch} as stretch,
                 if(search = 0, ${keyOfSession('stretch')}, ${keyOfSearch}) as whose
            from events final where ${ofScope(scope)} and type = 'product_view' and product_id != '' and (named != ${none} or session != '')
           order by at limit ${mostOpened} by whose)`

/**
 * What was opened of which search: by the id that the caller sent with it; without one, of the last search of its session that
 * showed it. A product that was opened again counts once, where it was opened first. Pages are read past what was opened and never put by.
 */
const openedSql = (scope: AnalyticsScope) => `
  select if(said != 0, said, last) as search, product, argMin(if(isNull(position), nullIf(if(said != 0, least_place, last_place), 0), position), moment) as place
    from (select view, any(said_search) as said, any(said_product) as product, any(seen) as moment, any(said_position) as position,
                 argMaxIf(page_search, page_moment, fits) as last, argMaxIf(spot, page_moment, fits) as last_place, minIf(spot, fits) as least_place
            from (select pages.search as page_search, ${momentOf('pages.shown', 'pages.search')} as page_moment, views.view as view,
                         views.search as said_search, views.product as said_product, ${momentOf('views.at', 'views.view')} as seen,
                         views.position as said_position, toUInt32(pages.before + indexOf(pages.products, views.product)) as spot,
                         has(pages.products, views.product)
                           and (views.search != 0 or (pages.shown <= views.at and views.at <= pages.shown + ${openedWithinMinutes * 60_000})) as fits
                    from (${pagesSql(scope)}) as pages right join (${viewsSql(scope)}) as views on pages.key = views.key)
           group by view)
   where search != 0 group by search, product`

/** Searches with how many products were opened of each (`opened`), the sum and number of their places, and these themselves, 0 for one that nobody knows. */
export const judgedSql = (asked: AskedSearches, scope: AnalyticsScope): string =>
  `select typed, channel, agent, nothing, found, opened, places, placed, spots from (${searchesSql(asked, scope)}) as searches
    left any join (select search, count() as opened, sum(place) as places, count(place) as placed, groupArray(ifNull(place, 0)) as spots
        from (${openedSql(scope)}) group by search) as opens
      on cityHash64(searches.id) = opens.search`
