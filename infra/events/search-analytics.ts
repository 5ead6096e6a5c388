/** What came of the searches of a time: how many found nothing or led nowhere, at which places products were opened, what was asked next, and by what it was filtered. */
import { demandKeys } from '../../schemas/demand.ts'
import { type QueryOrder, queryOrders } from '../../schemas/search-analytics.ts'
import { lastPosition, refinedWithinMinutes } from '../../schemas/search-event.ts'
import { questionLimits } from './aggregate.ts'
import type { AnalyticsScope } from './analytics-scope.ts'
import { commonestSql, foldSql } from './fold-sql.ts'
import type { EventStore } from './port.ts'
import { addedSql, byPosition, figuresSql, type SearchFigures, toFigures } from './search-figures.ts'
import { type AskedSearches, boundOfSearches, judgedSql, searchesSql } from './search-sql.ts'
import { orders, type SearchedQuery, type ToldQuery, toQuery } from './searched-queries.ts'

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
  const rows = await ask<Told>(figuresOfSets(asked, scope))
  const refinements = await ask<{ query: string; following: string; times: string }>(refinementsSql(asked, scope))
  const filters = await ask<{ filter: string; value: string; times: string; total: string }>(filtersSql(asked, scope))
  const whole = rows.find(({ told_by }) => told_by === 'whole')
  const [spots, clicks] = rows.find(({ told_by }) => told_by === 'place')?.spots ?? [[], []]
  return {
    totals: toFigures(whole),
    lists: {
      searches: listOf('searches', rows, asked.limit),
      zero_hits: listOf('zero_hits', rows, asked.limit),
      no_click: listOf('no_click', rows, asked.limit),
    },
    positions: spots.map((spot, i) => ({ position: spot || null, clicks: Number(clicks[i]) })).sort(byPosition),
    refinements: refinements.map(({ query, following, times }) => ({ query, next: following, times: Number(times) })),
    filters: groupFilters(filters).slice(0, asked.limit),
    channels: rows
      .filter((row) => row.told_by === 'channel' && Number(row.rank_searches) <= asked.limit)
      .map((row) => ({ channel: row.channel || null, agent: row.agent || null, ...toFigures(row) })),
    rowsRead,
  }
}

interface Told extends ToldQuery, Readonly<Record<`rank_${QueryOrder}`, string>> {
  readonly told_by: 'whole' | 'channel' | 'query' | 'place'
  readonly channel: string
  readonly agent: string
  /** Places, and how often something was opened at each. */
  readonly spots: readonly [readonly number[], readonly string[]]
}

/**
 * Searches are joined to what was opened of them once, for all that is told of it. Places are counted by the few sets of them that
 * searches have: to add up maps for each search took a fifth of the whole.
 */
function figuresOfSets(asked: AskedSearches, scope: AnalyticsScope): string {
  const ranks = queryOrders.map(
    (order) =>
      `row_number() over (partition by told_by order by ${orders[order]} desc, channel, agent, key) as rank_${order}`,
  )
  const ranked = queryOrders.map((order) => `(rank_${order} <= {limit:UInt32} and ${orders[order]} > 0)`)
  const spot = `arrayMap(one -> least(one, ${lastPosition + 1}), opened_at)`
  return `
    select * from (
      select *, ${ranks.join(', ')}
        from (select told_by, folded as key, channel, agent, ${commonestSql('of_n', 'typed')} as query, ${addedSql('of_')},
                     sumMap(${spot}, arrayMap(one -> of_n, opened_at)) as spots
                from (select multiIf(grouping(typed) = 0, 'query', grouping(channel) = 0, 'channel', grouping(opened_at) = 0, 'place', 'whole') as told_by,
                             ${foldSql('typed')} as folded, typed, channel, agent, opened_at, ${figuresSql('of_')}
                        from (select *, spots as opened_at from (${judgedSql(asked, scope)}))
                       group by grouping sets ((), (typed), (channel, agent), (opened_at)))
               where told_by != 'query' or folded != '' group by told_by, folded, channel, agent))
     where ${ranked.join(' or ')}
     order by told_by, rank_searches`
}

function listOf(order: QueryOrder, rows: readonly Told[], limit: number): SearchedQuery[] {
  const whole = Number(rows.find(({ told_by }) => told_by === 'whole')?.n ?? 0)
  const rank = (row: Told) => Number(row[`rank_${order}`])
  return rows
    .filter((row) => row.told_by === 'query' && rank(row) <= limit && Number(row[orders[order]]) > 0)
    .sort((a, b) => rank(a) - rank(b))
    .map((row) => toQuery(row, whole))
}

/** The next search of a session, where it asks for something else. */
const refinementsSql = (asked: AskedSearches, scope: AnalyticsScope) => `
  select substringIndex(shown, '\\0', 1) as query, substring(shown, length(query) + 2) as following, times
    from (select sum(n) as times, ${commonestSql('n', "concat(typed, '\\0', next_typed)")} as shown
            from (select typed, next_typed, ${foldSql('typed')} as folded, ${foldSql('next_typed')} as next_folded, count() as n
                    from (select typed, time as asked_at, leadInFrame(typed) over following as next_typed, leadInFrame(time) over following as next_at
                            from (${searchesSql(asked, scope)}) where session != '' and typed != ''
                          window following as (partition by session order by time, id rows between current row and 1 following))
                   where next_typed != '' and next_typed != typed and next_at <= asked_at + toIntervalMinute(${refinedWithinMinutes})
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
