/** What was searched for, by query: how often, with how much found, and how often something of it was opened. */
import type { QueryOrder } from '../../schemas/search-analytics.ts'
import { questionLimits } from './aggregate.ts'
import type { AnalyticsScope } from './analytics-scope.ts'
import { commonestSql, foldSql } from './fold-sql.ts'
import type { EventStore } from './port.ts'
import { addedSql, figuresSql, type SearchFigures, type ToldFigures, toFigures } from './search-figures.ts'
import { type AskedSearches, boundOfSearches, judgedSql } from './search-sql.ts'

export interface SearchedQuery extends SearchFigures {
  /** As it was typed most often. */
  readonly query: string
  /** Of all searches. */
  readonly share: number
}

/** The column of each order. */
export const orders = { searches: 'n', zero_hits: 'zeros', no_click: 'missed' } as const satisfies Record<
  QueryOrder,
  string
>

/** The query that a page ended with. */
export interface QueryPlace {
  readonly times: number
  /** Folded. */
  readonly key: string
}

export interface ToldQuery extends ToldFigures {
  /** Folded. */
  readonly key: string
  readonly query: string
}

const byQuery = (asked: AskedSearches, scope: AnalyticsScope) => `
  select folded as key, ${commonestSql('of_n', 'typed')} as query, ${addedSql('of_')}, any(all_n) as whole
    from (select ${foldSql('typed')} as folded, typed, ${figuresSql('of_')}, sum(of_n) over () as all_n
            from (${judgedSql(asked, scope)}) group by typed)
   where folded != '' group by folded`

/** @param now when the first page was asked for: all pages are of the events that had come by then @throws TooMuch, EventsAway */
export async function queriesAfter(
  store: Pick<EventStore, 'ask'>,
  asked: AskedSearches & { readonly order: QueryOrder; readonly after: QueryPlace | null },
  scope: AnalyticsScope,
  now: Date,
  signal: AbortSignal,
): Promise<{
  readonly queries: readonly SearchedQuery[]
  readonly next: QueryPlace | null
  readonly rowsRead: number
}> {
  const { order, after, limit } = asked
  const times = orders[order]
  const beyond = `(${times} < {times:UInt64} or (${times} = {times:UInt64} and key > {key:String}))`
  const sql = `select * from (${byQuery(asked, { ...scope, receivedBy: now })})
    where ${times} > 0 ${after ? `and ${beyond}` : ''} order by ${times} desc, key limit {limit:UInt32}`
  const bound = {
    ...boundOfSearches({ ...asked, limit: limit + 1 }, { ...scope, receivedBy: now }, now),
    ...(after && { times: after.times, key: after.key }),
  }
  const { rows, rowsRead } = await store.ask<ToldQuery & { readonly whole: string }>(sql, bound, {
    ...questionLimits,
    signal,
  })
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    queries: rows.slice(0, limit).map((row) => toQuery(row, Number(row.whole))),
    next: last ? { times: Number(last[times]), key: last.key } : null,
    rowsRead,
  }
}

/** @param whole all searches */
export function toQuery(told: ToldQuery, whole: number): SearchedQuery {
  const figures = toFigures(told)
  return { query: told.query, share: figures.searches / whole, ...figures }
}
