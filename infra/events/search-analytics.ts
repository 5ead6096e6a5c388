/** What came of the searches of a time: how many found nothing or led nowhere, at which places products were opened, what was asked next, and by what it was filtered. */
import { demandKeys } from '../../schemas/demand.ts'
import { lastPosition, refinedWithinMinutes } from '../../schemas/search-event.ts'
import { questionLimits } from './aggregate.ts'
import type { AnalyticsScope } from './analytics-scope.ts'
import { foldSql } from './fold-sql.ts'
import type { EventStore } from './port.ts'
import { figuresSql, type SearchFigures, type ToldFigures, toFigures } from './search-figures.ts'
import { type AskedSearches, boundOfSearches, judgedSql, placesSql, searchesSql } from './search-sql.ts'
import { type QueryOrder, type SearchedQuery, topQueries } from './searched-queries.ts'

export interface SearchAnalytics {
  readonly totals: SearchFigures
  readonly lists: Readonly<Record<QueryOrder, readonly SearchedQuery[]>>
  /** null: opened at a place that nobody knows. */
  readonly positions: readonly { readonly position: number | null; readonly clicks: number }[]
  readonly refinements: readonly { readonly query: string; readonly next: string; readonly times: number }[]
  readonly filters: readonly {
    readonly filter: string
    readonly searches: number
    readonly values: readonly { readonly value: string; readonly searches: number }[]
  }[]
  readonly channels: readonly (SearchFigures & { readonly channel: string | null; readonly agent: string | null })[]
  readonly rowsRead: number
}

const most = { values: 5, valueCharacters: 200 }

/** @throws TooMuch, EventsAway */
export async function searchAnalytics(
  store: Pick<EventStore, 'ask'>,
  asked: AskedSearches,
  scope: AnalyticsScope,
  now: Date,
  signal: AbortSignal,
): Promise<SearchAnalytics> {
  const bound = boundOfSearches(asked, scope, now)
  let rowsRead = 0
  const ask = async <T>(sql: string): Promise<readonly T[]> => {
    const answer = await store.ask<T>(sql, bound, { ...questionLimits, signal })
    rowsRead += answer.rowsRead
    return answer.rows
  }
  const by = await ask<ToldFigures & { channel: string; agent: string; whole: number }>(channelsSql(asked, scope))
  const top = await topQueries(store, asked, scope, now, signal)
  const positions = await ask<{ place: number | null; clicks: string }>(positionsSql(asked, scope))
  const refinements = await ask<{ query: string; following: string; times: string }>(refinementsSql(asked, scope))
  const filters = await ask<{ filter: string; value: string; times: string; total: string }>(filtersSql(asked, scope))
  return {
    totals: toFigures(by.find(({ whole }) => Number(whole) === 1)),
    lists: top.lists,
    positions: positions.map(({ place, clicks }) => ({
      position: place === null ? null : Number(place),
      clicks: Number(clicks),
    })),
    refinements: refinements.map(({ query, following, times }) => ({ query, next: following, times: Number(times) })),
    filters: groupFilters(filters).slice(0, asked.limit),
    channels: by
      .filter(({ whole }) => Number(whole) !== 1)
      .map(({ channel, agent, ...told }) => ({
        channel: channel || null,
        agent: agent || null,
        ...toFigures(told),
      })),
    rowsRead: rowsRead + top.rowsRead,
  }
}

const channelsSql = (asked: AskedSearches, scope: AnalyticsScope) => `
  select channel, agent, grouping(channel) as whole, ${figuresSql()}
    from (${judgedSql(asked, scope)}) group by grouping sets ((), (channel, agent))
   order by whole desc, n desc, channel, agent limit {limit:UInt32} + 1`

/** One more than are told one by one: where the place is not known. */
const positionsSql = (asked: AskedSearches, scope: AnalyticsScope) => `
  select if(position > ${lastPosition}, ${lastPosition + 1}, position) as place, count() as clicks
    from (${placesSql(asked, scope)}) group by place order by place`

/** The next search of a session, where it asks for something else. */
const refinementsSql = (asked: AskedSearches, scope: AnalyticsScope) => `
  select tupleElement(shown, 1) as query, tupleElement(shown, 2) as following, times
    from (select folded, next_folded, sum(n) as times, argMax((typed, next_typed), (n, typed, next_typed)) as shown
            from (select typed, next_typed, ${foldSql('typed')} as folded, ${foldSql('next_typed')} as next_folded, count() as n
                    from (select typed, time as asked_at, leadInFrame(typed) over following as next_typed, leadInFrame(time) over following as next_at
                            from (${searchesSql(asked, scope)}) where session != '' and typed != ''
                          window following as (partition by session order by time, id rows between current row and 1 following))
                   where next_typed != '' and next_at <= asked_at + toIntervalMinute(${refinedWithinMinutes})
                   group by typed, next_typed)
           where folded != '' and next_folded != '' and folded != next_folded
           group by folded, next_folded)
   order by times desc, query, following limit {limit:UInt32}`

const isFilter = `startsWith(one, '${demandKeys.filter}') and one != '${demandKeys.filter}'`
const filtersSql = (asked: AskedSearches, scope: AnalyticsScope) => `
  select substring(name, ${demandKeys.filter.length + 1}) as filter, value, times, total
    from (select name, value, count() as times, sum(times) over (partition by name) as total
            from (select arrayJoin(arrayFilter(one -> ${isFilter}, mapKeys(said))) as name, substringUTF8(said[name], 1, ${most.valueCharacters}) as value
                    from (${searchesSql(asked, scope)}))
           group by name, value)
   order by total desc, name, times desc, value limit ${most.values} by name limit {limit:UInt32} * ${most.values}`

function groupFilters(rows: readonly { filter: string; value: string; times: string; total: string }[]) {
  const filters = new Map<string, { filter: string; searches: number; values: { value: string; searches: number }[] }>()
  for (const { filter, value, times, total } of rows) {
    const one = filters.get(filter) ?? { filter, searches: Number(total), values: [] }
    one.values.push({ value, searches: Number(times) })
    filters.set(filter, one)
  }
  return [...filters.values()]
}
